import type { ErrorObject, ValidateFunction } from 'ajv'
import type { JsonSchema } from '../resource/fields.ts'
import { Problem } from '../resource/problem.ts'
import { mostErrors } from './errors.ts'
import { ofNearestBranch } from './nearest-branch.ts'
import { networkFormats } from './network-formats.ts'

type Compile = (schema: JsonSchema) => ValidateFunction

/** Stops at the first error, or finds them all. */
type Depth = 'first' | 'all'

const compiled = { first: new WeakMap(), all: new WeakMap() } satisfies Record<
  Depth,
  WeakMap<JsonSchema, ValidateFunction>
>
const compilers: Partial<Record<Depth, Promise<Compile>>> = {}

/**
 * Checks a value against a schema, and throws one problem for each thing wrong with it, fifty at most. Of a value that is larger than
 * what a person writes only the first is looked for, limits of lists and texts before what they hold: nobody waits for the
 * errors of half a million items. Schemas are compiled at their first use, and Ajv is loaded with the first of them: a box
 * that only answers questions never pays for it.
 */
export async function validate(schema: JsonSchema, value: unknown): Promise<void> {
  const depth = isLarge(value) ? 'first' : 'all'
  let check = compiled[depth].get(schema)
  if (!check) {
    compilers[depth] ??= loadAjv(depth)
    check = (await compilers[depth])(schema)
    compiled[depth].set(schema, check)
  }
  if (check(value)) return
  throw Problem.all(problemsOf(check.errors ?? []))
}

/** Members and items of all levels, and a hundred characters of a text, count as one each. */
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

/** As `validate`, with every pointer below the place. */
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

async function loadAjv(depth: Depth): Promise<Compile> {
  // By their defaults, because a bundle gives a CommonJS package no other name.
  const [{ default: ajvs }, { default: formats }] = await Promise.all([import('ajv'), import('ajv-formats')])
  const ajv = new ajvs.Ajv({
    allErrors: depth === 'all',
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    // An error knows its schema, whose description or comment says what its pattern is for.
    verbose: true,
    // Nobody is answered while a schema is compiled; made shorter, its code takes half as long again and runs no faster.
    code: { optimize: false },
  })
  formats.default(ajv, ['date', 'date-time', 'uuid', 'email'])
  for (const [name, validate] of Object.entries(networkFormats)) ajv.addFormat(name, validate)
  return (schema) => ajv.compile(schema)
}

function problemsOf(errors: ErrorObject[]): Problem[] {
  const telling = ofNearestBranch(errors).filter(({ keyword }) => keyword !== 'if')
  return (telling.length > 0 ? telling : errors).slice(0, mostErrors).map((error) => {
    const pointer = pointerOf(error)
    return new Problem('validation-failed', `${pointer.slice(1) || 'the body'} ${wordsOf(error)}.`, {
      pointer,
      meta: metaOf(error),
    })
  })
}

function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${params.missingProperty}`
  if (keyword === 'additionalProperties') return `${instancePath}/${escaped(nameIn(params))}`
  return instancePath
}

/** A name can be anything that somebody has put there: a number as long as a card's is not said again. */
function nameIn({ additionalProperty }: ErrorObject['params']): string {
  return String(additionalProperty)
    .slice(0, 100)
    .replace(/\d(?:[ -]{0,2}\d){12,}/g, '…')
}

/** A name as a step of a JSON pointer. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function wordsOf({ keyword, message, params, parentSchema }: ErrorObject): string {
  const { limit } = params as { limit?: number }
  const says: Record<string, () => string | undefined> = {
    required: () => ['is required', parentSchema?.$comment].filter(Boolean).join(' '),
    additionalProperties: () => 'is not a field of this resource',
    enum: () => `must be one of ${allowedIn(params).join(', ')}`,
    type: () => `must be ${[params.type].flat().join(' or ')}`,
    format: () => formats[params.format],
    pattern: () => {
      const form = parentSchema?.description ?? parentSchema?.$comment
      return form && `must be ${form}`
    },
    minLength: () => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
    maxLength: () => `must have at most ${limit} characters`,
    minItems: () => `must have at least ${limit} ${limit === 1 ? 'item' : 'items'}`,
    maxItems: () => `must have at most ${limit} items`,
    uniqueItems: () => 'must not have the same item twice',
    oneOf: () => 'must have one of its forms, and no other',
  }
  return says[keyword]?.() ?? message ?? 'is not valid'
}

const formats: Record<string, string> = {
  date: 'must be a date (YYYY-MM-DD)',
  'date-time': 'must be a UTC timestamp (YYYY-MM-DDTHH:MM:SSZ)',
  uuid: 'must be an id (UUID)',
  'ip-address': 'must be an IP address (192.168.1.10)',
  network:
    'must be an IP address (192.168.1.20) or a network (192.168.1.16/28), of at least 8 bits, or 32 of IPv6',
}

function metaOf({ keyword, params }: ErrorObject): Record<string, unknown> {
  if (keyword === 'enum') return { allowed: allowedIn(params) }
  return { expected: keyword === 'additionalProperties' ? { additionalProperty: nameIn(params) } : params }
}

/** Null only says that the value may be absent. */
function allowedIn(params: ErrorObject['params']): unknown[] {
  return (params.allowedValues as unknown[]).filter((word) => word !== null)
}
