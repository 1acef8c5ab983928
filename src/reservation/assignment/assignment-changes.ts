import { command, type Document, type Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { refreshReservation } from '../reservations/refresh-reservation.ts'
import { reservation } from '../resources/reservation.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { stayOf, staysOf } from '../stays/find-stays.ts'
import { isLive } from '../stays/status.ts'
import { assignmentPolicy, type StayPorts, writeStay } from '../stays/write-stay.ts'
import { chooseUnits } from './choose-units.ts'
import type { GivenUnits, Picks, ReadPick } from './unit-picker.ts'

export interface AssignmentHints {
  preferredUnitId?: string | undefined
  /** Passed on to an integration; the built-in one has no use for it. */
  notes?: string | undefined
}

/** Why a stay got no unit; the members of a Problem, as plain values. */
export interface Unassigned {
  stayId: string
  code: string
  detail: string
  meta: Record<string, unknown>
}

export interface Assignment {
  document: Document
  /** The stays that have their units now. */
  assigned: string[]
  unassigned: Unassigned[]
}

/** The commands that give units to stays. `readPick` reads what somebody else has picked. */
export function assignmentChanges(ports: StayPorts, readPick: ReadPick) {
  /** POST unit-assignment of one stay. A stay that has its units is answered as it is. */
  const assignStay = command(
    'assign-unit',
    (tx, input: { reservationId: string; stayId: string; picks: Picks } & AssignmentHints): Assignment => {
      const row = stayOf(tx, input)
      const outcome = assignAll(tx, [row], { [row.id]: input }, input.picks)
      return { document: tx.document(stay, row.id), ...outcome }
    },
    { isDone: ({ unassigned }) => unassigned.length === 0 },
  )

  /** POST unit-assignments of a reservation: what can be assigned is, the rest is answered without a unit. */
  const assignReservation = command(
    'assign-units',
    (
      tx,
      input: { reservationId: string; hints: Record<string, AssignmentHints>; picks: Picks },
    ): Assignment => {
      const { id } = tx.find(reservation, input.reservationId)
      const live = staysOf(tx, id).filter(({ status }) => isLive(status))
      const outcome = assignAll(tx, live, input.hints, input.picks)
      return { document: tx.document(reservation, id), ...outcome }
    },
  )

  function assignAll(
    tx: Transaction,
    stays: readonly Stay[],
    hints: Record<string, AssignmentHints>,
    picks: Picks,
  ) {
    const outcome: Omit<Assignment, 'document'> = { assigned: [], unassigned: [] }
    for (const row of stays) {
      const refused = assign(tx, row, hints[row.id] ?? {}, picks)
      if (!refused) outcome.assigned.push(row.id)
      else {
        // What an integration says in its own words may name a guest, and the journal does not forget.
        const { integrationReason: _, ...meta } = refused.meta
        tx.journal('stay.unit-assignment-failed', `stays/${row.id}`, { code: refused.code, ...meta })
        outcome.unassigned.push(refused)
      }
    }
    return outcome
  }

  /** Gives each place of the stay that has no unit one. All of them, or none. */
  function assign(tx: Transaction, row: Stay, hints: AssignmentHints, picks: Picks): Unassigned | null {
    if (row.units.every(({ unitId }) => unitId)) return null
    if (!isLive(row.status)) {
      const detail = `A stay that is ${row.status} gets no unit.`
      return { stayId: row.id, code: 'stay-status-transition', detail, meta: { status: row.status } }
    }
    const given = picks ? readPick(tx, row, picks[row.id], hints) : bestUnits(tx, row, hints)
    if (given instanceof Problem) {
      return { stayId: row.id, code: given.code, detail: given.message, meta: given.options.meta ?? {} }
    }
    const { reservationId } = row
    writeStay(tx, { reservationId, before: row, input: given }, assignmentPolicy(ports))
    refreshReservation(tx, reservationId)
    return null
  }

  return { assignStay, assignReservation, all: [assignStay, assignReservation] }
}

export type AssignmentChanges = ReturnType<typeof assignmentChanges>

function bestUnits(tx: Transaction, row: Stay, hints: AssignmentHints): GivenUnits | Problem {
  const units = chooseUnits(tx, row, hints)
  return units instanceof Problem ? units : { units }
}
