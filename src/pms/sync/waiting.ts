import type { Transaction } from '../../resource/command.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import { type SyncRecord, syncRecord } from '../resources/sync-record.ts'
import { settleConflicts } from './conflicts.ts'
import { differingFrom, houseView } from './house-view.ts'
import { keepReservation } from './keep-reservation.ts'
import { differences } from './same.ts'
import { snapshot } from './snapshot.ts'
import type { SyncParts } from './sync-changes.ts'
import { hasOpenConflicts, keepRecord } from './sync-state.ts'

/** Reservations that are looked at when units become free, and how many of them are served at once. */
const mostWaiting = 1_000
const mostServed = 50

/** Looks at everybody who waits, as the house has done something that may have freed a unit. */
export function serveAllWaiting(tx: Transaction, configurationId: string, parts: SyncParts): void {
  const names = waitingIn(tx, configurationId).flatMap(({ waitsFor }) => waitsFor ?? [])
  serveWaiting(tx, configurationId, names, parts)
}

/** Gives those who have been given units there, and could not have them here, what has become free. */
export function serveWaiting(
  tx: Transaction,
  configurationId: string,
  loosened: readonly string[],
  parts: SyncParts,
): void {
  let free = [...new Set(loosened)]
  for (let served = 0; served < mostServed && free.length > 0; served++) {
    const next = nextFor(tx, configurationId, free)
    if (!next) return
    free = [...new Set([...free.filter((name) => name !== next.name), ...serve(tx, next.record, parts)])]
  }
}

/** Who waits longest for one of the units, and could have it at the time of his stay. */
function nextFor(
  tx: Transaction,
  integrationId: string,
  free: readonly string[],
): { record: SyncRecord; name: string } | null {
  for (const record of waitingIn(tx, integrationId)) {
    const name = record.waitsFor?.find((each) => free.includes(each) && isFree(tx, record, each))
    if (name !== undefined) return { record, name }
  }
  return null
}

/** Reservations of a PMS that wait for units. */
export function waitingIn(tx: Transaction, integrationId: string): SyncRecord[] {
  if (tx.count('SELECT count(*) FROM sync_record WHERE waitsFor IS NOT NULL') === 0) return []
  return tx.select(
    syncRecord,
    [
      { path: 'waitsFor', operator: 'notnull', value: null },
      { path: 'integrationId', operator: 'eq', value: integrationId },
    ],
    [],
    mostWaiting,
  )
}

function isFree(tx: Transaction, { reservationId }: SyncRecord, unitName: string): boolean {
  return tx.count(couldHave, reservationId, unitName) > 0
}

const couldHave = `SELECT count(*) FROM stay AS mine
  WHERE mine.reservationId = ${ridOf('reservation')}
    AND NOT EXISTS (SELECT 1 FROM stay_held_unit AS held JOIN stay AS other ON other.rid = held.owner
      WHERE held.unitId = (SELECT rid FROM unit WHERE name = ?) AND other.rid <> mine.rid
        AND other.plannedStartsAt < mine.plannedEndsAt AND other.plannedEndsAt > mine.plannedStartsAt)`

/** What it has let go of. */
function serve(tx: Transaction, record: SyncRecord, parts: SyncParts): string[] {
  const { integrationId: configurationId, reservationId, differing } = record
  const sharing = { configurationId, reservationId }
  const here = snapshot(tx, reservationId)
  if (!here) return []
  const result = houseView(here, differing)
  const input = { ...sharing, local: here, view: here, result, ended: [] }
  const kept = keepReservation(tx, input, parts.ports)
  const after = snapshot(tx, reservationId)!
  // A unit that its guest has not left in time is free for nobody yet.
  const waitsOn = kept.waitsFor.length > 0 && kept.offered.length === 0
  if (waitsOn && differences(here, after).length === 0) return []
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
