import { change } from '../resource/change.ts'
import type { NextSlice, Slice } from '../resource/slice.ts'

/** Rows that one slice takes away. */
const atOnce = 500

/** Answers to idempotency keys. Whoever asks for one that is older is told that there is none. */
export const expireAnswers = expiring(
  'retention/idempotency',
  `DELETE FROM idempotency WHERE at < ? ORDER BY at LIMIT ${atOnce}`,
)

/** Places of deleted rows, at which a page could go on. */
export const expireTombstones = expiring(
  'retention/tombstone',
  `DELETE FROM tombstone WHERE deletedAt < ? ORDER BY deletedAt LIMIT ${atOnce}`,
)

function expiring(name: string, sql: string) {
  return change(name, (tx, { before }: Slice): NextSlice => (tx.run(sql, before) < atOnce ? null : 0))
}
