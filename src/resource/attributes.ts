import type { Field, Fields, Shown } from './field.ts'
import { isReadOnly } from './fields.ts'
import { Problem } from './problem.ts'

type Values = Record<string, unknown>

/**
 * Converts the attributes of a validated body for a command: read-only fields are dropped, texts are in
 * Unicode normal form C, instants are Unix milliseconds, and rules beyond the schema are checked. Throws all
 * problems, each with its pointer.
 */
export function readAttributes(fields: Fields, body: Values): Values {
  const problems: Problem[] = []
  const read = readMembers(fields, body, '', problems)
  if (problems.length > 0) throw Problem.all(problems)
  return read
}

function readMembers(fields: Fields, body: Values, at: string, problems: Problem[]): Values {
  const read: Values = {}
  for (const [name, value] of Object.entries(body)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field || isReadOnly(field.options)) continue
    read[name] = readValue(field, value, `${at}/${name}`, problems)
  }
  return read
}

/** The kinds of values that a command sees as they are stored. */
const encodedEarly: ReadonlySet<Shown> = new Set(['plain', 'reference', 'instant'])

/** Null means absent, so a field with a default gets its default. */
function readValue(field: Field, value: unknown, at: string, problems: Problem[]): unknown {
  if (value === null || value === undefined) return field.options.default ?? null
  if (field.kind === 'parts') return readItems(field, value as unknown[], at, problems)
  const found = field.check?.(value)
  if (found) problems.push(new Problem(found.code, `${at.slice(1)}: ${found.detail}.`, { pointer: at }))
  const isText = typeof value === 'string' && field.kind === 'scalar'
  return isText && encodedEarly.has(field.shown) ? field.encode(value) : value
}

function readItems(
  { members = {}, only }: Field,
  items: unknown[],
  at: string,
  problems: Problem[],
): unknown[] {
  return items.map((item, index) =>
    only
      ? readValue(members[only]!, item, `${at}/${index}`, problems)
      : readMembers(members, item as Values, `${at}/${index}`, problems),
  )
}

/**
 * Completes the attributes of a replacement: absent settable fields get their default, or null. Sealed fields
 * keep their stored value.
 */
export function completed(fields: Fields, attributes: Values): Values {
  const settable = Object.entries(fields).filter(
    ([, { options, shown }]) => !isReadOnly(options) && shown !== 'sealed',
  )
  return {
    ...Object.fromEntries(settable.map(([name, { options }]) => [name, options.default ?? null])),
    ...attributes,
  }
}
