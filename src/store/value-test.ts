import type { Stored } from '../resource/fields.ts'
import type { Operator } from '../resource/query.ts'
import { fold, isPlain } from './filter.ts'
import { compareStored } from './stored-order.ts'

/** A test of a value as it is stored. */
export interface ValueTest {
  operator: Operator
  value: Stored
}

/** Whether a value passes all tests, as SQL has it; of `like`, whether it might. */
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

/** SQL folds the case of ASCII alone where the text has no other letters; here that of all is folded, which is as fast. */
function containing(text: string): (value: Stored) => boolean {
  const folding = isPlain(text) ? (value: string) => value.toLowerCase() : fold
  const folded = folding(text)
  return (value) => (typeof value === 'string' ? folding(value).includes(folded) : value !== null)
}
