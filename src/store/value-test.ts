import type { Stored } from '../resource/fields.ts'
import type { Operator } from '../resource/query.ts'
import { fold } from './filter.ts'
import { compareStored } from './stored-order.ts'

/** A test of a value as it is stored. */
export interface ValueTest {
  operator: Operator
  value: Stored
}

/** Whether a value passes all tests, as SQL has it; what is `like` something is judged by SQL alone in the end. */
export function predicateOf(tests: readonly ValueTest[]): (value: Stored) => boolean {
  const each = tests.map(({ operator, value }) => predicates[operator](value))
  const [only] = each
  return only && each.length === 1 ? only : (value) => each.every((passes) => passes(value))
}

const predicates: Record<Operator, (wanted: Stored) => (value: Stored) => boolean> = {
  eq: (wanted) => (value) => value === wanted,
  ne: (wanted) => (value) => value !== wanted,
  lt: (wanted) => (value) => value !== null && compareStored(value, wanted) < 0,
  lte: (wanted) => (value) => value !== null && compareStored(value, wanted) <= 0,
  gt: (wanted) => (value) => value !== null && compareStored(value, wanted) > 0,
  gte: (wanted) => (value) => value !== null && compareStored(value, wanted) >= 0,
  like: (wanted) => containing(String(wanted)),
  isnull: () => (value) => value === null,
  notnull: () => (value) => value !== null,
}

/** More than SQL finds: it folds the case of ASCII alone where the text has no other letters. */
function containing(text: string): (value: Stored) => boolean {
  const [folded, lower] = [fold(text), text.toLowerCase()]
  return (value) => {
    if (typeof value !== 'string') return value !== null
    return value.toLowerCase().includes(lower) || fold(value).includes(folded)
  }
}
