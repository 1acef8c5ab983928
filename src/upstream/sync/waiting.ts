import type { Transaction } from '../../resource/change.ts'
import { type SyncRecord, syncRecord } from '../resources/sync-record.ts'
import { settleConflicts } from './conflicts.ts'
import { differingFrom, houseView } from './house-view.ts'
import { keepReservation } from './keep-reservation.ts'
import { snapshot } from './snapshot.ts'
import type { SyncParts } from './sync-changes.ts'
import { hasOpenConflicts, keepRecord } from './sync-state.ts'

/** Reservations that are looked at when units become free; and how often what they let go of is given on. */
const mostWaiting = 200
const mostRounds = 20

/** Gives those who have been given units there, and could not have them here, what has become free. */
export function serveWaiting(
  tx: Transaction,
  configurationId: string,
  loosened: readonly string[],
  parts: SyncParts,
): void {
  let free = [...new Set(loosened)]
  for (let round = 0; round < mostRounds && free.length > 0; round++) {
    if (tx.count('SELECT count(*) FROM sync_record WHERE waitsFor IS NOT NULL') === 0) return
    const waiting = tx.select(
      syncRecord,
      [
        { path: 'waitsFor', operator: 'notnull', value: null },
        { path: 'integrationId', operator: 'eq', value: configurationId },
      ],
      [],
      mostWaiting,
    )
    const served = waiting.filter(({ waitsFor }) => waitsFor?.some((name) => free.includes(name)))
    free = served.flatMap((record) => serve(tx, record, parts))
  }
}

/** What it has let go of. */
function serve(tx: Transaction, record: SyncRecord, parts: SyncParts): string[] {
  const { integrationId: configurationId, reservationId, differing } = record
  const sharing = { configurationId, reservationId }
  const here = snapshot(tx, reservationId)
  if (!here) return []
  const result = houseView(here, differing)
  const input = { ...sharing, local: here, view: here, result, ended: [] }
  const kept = keepReservation(tx, input, parts.followers)
  const after = snapshot(tx, reservationId)!
  const waitsFor = kept.waitsFor.length > 0 ? [...new Set(kept.waitsFor)] : null
  if (!waitsFor) settleConflicts(tx, reservationId, ['unit-taken'])
  const goneStays = differing?.goneStays ?? []
  keepRecord(
    tx,
    sharing,
    record,
    { differing: differingFrom(result, after, { offered: kept.offered, goneStays }), waitsFor },
    { hasConflicts: hasOpenConflicts(tx, reservationId), isShown: false },
  )
  if (kept.offered.length > 0) parts.offer(tx, sharing)
  return kept.loosened
}
