import type { Field } from '../resource/fields.ts'
import type { Resource, Row } from '../resource/resource.ts'
import { onceForEach } from './once-for-each.ts'
import type { Attributes, Named } from './row-writer.ts'

/** The fields that a row would keep otherwise than it does. */
export function changedFields(resource: Resource, before: Row, after: Attributes): Named[] {
  return keptFields(resource).filter(
    ([name, field]) =>
      after[name] !== (before as Attributes)[name] &&
      !isSameJson(comparable(field, after[name]), comparable(field, (before as Attributes)[name])),
  )
}

/** Those that have a column or a table: what is computed is never written. */
export const keptFields = onceForEach(({ fields }): Named[] =>
  Object.entries(fields).filter(([, { options }]) => !options.computed),
)

/** Whether both would be written as the same JSON, whatever the order of their members. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, at) => isSameJson(each, b[at]))
    )
  }
  const [one, other] = [a as Attributes, b as Attributes]
  for (const name in one) if (!isSameJson(one[name], other[name])) return false
  for (const name in other) if (other[name] !== undefined && one[name] === undefined) return false
  return true
}

/** Absent and null are the same; so are an empty list and none. Of parts only what is kept counts. */
function comparable({ kind, members = {}, only }: Field, value: unknown): unknown {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return null
  if (kind !== 'parts' || only || !Array.isArray(value)) return value
  const kept = Object.entries(members).filter(([, { options }]) => !options.computed)
  return value.map((item) => kept.map(([name, { options }]) => item[name] ?? options.default ?? null))
}
