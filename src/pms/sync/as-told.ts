import type { Transaction } from '../../resource/command.ts'
import { syncConflict } from '../resources/sync-conflict.ts'
import type { SyncRecord } from '../resources/sync-record.ts'
import { resolve } from './conflicts.ts'
import { houseView } from './house-view.ts'
import { differences, same } from './same.ts'
import type { SharedStay } from './shared-reservation.ts'
import { snapshot } from './snapshot.ts'
import { hasOpenConflicts, keepRecord } from './sync-state.ts'

/** Where the units of a stay are written, by ids. */
export const unitsOf = (stayId: string) => `/stays/${stayId}/units`

/** A stay has the units that its PMS gave it: what was kept otherwise, waited for, or not agreed on about them is over. */
export function standsAsTold(tx: Transaction, record: SyncRecord, stayId: string): void {
  const { integrationId: configurationId, reservationId, differing, waitsFor } = record
  const here = snapshot(tx, reservationId)
  const units = here?.stays.find(({ localId }) => localId === stayId)?.units ?? []
  endConflicts(tx, record, stayId, units)
  const { [unitsOf(stayId)]: _, ...members } = differing?.members ?? {}
  const goneStays = differing?.goneStays ?? []
  const isLeft = Object.keys(members).length > 0 || goneStays.length > 0
  const left = isLeft ? { members, goneStays } : null
  const waited = (waitsFor ?? []).filter((name) => !units.some(({ unitName }) => unitName === name))
  const agrees =
    here &&
    record.base &&
    differences(record.base, houseView(here, left)).every(({ pointer }) => pointer === '/payments')
  keepRecord(
    tx,
    { configurationId, reservationId },
    record,
    {
      differing: left,
      waitsFor: waited.length > 0 ? waited : null,
      ...(agrees && { pending: false }),
    },
    { hasConflicts: hasOpenConflicts(tx, reservationId) },
  )
}

/** Also what somebody had decided for the house, where it is about these units: it was decided anew. */
function endConflicts(
  tx: Transaction,
  { reservationId }: SyncRecord,
  stayId: string,
  units: NonNullable<SharedStay['units']>,
): void {
  const found = tx.select(syncConflict, [
    { path: 'reservationId', operator: 'eq', value: reservationId },
    { path: 'stayId', operator: 'eq', value: stayId },
    { path: 'fieldGroup', operator: 'eq', value: 'units' },
  ])
  for (const each of found) {
    const isAboutThem = same(each.upstream?.[unitsOf(stayId)], units)
    if (each.state !== 'open' && !(each.state === 'accepted' && isAboutThem)) continue
    resolve(tx, each, isAboutThem && each.counts === 'Local' ? 'reversed' : 'settled')
  }
}
