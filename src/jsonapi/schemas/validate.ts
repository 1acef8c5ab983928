import type { ErrorObject, ValidateFunction } from 'ajv'
import type { JsonSchema } from '../../resource/field.ts'
import { didYouMean } from '../../resource/nearest.ts'
import { Problem } from '../../resource/problem.ts'
import { mostErrors } from '../errors.ts'
import type { Request } from '../route.ts'
import type { ajvOf, Depth } from './ajv.ts'
import { compiledSchemas } from './compiled-schemas.ts'
import { formIn } from './form.ts'
import { ofNearestBranch } from './nearest-branch.ts'
import { digestOf } from './schema-digest.ts'

const compiled = { first: new WeakMap(), all: new WeakMap() } satisfies Record<
  Depth,
  WeakMap<JsonSchema, ValidateFunction>
>
const compilers: Partial<Record<Depth, ReturnType<typeof ajvOf>>> = {}

/**
 * Checks a value against a schema, and throws one problem for each error, at most fifty. For a large value it
 * stops at the first error, because collecting half a million errors would block other requests. The bundle has
 * the validators of most schemas; others are compiled at their first use, and Ajv is loaded with the first of them.
 */
export async function validate(schema: JsonSchema, value: unknown): Promise<void> {
  const depth = isLarge(value) ? 'first' : 'all'
  let check = compiled[depth].get(schema)
  if (!check) {
    check = (depth === 'all' && (await compiledBefore(schema))) || (await compiledNow(depth, schema))
    compiled[depth].set(schema, check)
  }
  if (check(value)) return
  const { problems, more } = problemsOf(check.errors ?? [])
  throw Problem.all(problems, more)
}

/** Returns the body of a request, `{}` without one, after a check against the schema. Throws as `validate` does. */
export async function bodyOf<Body>(request: Pick<Request, 'body'>, schema: JsonSchema): Promise<Body> {
  const body = (await request.body()) ?? {}
  await validate(schema, body)
  return body as Body
}

async function compiledBefore(schema: JsonSchema): Promise<ValidateFunction | undefined> {
  return (await compiledSchemas[digestOf(schema)]?.())?.default
}

async function compiledNow(depth: Depth, schema: JsonSchema): Promise<ValidateFunction> {
  const { ajvOf } = await import('./ajv.ts')
  compilers[depth] ??= ajvOf(depth)
  return compilers[depth].compile(schema)
}

/**
 * The size at which a value counts as large. Each member and item of any level counts as one, and so do a
 * hundred characters of a text.
 */
const mostParts = 1_000

function isLarge(value: unknown): boolean {
  const left = [value]
  let parts = 0
  while (left.length > 0) {
    const each = left.pop()
    const members = typeof each === 'object' && each !== null ? Object.values(each) : []
    parts += typeof each === 'string' ? 1 + each.length / 100 : 1
    if (parts + left.length + members.length > mostParts) return true
    left.push(...members)
  }
  return false
}

/** Returns what is wrong with a value, as one sentence; null when it matches the schema. */
export async function schemaError(schema: JsonSchema, value: unknown): Promise<string | null> {
  try {
    await validate(schema, value)
    return null
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

/** Like `validate`; every pointer gets the prefix `place`. */
export async function validateAt(place: string, schema: JsonSchema, value: unknown): Promise<void> {
  try {
    await validate(schema, value)
  } catch (error) {
    if (error instanceof Problem) {
      for (const { options } of [error, ...error.others]) options.pointer = `${place}${options.pointer ?? ''}`
    }
    throw error
  }
}

function problemsOf(errors: ErrorObject[]): { problems: Problem[]; more: number } {
  const meaningful = ofNearestBranch(errors).filter(({ keyword }) => keyword !== 'if')
  const all = meaningful.length > 0 ? meaningful : errors
  const problems = all.slice(0, mostErrors).map((error) => {
    const pointer = pointerOf(error)
    const field = pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
    return new Problem('validation-failed', detailOf(field || 'the body', error), {
      pointer,
      meta: metaOf(error),
      didYouMean: meantBy(error),
    })
  })
  return { problems, more: all.length - problems.length }
}

/** Whole sentences, each of which the catalogue of details has in every language; those with words of a schema are English. */
function detailOf(field: string, { keyword, message, params, parentSchema }: ErrorObject): string {
  const { limit } = params as { limit?: number }
  const sentences: Record<string, () => string | undefined> = {
    additionalProperties: () => `${field} is not a field of this resource.`,
    enum: () => `${field} must be one of ${allowedIn(params).join(', ')}.`,
    required: () =>
      parentSchema?.$comment ? `${field} is required ${parentSchema.$comment}.` : `${field} is required.`,
    type: () => `${field} must be ${[params.type].flat().join(' or ')}.`,
    format: () => formats[params.format]?.(field),
    pattern: () => {
      const form = formIn(parentSchema)
      return form && `${field} must be ${form}.`
    },
    minLength: () =>
      limit === 1 ? `${field} must not be empty.` : `${field} must have at least ${limit} characters.`,
    maxLength: () => `${field} must have at most ${limit} characters.`,
    minItems: () =>
      limit === 1 ? `${field} must have at least 1 item.` : `${field} must have at least ${limit} items.`,
    maxItems: () => `${field} must have at most ${limit} items.`,
    uniqueItems: () => `${field} must not have the same item twice.`,
    oneOf: () => `${field} must have one of its forms, and no other.`,
  }
  return sentences[keyword]?.() ?? `${field} ${message ?? 'is not valid'}.`
}

const formats: Record<string, (field: string) => string> = {
  date: (field) => `${field} must be a date (YYYY-MM-DD).`,
  'date-time': (field) => `${field} must be a UTC timestamp (YYYY-MM-DDTHH:MM:SSZ).`,
  uuid: (field) => `${field} must be an id (UUID).`,
  'ip-address': (field) => `${field} must be an IP address (192.168.1.10).`,
  network: (field) =>
    `${field} must be an IP address (192.168.1.20) or a network (192.168.1.16/28), of at least 8 bits, or 32 of IPv6.`,
}

/** The member or the word of a closed set that was probably meant. */
function meantBy({ keyword, params, parentSchema, data }: ErrorObject): string | undefined {
  if (keyword === 'additionalProperties')
    return didYouMean(String(params.additionalProperty), Object.keys(parentSchema?.properties ?? {}))
  return keyword === 'enum' && typeof data === 'string'
    ? didYouMean(
        data,
        allowedIn(params).filter((word) => typeof word === 'string'),
      )
    : undefined
}

function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${params.missingProperty}`
  if (keyword === 'additionalProperties') return `${instancePath}/${escaped(nameIn(params))}`
  return instancePath
}

/** An unknown member's name can contain anything, so a number as long as a card number is masked. */
function nameIn({ additionalProperty }: ErrorObject['params']): string {
  return String(additionalProperty)
    .slice(0, 100)
    .replace(/\d(?:[ -]{0,2}\d){12,}/g, '…')
}

/** Escapes a name for a JSON pointer. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function metaOf({ keyword, params }: ErrorObject): Record<string, unknown> {
  if (keyword === 'enum') return { allowed: allowedIn(params) }
  return { expected: keyword === 'additionalProperties' ? { additionalProperty: nameIn(params) } : params }
}

/** A null in the enum only means that the value may be absent. */
function allowedIn(params: ErrorObject['params']): unknown[] {
  return (params.allowedValues as unknown[]).filter((word) => word !== null)
}
