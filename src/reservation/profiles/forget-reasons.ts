import { command, type Transaction } from '../../resource/command.ts'
import type { Slice, Sliced } from '../../resource/slice.ts'

const mostAtOnce = 500

/** The lines of the journal with a reason that a person has written, which may name a guest. An index finds them. */
const withReason = `type IN ('key.override-used', 'stay.payment-settled-by-hand') AND data ->> '$.reason' IS NOT NULL`
const emptied = "UPDATE journal SET data = json_set(data, '$.reason', NULL) WHERE"

const about = `${emptied} ${withReason} AND EXISTS (SELECT 1 FROM json_each(?)
  WHERE value IN (subject, 'access/keys/' || (data ->> '$.otherKeyId')))`

/** Erases the reasons in the journal that are about any of these subjects: `stays/{id}`, `access/keys/{id}`. */
export function eraseReasons(tx: Transaction, subjects: readonly string[]): void {
  if (subjects.length > 0) tx.run(about, JSON.stringify(subjects))
}

const old = `${emptied} sequence IN (SELECT sequence FROM journal WHERE ${withReason} AND at < ? LIMIT ${mostAtOnce})`

/** Erases the reasons in the journal that were written before `slice.before`, as many as one slice takes. */
export const forgetReasons = command(
  'retention/reasons',
  (tx, { before }: Slice): Sliced => ({ next: tx.run(old, before) < mostAtOnce ? null : 0, left: [] }),
)
