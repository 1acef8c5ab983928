import { unitsFollow } from '../../reservation/property/unit-effects.ts'
import type { Stay } from '../../reservation/resources/stay.ts'
import { unit } from '../../reservation/resources/unit.ts'
import { asReported } from '../../reservation/stays/stay-policy.ts'
import { releaseUnits, saveStay } from '../../reservation/stays/write-stay.ts'
import type { Transaction } from '../../resource/command.ts'
import type { SyncRecord } from '../resources/sync-record.ts'
import { standsAsTold, unitsOf } from './as-told.ts'
import { codesIn } from './codes.ts'
import { openConflicts } from './conflicts.ts'
import type { SharedStay } from './shared-reservation.ts'
import { recordOf } from './sync-state.ts'
import { holdersOf } from './unit-holders.ts'

/** A guest in house, and the unit that the PMS has given him instead of the one he has. */
interface Moving {
  row: Stay
  record: SyncRecord
  unitId: string
  unitTypeId: string
}

const mostInRing = 20

/**
 * Those in house who are in each other's way, when one stay is to have a unit: each was moved by the same PMS to the unit of
 * the next, and the last to that of the stay itself, or to one that is free. Null where anybody among them has not been
 * moved, or has a key of the unit he is in: then nobody moves.
 */
export function ringFor(
  tx: Transaction,
  configurationId: string,
  mover: Stay,
  unitId: string,
): Moving[] | null {
  const ring: Moving[] = []
  let [from, wanted] = [mover, unitId]
  while (ring.length < mostInRing) {
    const [holder, ...others] = holdersOf(tx, wanted, from)
    const isClosed = !holder || (holder.id === mover.id && others.length === 0)
    if (isClosed) return ring.length > 0 ? ring : null
    if (others.length > 0 || ring.some(({ row }) => row.id === holder.id)) return null
    const next = movingOf(tx, configurationId, holder)
    if (!next) return null
    ring.push(next)
    from = holder
    wanted = next.unitId
  }
  return null
}

function movingOf(tx: Transaction, configurationId: string, row: Stay): Moving | null {
  const [place, ...further] = row.units
  const isLocked = (place as { locked?: boolean } | undefined)?.locked === true
  if (row.status !== 'InHouse' || !place?.unitId || further.length > 0 || isLocked) return null
  const record = recordOf(tx, row.reservationId)
  if (record?.integrationId !== configurationId) return null
  const [told, ...more] = toldUnits(tx, record, row.id)
  const found = told?.unitName && more.length === 0 ? codesIn(tx).unit(told.unitName) : null
  if (!found?.unitTypeId || found.id === place.unitId || isBlocked(tx, found.id)) return null
  return { row, record, unitId: found.id, unitTypeId: found.unitTypeId }
}

/** What the PMS gave and the stay has not: because it waits for that, or because a key was out when it was told. */
function toldUnits(
  tx: Transaction,
  { differing, reservationId }: SyncRecord,
  stayId: string,
): NonNullable<SharedStay['units']> {
  const kept = openConflicts(tx, reservationId).find(
    (each) => each.stayId === stayId && each.reason === 'key-is-out',
  )
  const told = differing?.members[unitsOf(stayId)]?.told ?? kept?.upstream?.[unitsOf(stayId)]
  return (told as SharedStay['units']) ?? []
}

function isBlocked(tx: Transaction, unitId: string): boolean {
  return (tx.find(unit, unitId).blocks ?? []).length > 0
}

/** Moves all of a ring at once, and has the stay that began it let go of what it has: it is about to be given its unit. */
export function moveRound(tx: Transaction, mover: Stay, ring: readonly Moving[]): void {
  const freed = [mover, ...ring.map(({ row }) => row)].map((row) => releaseUnits(tx, row, asReported))
  for (const [index, { row, record, unitId, unitTypeId }] of ring.entries()) {
    const units = [{ unitTypeId, unitId }]
    unitsFollow(tx, row, saveStay(tx, freed[index + 1]!, { units }, asReported))
    standsAsTold(tx, record, row.id)
  }
}
