import { unitsFollow } from '../../reservation/property/unit-effects.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import { asReported } from '../../reservation/stays/stay-policy.ts'
import { saveStay } from '../../reservation/stays/write-stay.ts'
import type { Transaction } from '../../resource/command.ts'
import { type SyncRecord, syncRecord } from '../resources/sync-record.ts'
import { unitsOf } from './as-told.ts'
import { moveRound, ringFor } from './ring.ts'
import { snapshot } from './snapshot.ts'
import { recordOf } from './sync-state.ts'
import { holdersOf } from './unit-holders.ts'

/**
 * What becomes of a unit that a PMS gives a stay while others have it: `freed` for it, `awaited` because the PMS has to move
 * one of its own reservations yet, or somebody's who is none of the PMS's: `held`.
 */
type Taken = 'freed' | 'awaited' | 'held'

/**
 * Frees a unit of those who have been given another by the same PMS and only wait for that; those in house who were given each
 * other's units are moved all at once.
 */
export function freeForPms(
  tx: Transaction,
  configurationId: string,
  unitId: string,
  wanted: Pick<Stay, 'startDate' | 'endDate'> & Partial<Stay>,
): Taken {
  const holders = holdersOf(tx, unitId, wanted)
  const records = holders.map((holder) => recordOf(tx, holder.reservationId))
  if (holders.length === 0 || records.some((record) => record?.integrationId !== configurationId))
    return 'held'
  const waiting = holders.every((holder, index) => waits(records[index]!, holder, unitId))
  if (!waiting) return goRound(tx, configurationId, unitId, wanted) ? 'freed' : 'awaited'
  for (const [index, holder] of holders.entries()) letGo(tx, records[index]!, holder, unitId)
  return 'freed'
}

function goRound(
  tx: Transaction,
  configurationId: string,
  unitId: string,
  { id, startDate, startTime = null, endDate, endTime = null }: Parameters<typeof freeForPms>[3],
): boolean {
  const mover = id === undefined ? null : tx.find(stay, id)
  if (mover?.units.length !== 1) return false
  const ring = ringFor(tx, configurationId, { ...mover, startDate, startTime, endDate, endTime }, unitId)
  if (ring) moveRound(tx, mover, ring)
  return ring !== null
}

/** It was given another unit there, nobody is in this one, and no key of it is out. */
function waits({ differing }: SyncRecord, { id, status, units }: Stay, unitId: string): boolean {
  const isFast = units.some((each) => each.unitId === unitId && (each as { locked?: boolean }).locked)
  return status !== 'InHouse' && !isFast && differing?.members[unitsOf(id)] !== undefined
}

function letGo(tx: Transaction, record: SyncRecord, before: Stay, unitId: string): void {
  const units = before.units.map((each) => ({
    unitTypeId: each.unitTypeId,
    unitId: each.unitId === unitId ? null : (each.unitId ?? null),
  }))
  unitsFollow(tx, before, saveStay(tx, before, { units }, asReported))
  const here = snapshot(tx, before.reservationId)?.stays.find(({ localId }) => localId === before.id)
  const { members, goneStays } = record.differing!
  const at = unitsOf(before.id)
  const differing = {
    goneStays,
    members: { ...members, [at]: { ...members[at]!, kept: here?.units ?? null } },
  }
  tx.patch(syncRecord, record.id, { differing })
}
