import { unwrap } from '../../jsonapi/envelope.ts'
import { validate } from '../../jsonapi/schemas/validate.ts'
import { uuid } from '../../jsonapi/schemas/words.ts'
import { readAttributes } from '../../resource/attributes.ts'
import type { Fields, JsonSchema } from '../../resource/field.ts'
import { Problem } from '../../resource/problem.ts'
import { objectSchema } from '../../resource/schema.ts'
import { type AccessController, keyTypes } from './access-controller.ts'
import type { AccessProvider } from './access-provider.ts'
import { type Key, key } from './key.ts'

/** A key request, read from a body. `original` null: an original if the unit has no key to copy, otherwise a copy. */
export interface KeyRequest {
  unitName: string | null
  original: boolean | null
  startDate: string
  startTime: string | null
  endDate: string
  endTime: string | null
  authorizations: string[]
  deAuthorizations: string[]
  extraUnits: string[]
  externalId: string | null
  /** The externalId of its stay where that of the key is another. */
  stayName?: string | undefined
  usage: 'Guest' | 'OneShot' | 'Staff' | 'Spare'
  printText: string | null
}

/** The schema of the name of a unit. */
export const unitNameSchema: JsonSchema = { type: 'string', minLength: 1, maxLength: 60 }

/** Fields with a special rule in a body, or decided by the controller. */
const decided = ['providerId', 'controllerId', 'keyType', 'original', 'uid', 'isVirtual']
const sayable: Fields = Object.fromEntries(
  Object.entries(key.fields).filter(([name]) => !decided.includes(name)),
)

/** What a client may send back as it was read. */
const ignored = ['id', 'createdAt', 'updatedAt', 'revision', 'uid', 'isVirtual']

/** The schema of a key in a request body. */
export const keyBodySchema = (() => {
  const plain = objectSchema(sayable)
  const properties = {
    ...(plain.properties as object),
    ...Object.fromEntries(ignored.map((name) => [name, {}])),
    original: { type: ['boolean', 'null'] },
    type: { enum: ['key', ...keyTypes] },
    keyType: { enum: keyTypes },
    providerId: uuid,
    meta: {},
  }
  return { ...plain, properties, required: ['type', 'startDate', 'endDate', 'original'] }
})()

/** Reads a key request for a controller. Throws a Problem with status 400 or 422 that names the field. */
export async function readKeyRequest(
  body: unknown,
  controller: AccessController,
  schema: JsonSchema = keyBodySchema,
): Promise<KeyRequest> {
  const request = await readKeyChange(body, controller, schema)
  if (request.endDate < request.startDate) throw endBeforeStart()
  return request
}

/**
 * Reads a key request that changes a key. Throws as `readKeyRequest` does, but the end may be before the start: an end
 * in the past revokes a key that has not begun.
 */
export async function readKeyChange(
  body: unknown,
  controller: AccessController,
  schema: JsonSchema = keyBodySchema,
): Promise<KeyRequest> {
  const attributes = keyIn(body)
  await validate(schema, attributes)
  refuseOtherType(attributes, controller)
  const { providerId } = controller
  if (attributes.providerId !== undefined && attributes.providerId !== providerId)
    throw new Problem('provider-immutable', 'The controller makes keys for another provider.', {
      pointer: '/providerId',
      meta: { expected: providerId },
    })
  const present = Object.entries(readAttributes(sayable, attributes)).filter(([, value]) => value !== null)
  return {
    ...unstated,
    ...Object.fromEntries(present),
    original: attributes.original,
  } as unknown as KeyRequest
}

/** What a request asks for where it states nothing. */
export const unstated = {
  unitName: null,
  startTime: null,
  endTime: null,
  authorizations: [],
  deAuthorizations: [],
  extraUnits: [],
  externalId: null,
  usage: 'Guest',
  printText: null,
} satisfies Partial<KeyRequest>

/** The request that would make a stored key again, as an original. */
export function storedRequest(row: Key): KeyRequest {
  return {
    unitName: row.unitName ?? null,
    original: true,
    startDate: row.startDate,
    startTime: row.startTime ?? null,
    endDate: row.endDate,
    endTime: row.endTime ?? null,
    // The current authorizations of the unit and the provider are added again when the order is built.
    authorizations: row.authorizations ?? [],
    deAuthorizations: row.deAuthorizations ?? [],
    extraUnits: row.extraUnits ?? [],
    externalId: row.externalId ?? null,
    stayName: row.stayName ?? undefined,
    usage: row.usage ?? 'Guest',
    printText: row.printText ?? null,
  }
}

/** The attributes of a body. The `type` of a JSON:API envelope is included: `key`, or a key type. */
export function keyIn(body: unknown): Record<string, unknown> {
  const data = (body as { data?: { type?: unknown } } | undefined)?.data
  const named = (keyTypes as readonly unknown[]).includes(data?.type)
  const attributes = unwrap(key, named ? { data: { ...data, type: key.type } } : body)
  return data?.type === undefined ? attributes : { type: named ? data.type : key.type, ...attributes }
}

/** The checked attributes of another body about keys. */
export async function attributesIn<Body>(body: unknown, schema: JsonSchema): Promise<Body> {
  const attributes = unwrap(key, body)
  await validate(schema, attributes)
  return attributes as Body
}

/** Throws key-type-not-supported when the body names another key type than the controller's. */
function refuseOtherType(attributes: Record<string, unknown>, { keyType }: AccessController): void {
  for (const name of ['type', 'keyType']) {
    const named = attributes[name]
    if (named === undefined || named === key.type || named === keyType) continue
    throw new Problem('key-type-not-supported', `The controller makes only keys of type ${keyType}.`, {
      pointer: `/${name}`,
      meta: { supported: [keyType] },
    })
  }
}

/** The Problem for a key that ends before it starts. */
export function endBeforeStart(): Problem {
  return new Problem('end-before-start', 'The key ends before it starts.', { pointer: '/endDate' })
}

/**
 * The authorizations of a key, sorted: those of the provider, of the unit and of the request, without its
 * `deAuthorizations`.
 */
export function authorizationsOf(request: KeyRequest, provider: AccessProvider): string[] {
  const { matrix, defaultAuthorizations } = provider
  const ofUnit = matrix?.find(({ unitName }) => unitName === request.unitName)?.authorizations ?? []
  const all = [...(defaultAuthorizations ?? []), ...ofUnit, ...request.authorizations]
  return [...new Set(all)].filter((name) => !request.deAuthorizations.includes(name)).sort()
}
