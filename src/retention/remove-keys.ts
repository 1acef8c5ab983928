import { cardRun } from '../access/resources/card-run.ts'
import { key } from '../access/resources/key.ts'
import { change, type Transaction } from '../resource/change.ts'
import { inSlice, type NextSlice, type Slice } from '../resource/slice.ts'

/** It opens nothing, and no key that is kept names it. */
const isOver = `validUntil < ? AND (proof IS NOT NULL OR status = 'failed')
  AND NOT EXISTS (SELECT 1 FROM key AS other WHERE other.supersededById = key.rid)`

/** One slice of all keys: those that are over since before a moment go, with the ways of their cards. */
export const removeOldKeys = change(
  'retention/keys',
  (tx, slice: Slice): NextSlice =>
    inSlice(tx, { table: key.table, condition: isOver, values: [slice.before] }, slice, (id) =>
      removeKey(tx, id),
    ),
)

/** One slice of all keys: the name that was printed on a card goes, though the key is kept for whoever audits the house. */
export const forgetPrintTexts = change('retention/print-texts', (tx, slice: Slice): NextSlice => {
  const rows = {
    table: key.table,
    condition: 'printText IS NOT NULL AND validUntil < ?',
    values: [slice.before],
  }
  return inSlice(tx, rows, slice, (id) => tx.overwrite(key, id, { printText: null }))
})

/** Removes a key with the ways of its cards. Throws resource-referenced for one that another key names. */
export function removeKey(tx: Transaction, id: string): void {
  for (const run of tx.select(cardRun, [{ path: 'keyId', operator: 'eq', value: id }]))
    tx.remove(cardRun, run.id)
  tx.remove(key, id)
}
