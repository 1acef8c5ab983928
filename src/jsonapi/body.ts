import { readAttributes } from '../resource/attributes.ts'
import type { JsonSchema } from '../resource/field.ts'
import { batchTooLarge, inItem, Problem } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'
import { objectSchema, partialSchema } from '../resource/schema.ts'
import { isObject, type KeptRow, nothingKept, unwrap } from './envelope.ts'
import { validate } from './schemas/validate.ts'

type Values = Record<string, unknown>

/**
 * Returns readers for the bodies of one resource: enveloped as `{data: {type, attributes, relationships}}` or
 * bare attributes, whole or partial. `kept` returns the row that the body changes; `unwrap` uses it.
 */
export function bodyReader(resource: Resource, extra: Record<string, JsonSchema> = {}) {
  const { whole, partial, inBatch } = bodySchemas(resource, extra)

  async function read(body: unknown, schema: JsonSchema, kept: KeptRow = nothingKept): Promise<Values> {
    const attributes = unwrap(resource, body, kept)
    await validate(schema, attributes)
    return { ...pick(attributes, Object.keys(extra)), ...readAttributes(resource.fields, attributes) }
  }

  return {
    create: (body: unknown, kept?: KeptRow) => read(body, whole, kept),
    patch: (body: unknown, kept?: KeptRow) => read(body, partial, kept),
    batch(body: unknown): Promise<Values[]> {
      const limit = resource.batch?.limit ?? 100
      return readEach(body, { limit, one: resource.type.replaceAll('-', ' ') }, (item) =>
        read(isResourceObject(item) ? { data: item } : item, inBatch),
      )
    },
  }
}

/** Returns the schemas of a resource's bodies: of the whole resource, of some of its fields, and of one in a batch. */
export function bodySchemas(resource: Resource, extra: Record<string, JsonSchema> = {}) {
  return {
    whole: withSentBack(objectSchema(resource.fields), extra),
    partial: withSentBack(partialSchema(resource.fields), extra),
    inBatch: withSentBack(objectSchema(resource.fields, resource.batch?.without ?? []), extra),
  }
}

/**
 * Reads an array, bare or under `data`; problems point into the item. Throws validation-failed for an empty
 * array and batch-too-large for more than `limit` items.
 */
export async function readEach<Read>(
  body: unknown,
  { limit, one }: { limit: number; one: string },
  read: (item: unknown) => Promise<Read>,
): Promise<Read[]> {
  const items = isObject(body) && 'data' in body ? body.data : body
  if (!Array.isArray(items) || items.length === 0) {
    throw new Problem('validation-failed', `Expected an array of at least one ${one}.`, { pointer: '' })
  }
  if (items.length > limit) throw batchTooLarge(`${one}s`, items.length, limit)
  const all: Read[] = []
  for (const [index, item] of items.entries()) {
    try {
      all.push(await read(item))
    } catch (error) {
      throw inItem(index, error)
    }
  }
  return all
}

/** Whether the item is a resource object rather than bare attributes. */
export function isResourceObject(item: unknown): boolean {
  return isObject(item) && (isObject(item.attributes) || isObject(item.relationships))
}

/**
 * The members that a client may send back and that the server ignores: the id, the common fields, and the
 * members of the envelope, which some clients put among the attributes.
 */
const sentBack = { id: {}, type: {}, links: {}, meta: {}, createdAt: {}, updatedAt: {}, revision: {} }

/** The schema of an object that may be sent back as it was read, with `extra` properties that it may have besides. */
export function withSentBack(schema: JsonSchema, extra: Record<string, JsonSchema> = {}): JsonSchema {
  return { ...schema, properties: { ...sentBack, ...(schema.properties as Values), ...extra } }
}

function pick(values: Values, names: string[]): Values {
  return Object.fromEntries(
    names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  )
}
