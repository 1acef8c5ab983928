import { command } from '../resource/command.ts'
import type { Slice, Sliced } from '../resource/slice.ts'

/** The number of rows that one slice deletes. */
const atOnce = 500

/** The command that deletes expired answers to idempotency keys. */
export const expireAnswers = expiring(
  'retention/idempotency',
  `DELETE FROM idempotency WHERE at < ? ORDER BY at LIMIT ${atOnce}`,
)

/** The command that deletes expired tombstones. A cursor to such a row then becomes unknown. */
export const expireTombstones = expiring(
  'retention/tombstone',
  `DELETE FROM tombstone WHERE deletedAt < ? ORDER BY deletedAt LIMIT ${atOnce}`,
)

/** The command that forgets the names of deleted accounts, tokens and stations. */
export const expireFormerActors = expiring(
  'retention/former-actors',
  `DELETE FROM former_actor WHERE rid IN (SELECT rid FROM former_actor WHERE createdAt < ? LIMIT ${atOnce})`,
)

function expiring(name: string, sql: string) {
  return command(
    name,
    (tx, { before }: Slice): Sliced => ({
      next: tx.run(sql, before) < atOnce ? null : 0,
      left: [],
    }),
  )
}
