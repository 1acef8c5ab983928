import { forgetEndedBy } from '../access/keys/doors/superseding.ts'
import { cardRun } from '../access/resources/card-run.ts'
import { key } from '../access/resources/key.ts'
import { command, type Transaction } from '../resource/command.ts'
import { erasedAttributes, personalCondition } from '../resource/personal.ts'
import { inSlice, type Slice, type Sliced } from '../resource/slice.ts'

/** The key opens no door, and no stored key refers to it. */
const isOver = `validUntil < ? AND (proof IS NOT NULL OR status = 'failed')
  AND NOT EXISTS (SELECT 1 FROM key AS other WHERE other.supersededById = key.rid)
  AND NOT EXISTS (SELECT 1 FROM key_door WHERE key_door.endedById = key.rid AND key_door.proof IS NULL)`

/**
 * The command for one slice of keys: it deletes those that ended before a given time, with their issuances.
 */
export const removeOldKeys = command(
  'retention/keys',
  (tx, slice: Slice): Sliced =>
    inSlice(tx, { table: key.table, condition: isOver, values: [slice.before] }, slice, (part, id) =>
      removeKey(part, id),
    ),
)

/**
 * The command for one slice of keys: it erases the name that was printed on the card. The key itself stays
 * for the audit.
 */
export const forgetPrintTexts = command('retention/print-texts', (tx, slice: Slice): Sliced => {
  const rows = {
    table: key.table,
    condition: `${personalCondition(key)} AND validUntil < ?`,
    values: [slice.before],
  }
  return inSlice(tx, rows, slice, (part, id) => part.overwrite(key, id, erasedAttributes(key)))
})

/**
 * Deletes a key with its issuances. Other keys lose the mark that it ended one of their doors. Throws resource-referenced when
 * another key refers to it.
 */
export function removeKey(tx: Transaction, id: string): void {
  for (const run of tx.select(cardRun, [{ path: 'keyId', operator: 'eq', value: id }]))
    tx.remove(cardRun, run.id)
  forgetEndedBy(tx, id)
  tx.remove(key, id)
}
