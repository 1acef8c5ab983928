import type { Transaction } from '../../resource/command.ts'
import { type SyncOffer, syncOffer } from '../resources/sync-offer.ts'
import type { Sharing } from './sync-changes.ts'
import { hasOpenConflicts, keepRecord, recordOf } from './sync-state.ts'

/** What waits to be offered of this reservation; null when nothing does. */
export function outboxRow(tx: Transaction, sharing: Sharing): SyncOffer | null {
  const { configurationId, reservationId } = sharing
  const [found] = tx.select(
    syncOffer,
    [
      { path: 'configurationId', operator: 'eq', value: configurationId },
      { path: 'reservationId', operator: 'eq', value: reservationId },
    ],
    [],
    1,
  )
  return found ?? null
}

/**
 * Puts a reservation into the outbox, or says of one that is there that it has changed since: it is offered at once. `isAnew`
 * where somebody here has changed it or decided about it, and not the two sides what one of them has told.
 */
export function markForOffer(
  tx: Transaction,
  { configurationId, reservationId }: Sharing,
  { isAnew = false } = {},
): void {
  const row = outboxRow(tx, { configurationId, reservationId })
  const anew = { attempts: 0, notBefore: 0, refused: null }
  if (row) {
    // What was sent is settled as what it was.
    const isKept = row.withoutUnits === 'next' ? row.offer : !isAnew
    const withoutUnits = isKept ? (row.withoutUnits ?? null) : null
    tx.patch(syncOffer, row.id, { ...anew, marks: row.marks + 1, withoutUnits })
  } else tx.insert(syncOffer, { ...anew, configurationId, reservationId, marks: 1, since: tx.now })
}

/** Says of a reservation that the PMS knows whether it has something that is not known to be there. */
export function keepPending(tx: Transaction, sharing: Sharing, pending: boolean): void {
  const record = recordOf(tx, sharing.reservationId)
  if (!record || (record.pending ?? false) === pending) return
  keepRecord(tx, sharing, record, { pending }, { hasConflicts: hasOpenConflicts(tx, sharing.reservationId) })
}
