import { reservation } from '../../../reservation/resources/reservation.ts'
import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { writeReported } from '../../../reservation/stays/reported-stay.ts'
import type { StayPorts } from '../../../reservation/stays/stay-policy.ts'
import { staysInHouse } from '../../../reservation/units/unit-occupancy.ts'
import type { Transaction } from '../../../resource/command.ts'
import type { GuestMoved } from '../../contract.ts'
import { syncConflict } from '../../resources/sync-conflict.ts'
import type { SyncRecord } from '../../resources/sync-record.ts'
import { keepConflicts, resolve } from '../conflicts/conflicts.ts'
import { doubleBookings, settleDoubleBookings, unitsAt } from '../conflicts/double-booking.ts'
import { same } from '../merge/same.ts'
import { dropIntents, intentsOf } from '../outbound/intents.ts'
import type { SharedReservation, SharedStay } from '../shared-reservation.ts'
import { snapshot } from '../snapshot.ts'
import { hasOpenConflicts, keepRecord, recordOf, refreshState } from '../sync-state.ts'
import { codesIn } from './codes.ts'
import { isLocked, type Places, placesOf } from './keep-stay.ts'

export interface MoveGuestInput {
  configurationId: string
  /** The PMS's name for the stay. */
  stayId: string
  unitName: string
}

/**
 * Moves a guest to another unit now, whatever key of the former unit is out: the front desk of the PMS has ordered the new key. A
 * guest in house in it who has no key any more moves to the unit that the PMS has reported for that guest. `taken` while another
 * guest stays in it. A unit that a stay to come has too is a conflict. Throws the Problem of a unit that is blocked.
 */
export function moveGuest(tx: Transaction, input: MoveGuestInput, ports: StayPorts): GuestMoved {
  const found = codesIn(tx).unit(input.unitName)
  const row = inHouse(tx, input)
  if (!row || !found?.unitTypeId || row.units.length !== 1) return 'unknown'
  if (row.units[0]?.unitId === found.id) return 'there'
  const others = staysInHouse(tx, found.id, row).map((id) => {
    const other = tx.find(stay, id)
    return { row: other, units: reportedUnits(tx, other) }
  })
  for (const { row, units } of others)
    if (!units || idsIn(units).includes(found.id) || isLocked(row, found.id)) return 'taken'
  const units = [{ unitTypeId: found.unitTypeId, unitId: found.id }]
  const moved = [...others, { row, units }].map((each) => ({
    ...each,
    before: snapshot(tx, each.row.reservationId)!,
  }))
  for (const each of moved) takesUnits(tx, each.row, each.units!, ports)
  for (const each of moved) listDoubleBooking(tx, input.configurationId, each)
  settleDoubleBookings(tx)
  return 'moved'
}

function takesUnits(tx: Transaction, row: Stay, units: Places, ports: StayPorts): void {
  const { problem } = writeReported(tx, row, { units }, ports)
  if (problem) throw problem
  const record = recordOf(tx, row.reservationId)
  if (record) agreeOnUnits(tx, record, row.id)
}

function listDoubleBooking(
  tx: Transaction,
  configurationId: string,
  { row: { id: stayId, reservationId }, before }: { row: Stay; before: SharedReservation },
): void {
  const found = doubleBookings(tx, [{ stayId, units: unitsOf(tx, reservationId, stayId) }], before.stays)
  if (found.length === 0) return
  keepConflicts(tx, { configurationId, reservationId }, found, { before, changedAt: tx.now })
  refreshState(tx, reservationId)
}

/** The units of a stay by their names. */
function unitsOf(tx: Transaction, reservationId: string, stayId: string): NonNullable<SharedStay['units']> {
  return snapshot(tx, reservationId)?.stays.find(({ localId }) => localId === stayId)?.units ?? []
}

const idsIn = (units: Places) => units.flatMap(({ unitId }) => unitId ?? [])

/** The units that the PMS has reported last for a stay; null where it has reported none that are known here. */
function reportedUnits(tx: Transaction, { id, reservationId }: Stay): Places | null {
  const reported = recordOf(tx, reservationId)?.base?.stays.find(({ localId }) => localId === id)
  const units = reported?.units ? placesOf(codesIn(tx), reported.units, '') : []
  return units.length > 0 && units.every(({ unitId }) => unitId) ? units : null
}

function inHouse(tx: Transaction, { configurationId, stayId }: MoveGuestInput): Stay | null {
  const named = tx.select(stay, [{ path: 'externalId', operator: 'eq', value: stayId }], [], 10)
  const found = named.find(
    ({ status, reservationId }) =>
      status === 'InHouse' && tx.find(reservation, reservationId).integrationId === configurationId,
  )
  return found ?? null
}

/** A stay has the units that its PMS reported: conflicts and intents about them are settled. */
function agreeOnUnits(tx: Transaction, record: SyncRecord, stayId: string): void {
  const { integrationId: configurationId, reservationId } = record
  endConflicts(tx, record, stayId, unitsOf(tx, reservationId, stayId))
  dropIntents(tx, reservationId, [unitsAt(stayId)])
  const pending = intentsOf(tx, reservationId).length > 0
  keepRecord(
    tx,
    { configurationId, reservationId },
    record,
    { pending },
    { hasConflicts: hasOpenConflicts(tx, reservationId) },
  )
}

/** Also a decision for the appliance's value, where it is about these units: the PMS has decided anew. */
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
    const isAboutThem = same(each.upstream?.[unitsAt(stayId)], units)
    if (each.state !== 'open' && !(each.state === 'accepted' && isAboutThem)) continue
    resolve(tx, each, isAboutThem && each.counts === 'Local' ? 'reversed' : 'settled')
  }
}
