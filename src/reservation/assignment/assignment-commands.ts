import { command, type Document, type Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { momentIn } from '../resources/house.ts'
import { reservation } from '../resources/reservation.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { stayOf, staysOf } from '../stays/find-stays.ts'
import { refreshReservation } from '../stays/refresh-reservation.ts'
import { isLive } from '../stays/rules/status-rules.ts'
import { notFreeYet } from '../stays/rules/stay-guards.ts'
import { assignmentPolicy, type StayPorts } from '../stays/stay-policy.ts'
import { isExpected, isOver, stayIsOver } from '../stays/time-left.ts'
import { writeStay } from '../stays/write-stay.ts'
import { staysInHouse } from '../units/unit-occupancy.ts'
import { chooseUnits } from './choose-units.ts'
import { shareCommand } from './share-units.ts'
import type { AssignedUnits, AssignmentHints, Picks, ReadPick } from './unit-picker.ts'

/** Why a stay got no unit: the members of a Problem, as plain values. */
interface Unassigned {
  stayId: string
  code: string
  detail: string
  meta: Record<string, unknown>
}

/** Who asks for an assignment. */
interface Asked {
  /** The caller may not set a later departure, as a kiosk: a stay that is over gets no unit, before its guest is charged. */
  atKiosk: boolean
}

/** The result of an assignment. `document` is the stay or the reservation after it. */
export interface Assignment {
  document: Document
  /** The ids of the stays that now have all their units. */
  assigned: string[]
  unassigned: Unassigned[]
}

interface Assigner {
  ports: StayPorts
  /** Validates the units that an integration picked for a stay. */
  readPick: ReadPick
}

/** The commands that assign units to stays. `readPick` validates the units that an integration picked for a stay. */
export function assignmentCommands(ports: StayPorts, readPick: ReadPick) {
  const assigner = { ports, readPick }

  /** POST unit-assignment of one stay. A stay that already has all its units is returned unchanged. */
  const assignStay = command(
    'assign-unit',
    (
      tx,
      input: { reservationId: string; stayId: string; picks: Picks } & Asked & AssignmentHints,
    ): Assignment => {
      const row = stayOf(tx, input)
      const outcome = assignAll(tx, assigner, [row], { ...input, hints: { [row.id]: input } })
      return { document: tx.document(stay, row.id), ...outcome }
    },
    { isDone: ({ unassigned }) => unassigned.length === 0 },
  )

  /**
   * POST unit-assignments of a reservation. Stays that cannot be assigned are listed in `unassigned`; the others are
   * assigned.
   */
  const assignReservation = command(
    'assign-units',
    (
      tx,
      input: { reservationId: string; hints: Record<string, AssignmentHints>; picks: Picks } & Asked,
    ): Assignment => {
      const { id } = tx.find(reservation, input.reservationId)
      const live = staysOf(tx, id).filter(({ status }) => isLive(status))
      const outcome = assignAll(tx, assigner, live, input)
      return { document: tx.document(reservation, id), ...outcome }
    },
  )

  const shareUnits = shareCommand(ports)
  return { assignStay, assignReservation, shareUnits, all: [assignStay, assignReservation, shareUnits] }
}

export type AssignmentCommands = ReturnType<typeof assignmentCommands>

/** Assigns units to each of the stays. Journals those that get none. */
function assignAll(
  tx: Transaction,
  assigner: Assigner,
  stays: readonly Stay[],
  { hints, picks, atKiosk }: { hints: Record<string, AssignmentHints>; picks: Picks } & Asked,
) {
  const outcome: Omit<Assignment, 'document'> = { assigned: [], unassigned: [] }
  for (const row of stays) {
    const refused =
      (atKiosk && refusalOf(tx, row)) ||
      assign(tx, assigner, row, { hints: hints[row.id] ?? {}, picks, atKiosk })
    if (!refused) outcome.assigned.push(row.id)
    else {
      // The free text of an integration can contain a guest's name, and journal entries are never erased.
      const { integrationReason: _, ...meta } = refused.meta
      const { revision } = row
      tx.journal('stay.unit-assignment-failed', `stays/${row.id}`, { revision, code: refused.code, ...meta })
      outcome.unassigned.push(refused)
    }
  }
  return outcome
}

/** Why a kiosk gets no unit for a stay, even one that was assigned before; null when it may. */
function refusalOf(tx: Transaction, row: Stay): Unassigned | null {
  return isExpected(row.status) && isOver(row, tx.now) ? unassigned(row, stayIsOver()) : null
}

function unassigned({ id }: Stay, { code, message, options }: Problem): Unassigned {
  return { stayId: id, code, detail: message, meta: options.meta ?? {} }
}

/**
 * Assigns every unit of the stay that is not assigned yet, or none if one cannot be assigned. A guest who arrives at a kiosk gets
 * another unit in place of one in which a guest is still in house, unless a key of that one was made, or is refused before the payment.
 */
function assign(
  tx: Transaction,
  { ports, readPick }: Assigner,
  row: Stay,
  { hints, picks, atKiosk }: { hints: AssignmentHints; picks: Picks } & Asked,
): Unassigned | null {
  const free = atKiosk ? withoutUnitsInUse(tx, row) : row
  if (free.units.every(({ unitId }) => unitId)) return null
  if (!isLive(row.status)) {
    const detail = `The stay is ${row.status}, so it cannot get a unit.`
    return { stayId: row.id, code: 'stay-status-transition', detail, meta: { status: row.status } }
  }
  const isMove = free !== row
  // A PMS that assigns the units was not asked for a unit in place of another one, and a key would open the former unit.
  const mayMove = !picks && row.units.every((each, at) => !each.locked || free.units[at]?.unitId)
  if (isMove && !mayMove) return unassigned(row, notFree())
  const units = picks ? readPick(tx, row, picks[row.id], hints) : bestUnits(tx, free, hints)
  if (units instanceof Problem) return unassigned(row, isMove ? notFree() : units)
  const { reservationId } = row
  writeStay(tx, { reservationId, before: row, input: units }, assignmentPolicy(ports))
  refreshReservation(tx, reservationId)
  return null
}

/** The stay of a guest who arrives, without those of its units in which another guest is in house. */
function withoutUnitsInUse(tx: Transaction, row: Stay): Stay {
  if (!isExpected(row.status) || row.startDate > momentIn(tx).today) return row
  const isInUse = (unitId: string) => staysInHouse(tx, unitId, row).length > 0
  const units = row.units.map((each) =>
    each.unitId && isInUse(each.unitId) ? { ...each, unitId: null } : each,
  )
  return units.some((each, index) => each !== row.units[index]) ? { ...row, units } : row
}

function notFree(): Problem {
  return new Problem('unit-occupied', notFreeYet, { meta: { guard: 'alone-in-unit', guest: 'desk' } })
}

function bestUnits(tx: Transaction, row: Stay, hints: AssignmentHints): AssignedUnits | Problem {
  const units = chooseUnits(tx, row, hints)
  return units instanceof Problem ? units : { units }
}
