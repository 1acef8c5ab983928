import type { Transaction } from '../../../resource/command.ts'
import { type SyncOffer, syncOffer } from '../../resources/sync-offer.ts'
import type { Sharing } from '../sync-changes.ts'
import { hasOpenConflicts, keepRecord, recordOf } from '../sync-state.ts'

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

/** Puts a reservation into the outbox, or says of one that is there that it has changed since: it is offered at once. */
export function markForOffer(tx: Transaction, { configurationId, reservationId }: Sharing): void {
  const row = outboxRow(tx, { configurationId, reservationId })
  const anew = { attempts: 0, notBefore: 0, refused: null }
  const isCaptured = row?.capturedMarks === row?.marks
  const marks = (row?.marks ?? 0) + 1
  const counted = { ...anew, marks, ...(isCaptured && { capturedMarks: marks }) }
  if (row) tx.patch(syncOffer, row.id, counted)
  else tx.insert(syncOffer, { ...counted, configurationId, reservationId, since: tx.now })
}

/** Says of a reservation that the PMS knows whether it has something that is not known to be there. */
export function keepPending(tx: Transaction, sharing: Sharing, pending: boolean): void {
  const record = recordOf(tx, sharing.reservationId)
  if (!record || (record.pending ?? false) === pending) return
  keepRecord(tx, sharing, record, { pending }, { hasConflicts: hasOpenConflicts(tx, sharing.reservationId) })
}

/** The longest that an offer is put off, in milliseconds. */
export const longestWaitMs = 60_000

/** Milliseconds for which an offer is put off after so many answers that did not settle it. */
export function waitMs(attempts: number): number {
  return Math.min(longestWaitMs, 1_000 * 2 ** Math.min(attempts, 10))
}

/** Puts an offer off, for longer each time. */
export function putOff(tx: Transaction, { id, attempts }: SyncOffer): void {
  tx.patch(syncOffer, id, { attempts: attempts + 1, notBefore: tx.now + waitMs(attempts + 1) })
}

/** The offers that the PMS has refused, at most `most`, the oldest first. */
export function refusedOffers(tx: Transaction, configurationId: string, most: number): SyncOffer[] {
  return tx.select(
    syncOffer,
    [
      { path: 'configurationId', operator: 'eq', value: configurationId },
      { path: 'refused', operator: 'notnull', value: null },
    ],
    [],
    most,
  )
}
