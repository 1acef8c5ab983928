import type { Field, Fields, Shown } from './fields.ts'
import { Problem } from './problem.ts'
import { isReadOnly } from './schema.ts'

type Values = Record<string, unknown>

/**
 * The attributes of a body that fits its schema, ready for a change: what is read-only is dropped, texts are in normal
 * form, moments are Unix milliseconds as in a row, and what the schema could not check is checked. Throws every problem
 * found, each with its pointer.
 */
export function readAttributes(fields: Fields, body: Values): Values {
  const problems: Problem[] = []
  const read = readMembers(fields, body, '', problems)
  if (problems.length > 0) throw Problem.all(problems)
  return read
}

function readMembers(fields: Fields, body: Values, at: string, problems: Problem[]): Values {
  const kept = Object.entries(body).filter(
    ([name]) => Object.hasOwn(fields, name) && !isReadOnly(fields[name]!.options),
  )
  return Object.fromEntries(
    kept.map(([name, value]) => [name, readValue(fields[name]!, value, `${at}/${name}`, problems)]),
  )
}

/** What a change sees as it is kept. */
const encodedEarly: ReadonlySet<Shown> = new Set(['plain', 'reference', 'instant'])

/** Null is the same as absent, so a field that has a default takes it. */
function readValue(field: Field, value: unknown, at: string, problems: Problem[]): unknown {
  if (value === null || value === undefined) return field.options.default ?? null
  if (field.kind === 'parts')
    return (value as unknown[]).map((item, index) => readItem(field, item, `${at}/${index}`, problems))
  const found = field.check?.(value)
  if (found) problems.push(new Problem(found.code, `${at.slice(1)}: ${found.detail}.`, { pointer: at }))
  const isText = typeof value === 'string' && field.kind === 'scalar'
  return isText && encodedEarly.has(field.shown) ? field.encode(value) : value
}

function readItem({ members = {}, only }: Field, item: unknown, at: string, problems: Problem[]): unknown {
  return only
    ? readValue(members[only]!, item, at, problems)
    : readMembers(members, item as Values, at, problems)
}

/** What a replacement sets: every field that a body may set, absent ones to their default or to nothing. */
export function completed(fields: Fields, attributes: Values): Values {
  const settable = Object.entries(fields).filter(
    ([, { options, shown }]) => !isReadOnly(options) && shown !== 'sealed',
  )
  return {
    ...Object.fromEntries(settable.map(([name, { options }]) => [name, options.default ?? null])),
    ...attributes,
  }
}
