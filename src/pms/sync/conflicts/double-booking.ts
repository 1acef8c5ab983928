import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { refreshReservation } from '../../../reservation/stays/refresh-reservation.ts'
import { deskPolicy, type StayPorts } from '../../../reservation/stays/stay-policy.ts'
import { writeStay } from '../../../reservation/stays/write-stay.ts'
import {
  type DoubleBookedUnit,
  doubleBooked,
  isDoubleBooked,
} from '../../../reservation/units/unit-occupancy.ts'
import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Owner } from '../../resources/conflict-policy.ts'
import { type SyncConflict, syncConflict } from '../../resources/sync-conflict.ts'
import { codesIn } from '../inbound/codes.ts'
import { isLocked, placesOf } from '../inbound/keep-stay.ts'
import type { Disagreement } from '../merge/merge-members.ts'
import { markForOffer } from '../outbound/outbox.ts'
import type { SharedStay } from '../shared-reservation.ts'
import { recordOf, refreshState } from '../sync-state.ts'
import { resolve } from './conflicts.ts'

// A PMS may report one unit for two stays at the same time, for example in the middle of a swap. Both are stored. Until one of
// them has another unit or a person decides, neither guest can check in and no key is made for them.

type Units = NonNullable<SharedStay['units']>

/** Where the units of a stay are in what both sides have said. */
export const unitsAt = (stayId: string) => `/stays/${stayId}/units`

/**
 * Returns a conflict for each of these stays that has a unit of another stay at the same time, unless the conflict of one of
 * both is open already. `before` are the stays as they were.
 */
export function doubleBookings(
  tx: Transaction,
  placed: readonly { stayId: string; units: Units }[],
  before: readonly SharedStay[],
): Disagreement[] {
  return placed.flatMap(({ stayId, units }): Disagreement[] => {
    if (!units.some(({ unitName }) => unitName)) return []
    const [other] = doubleBooked(tx, stayId, 1)
    if (!other || tx.rows(syncConflict, `${isOpen} AND stayId IN (?, ?)`, stayId, other.stayId).length > 0)
      return []
    const had = before.find(({ localId }) => localId === stayId)?.units ?? null
    const said = { [unitsAt(stayId)]: { base: had, local: had, upstream: units } }
    return [
      {
        stayId,
        group: 'units',
        said,
        counts: isInUse(tx, other) ? 'Local' : 'Pms',
        reason: 'double-booked',
        other: other.reservationId,
      },
    ]
  })
}

/** A guest in house and a key that is out outweigh a report. */
function isInUse(tx: Transaction, { stayId, unitId, status }: DoubleBookedUnit): boolean {
  return status === 'InHouse' || isLocked(tx.find(stay, stayId), unitId)
}

const isOpen = "state = 'open' AND reason = 'double-booked'"
const isOver = `${isOpen} AND NOT ${isDoubleBooked('sync_conflict.stayId')}`

/** Settles the conflicts of units that no other stay has any more. */
export function settleDoubleBookings(tx: Transaction): void {
  for (const conflict of tx.rows(syncConflict, isOver)) {
    resolve(tx, conflict, 'settled')
    refreshState(tx, conflict.reservationId)
  }
}

/** The open conflicts of other reservations that have a unit of this one. */
export function rivalsOf(tx: Transaction, reservationId: string): SyncConflict[] {
  return tx
    .rows(syncConflict, isOpen)
    .filter(
      (each) =>
        each.reservationId !== reservationId &&
        doubleBooked(tx, each.stayId!).some((other) => other.reservationId === reservationId),
    )
}

/**
 * Carries out a person's decision about a unit of two stays. `Pms`: the stay of the conflict keeps it, and the other one loses
 * it. `Local`: the stay of the conflict has the units that it had before, if they are free; otherwise none. Throws
 * unit-occupied where a guest in house would lose the unit.
 */
export function decideDoubleBooking(
  tx: Transaction,
  { stayId, reservationId, configurationId, local }: SyncConflict,
  side: Owner,
  ports: StayPorts,
): void {
  const sharing = doubleBooked(tx, stayId!)
  const policy = deskPolicy(ports)
  const write = (row: Stay, units: Stay['units']) => {
    refuseInHouse(row)
    writeStay(tx, { reservationId: row.reservationId, before: row, input: { units } }, policy)
    refreshReservation(tx, row.reservationId)
    if (recordOf(tx, row.reservationId)?.integrationId === configurationId)
      markForOffer(tx, { configurationId, reservationId: row.reservationId })
  }
  if (side === 'Pms') {
    for (const other of sharing) {
      const row = tx.find(stay, other.stayId)
      write(row, without(row, [other]))
    }
  } else {
    const row = tx.find(stay, stayId!)
    write(row, without(row, sharing))
    const had = local?.[unitsAt(stayId!)] as Units | null
    takeBack(tx, reservationId, stayId!, had, ports)
  }
  settleDoubleBookings(tx)
}

function refuseInHouse({ status }: Stay): void {
  if (status !== 'InHouse') return
  throw new Problem('unit-occupied', 'The guest in house has the unit. Move that guest first.')
}

function without({ units }: Stay, lost: readonly DoubleBookedUnit[]): Stay['units'] {
  return units.map((place) =>
    lost.some(({ unitId }) => unitId === place.unitId) ? { unitTypeId: place.unitTypeId } : place,
  ) as Stay['units']
}

/** The units that the stay had before the PMS reported others. */
function takeBack(
  tx: Transaction,
  reservationId: string,
  stayId: string,
  had: Units | null,
  ports: StayPorts,
): void {
  if (!had?.some(({ unitName }) => unitName)) return
  const units = placesOf(codesIn(tx), had, '')
  // Without them it has none.
  tx.attempt((part) => {
    const before = part.find(stay, stayId)
    writeStay(part, { reservationId, before, input: { units } }, deskPolicy(ports))
    refreshReservation(part, reservationId)
  })
}
