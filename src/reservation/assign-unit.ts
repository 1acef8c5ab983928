import { change, type Document, type Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { type Candidate, chooseUnit, noEligibleUnit } from './assignment.ts'
import { momentIn } from './availability-moment.ts'
import { datesInWords } from './dates-in-words.ts'
import { stayOf, staysOf } from './find-stays.ts'
import { heldUnits } from './free-units.ts'
import { leaseOf, notLent } from './lent-units.ts'
import { type Picked, type Picks, pickedUnits } from './picked-units.ts'
import { refreshReservation } from './refresh-reservation.ts'
import { reservation } from './resources/reservation.ts'
import { settingsIn } from './resources/settings.ts'
import { type Stay, stay } from './resources/stay.ts'
import { unit } from './resources/unit.ts'
import { unitType } from './resources/unit-type.ts'
import { isLive } from './status.ts'
import { datesHeld } from './stay-dates.ts'
import { rangeOf } from './stay-rules.ts'
import { blockOn } from './unit-block.ts'
import { settleUnits } from './unit-effects.ts'
import { leavesAt } from './unit-occupancy.ts'

export interface AssignmentHints {
  preferredUnitId?: string | undefined
  /** Passed on to an integration; the built-in one has no use for it. */
  notes?: string | undefined
}

/** Why a stay got no unit; the members of a Problem, as plain values. */
interface Unassigned {
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

/** POST unit-assignment of one stay. A stay that has its units is answered as it is. */
export const assignStay = change(
  'assign-unit',
  (tx, input: { reservationId: string; stayId: string; picks: Picks } & AssignmentHints): Assignment => {
    const row = stayOf(tx, input)
    const outcome = assignAll(tx, [row], { [row.id]: input }, input.picks)
    return { document: tx.document(stay, row.id), ...outcome }
  },
  { isDone: ({ unassigned }) => unassigned.length === 0 },
)

/** POST unit-assignments of a reservation: what can be assigned is, the rest is answered without a unit. */
export const assignReservation = change(
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

/** Gives each place of the stay that has no unit the best one. All of them, or none. */
function assign(tx: Transaction, row: Stay, hints: AssignmentHints, picks: Picks): Unassigned | null {
  if (row.units.every(({ unitId }) => unitId)) return null
  if (!isLive(row.status)) {
    const detail = `A stay that is ${row.status} gets no unit.`
    return { stayId: row.id, code: 'stay-status-transition', detail, meta: { status: row.status } }
  }
  const picked = picks?.[row.id]
  if (picked?.is === 'lent-only') return assignLent(tx, row, picked, hints)
  const chosen = picks
    ? pickedUnits(row, picked, (unitTypeId, taken) => candidates(tx, row, unitTypeId, taken))
    : chooseUnits(tx, row, preferredIn(hints))
  if (chosen instanceof Problem) return unassigned(row, chosen)
  give(tx, row, { units: chosen })
  return null
}

function unassigned({ id }: Stay, { code, message, options }: Problem): Unassigned {
  return { stayId: id, code, detail: message, meta: options.meta ?? {} }
}

function give(tx: Transaction, row: Stay, given: Partial<Stay>): void {
  settleUnits(tx, row, tx.patch(stay, row.id, given))
  refreshReservation(tx, row.reservationId)
}

function preferredIn({ preferredUnitId }: AssignmentHints): string | null {
  return preferredUnitId?.toLowerCase() ?? null
}

/** Gives each place the best of the units that the PMS has lent for all of the stay's nights. */
function assignLent(
  tx: Transaction,
  row: Stay,
  { configurationId, name, reason }: Extract<Picked, { is: 'lent-only' }>,
  hints: AssignmentHints,
): Unassigned | null {
  const nights = datesHeld(row)
  const leases = new Map<string, string>()
  const chosen = chooseUnits(tx, row, preferredIn(hints), (each) => {
    const leaseId = leaseOf(tx, configurationId, each.name, nights)
    if (leaseId !== null) leases.set(each.id, leaseId)
    return leaseId !== null
  })
  if (chosen instanceof Problem)
    return unassigned(row, notLent(withoutLease(tx, row, name, reason, leases.size)))
  const had = new Set(row.units.map(({ unitId }) => unitId))
  const lent = chosen.flatMap(({ unitId }) => {
    const leaseId = unitId && !had.has(unitId) ? leases.get(unitId) : undefined
    return unitId && leaseId ? [{ unitId, leaseId }] : []
  })
  give(tx, row, { units: chosen, lent: [...(row.lent ?? []), ...lent] })
  return null
}

/** `There is no line to Opera, and it has lent no Double for 1 to 3 July.` */
function withoutLease(tx: Transaction, row: Stay, pms: string, reason: string, lent: number): string {
  const first = row.units.find(({ unitId }) => !unitId)
  const what = first ? tx.find(unitType, first.unitTypeId).name : 'unit'
  const dates = datesInWords(row.startDate, row.endDate)
  if (lent === 0) return `${reason}, and it has lent no ${what} for ${dates}.`
  return `${reason}, and no ${what} that ${pms} has lent for ${dates} can be given.`
}

/**
 * The stay's places, each with a unit; or what kept the first empty one from getting one. `mayGive` leaves out units that
 * are not there to be given.
 */
function chooseUnits(
  tx: Transaction,
  row: Stay,
  preferredUnitId: string | null,
  mayGive: (unit: Candidate) => boolean = () => true,
): Stay['units'] | Problem {
  const { assignableStatuses } = settingsIn(tx)
  const taken = row.units.flatMap(({ unitId }) => (unitId ? [unitId] : []))
  const chosen: Stay['units'] = []
  for (const { unitTypeId, unitId } of row.units) {
    if (unitId) {
      chosen.push({ unitTypeId, unitId })
      continue
    }
    const { startDate } = row
    const amenities = tx.find(unitType, unitTypeId).amenities ?? []
    const choice = chooseUnit({
      stay: { startDate, unitTypeId, preferredUnitId, amenities },
      today: momentIn(tx).today,
      assignableStatuses: (assignableStatuses ?? []) as Candidate['status'][],
      units: candidates(tx, row, unitTypeId, taken).filter(mayGive),
    })
    if (!('unit' in choice)) return noEligibleUnit(choice)
    taken.push(choice.unit.id)
    chosen.push({ unitTypeId, unitId: choice.unit.id })
  }
  return chosen
}

/** Units of one type that are looked at. */
const mostUnits = 10_000

/** The units of the type; those that the stay itself has taken already count as held. */
function candidates(tx: Transaction, row: Stay, unitTypeId: string, taken: readonly string[]): Candidate[] {
  const units = tx.select(unit, [{ path: 'unitTypeId', operator: 'eq', value: unitTypeId }], [], mostUnits)
  const dates = datesHeld(row)
  const held = heldUnits(tx, unitTypeId, rangeOf(row), { except: row.id, moment: momentIn(tx) })
  return units.map((each) => ({
    id: each.id,
    name: each.name,
    unitTypeId,
    status: each.status ?? 'Dirty',
    priority: each.priority ?? null,
    idleSince: each.idleSince ?? null,
    amenities: each.amenities ?? [],
    blocked: blockOn(each.blocks, dates) !== undefined,
    overlapping: taken.includes(each.id) || held.has(each.id),
    occupiedUntil: each.occupied ? leavesAt(tx, each.id) : null,
  }))
}
