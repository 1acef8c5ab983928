import { localDate } from '../host/zone.ts'
import { change, type Document, type Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { type Candidate, chooseUnit, noEligibleUnit } from './assignment.ts'
import { refreshReservation } from './refresh-reservation.ts'
import { reservation } from './resources/reservation.ts'
import { settingsIn } from './resources/settings.ts'
import { type Stay, stay } from './resources/stay.ts'
import { unit } from './resources/unit.ts'
import { unitType } from './resources/unit-type.ts'
import type { StayStatus } from './status.ts'
import { stayOf } from './stay-changes.ts'
import { rangeOf, type StayDraft } from './stay-rules.ts'
import { overlappingStays } from './unit-occupancy.ts'
import type { UnitStatus } from './unit-status.ts'

export interface AssignmentHints {
  preferredUnitId?: string | undefined
  /** Passed on to an integration; the built-in one has no use for it. */
  notes?: string | undefined
}

const assignable: readonly StayStatus[] = ['Tentative', 'Waitlisted', 'Confirmed', 'InHouse']

/** POST unit-assignment of one stay. A stay that has its units is answered as it is. */
export const assignStay = change(
  'assign-unit',
  (tx, input: { reservationId: string; stayId: string } & AssignmentHints): Document => {
    const row = stayOf(tx, input.reservationId, input.stayId)
    const { refusal } = assign(tx, row, input)
    if (refusal) {
      tx.journal('stay.unit-assignment-failed', `stays/${row.id}`, { code: refusal.code })
      throw refusal
    }
    return tx.document(stay, row.id)
  },
)

/** POST unit-assignments of a reservation: what can be assigned is, the rest is answered without a unit. */
export const assignReservation = change(
  'assign-units',
  (
    tx,
    input: { reservationId: string; hints: Record<string, AssignmentHints> },
  ): {
    document: Document
    assigned: string[]
    unassigned: { stayId: string; code: string; detail: string }[]
  } => {
    const { id } = tx.find(reservation, input.reservationId)
    const stays = tx.select(stay, [{ path: 'reservationId', operator: 'eq', value: id }]) as Stay[]
    const open = stays.filter((row) => assignable.includes(row.status as StayStatus))
    const assigned: string[] = []
    const unassigned: { stayId: string; code: string; detail: string }[] = []
    for (const row of open) {
      const { refusal } = assign(tx, row, input.hints[row.id] ?? {})
      if (refusal) unassigned.push({ stayId: row.id, code: refusal.code, detail: refusal.message })
      else assigned.push(row.id)
    }
    return { document: tx.document(reservation, id), assigned, unassigned }
  },
)

/** Gives each place of the stay that has no unit the best one. All of them, or none. */
function assign(tx: Transaction, row: Stay, hints: AssignmentHints): { refusal: Problem | null } {
  if (row.units.every(({ unitId }) => unitId)) return { refusal: null }
  if (!assignable.includes(row.status as StayStatus)) {
    return { refusal: new Problem('stay-status-transition', `A stay that is ${row.status} gets no unit.`) }
  }
  const { timeZone, assignableStatuses } = settingsIn(tx)
  const today = localDate(tx.now, timeZone)
  const taken = row.units.flatMap(({ unitId }) => (unitId ? [unitId] : []))
  const units = []
  for (const { unitTypeId, unitId } of row.units) {
    if (unitId) {
      units.push({ unitTypeId, unitId })
      continue
    }
    const choice = chooseUnit({
      stay: {
        startDate: row.startDate,
        unitTypeId,
        preferredUnitId: hints.preferredUnitId ?? null,
        amenities: tx.find(unitType, unitTypeId).amenities ?? [],
      },
      today,
      assignableStatuses: (assignableStatuses ?? []) as UnitStatus[],
      units: candidates(tx, row, unitTypeId).filter(({ id }) => !taken.includes(id)),
    })
    if (!('unit' in choice)) return { refusal: noEligibleUnit(choice) }
    taken.push(choice.unit.id)
    units.push({ unitTypeId, unitId: choice.unit.id })
  }
  tx.patch(stay, row.id, { units })
  refreshReservation(tx, row.reservationId)
  for (const { unitId } of units) tx.journal('stay.unit-assigned', `stays/${row.id}`, { unitId })
  return { refusal: null }
}

function candidates(tx: Transaction, row: Stay, unitTypeId: string): Candidate[] {
  const units = tx.select(unit, [{ path: 'unitTypeId', operator: 'eq', value: unitTypeId }])
  const range = rangeOf(row as unknown as StayDraft)
  return units.map((each) => ({
    id: each.id,
    name: each.name,
    unitTypeId,
    status: (each.status ?? 'Dirty') as UnitStatus,
    priority: each.priority ?? null,
    idleSince: each.idleSince ?? null,
    amenities: each.amenities ?? [],
    overlapping: overlappingStays(tx, each.id, range, row.id) > 0,
    occupiedUntil: each.occupied ? leavesAt(tx, each.id) : null,
  }))
}

/** When the guest who is in the unit now is expected to leave. */
function leavesAt(tx: Transaction, unitId: string): number | null {
  const until = tx.count(
    `SELECT max(stay.plannedEndsAt) FROM stay_unit JOIN stay ON stay.rid = stay_unit.owner
     WHERE stay_unit.unitId = (SELECT rid FROM unit WHERE id = unhex(replace(?, '-', ''))) AND stay.status = 'InHouse'`,
    unitId,
  )
  return until === 0 ? null : until
}
