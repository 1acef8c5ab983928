import type { Transaction } from '../../resource/command.ts'
import type { Problem } from '../../resource/problem.ts'
import { momentIn } from '../availability/availability-moment.ts'
import { heldUnits } from '../availability/free-units.ts'
import { settingsIn } from '../resources/settings.ts'
import type { Stay } from '../resources/stay.ts'
import { unit } from '../resources/unit.ts'
import { unitType } from '../resources/unit-type.ts'
import { datesHeld } from '../stays/stay-dates.ts'
import { rangeOf } from '../stays/stay-draft.ts'
import { type Candidate, chooseUnit, noEligibleUnit } from './assignment.ts'
import type { AssignmentHints } from './assignment-changes.ts'
import { blockOn } from './unit-block.ts'
import { leavesAt } from './unit-occupancy.ts'

/**
 * The stay's places, each with a unit; or what kept the first empty one from getting one. `mayGive` leaves out units that
 * are not there to be given.
 */
export function chooseUnits(
  tx: Transaction,
  row: Stay,
  hints: AssignmentHints,
  mayGive: (unit: Candidate) => boolean = () => true,
): Stay['units'] | Problem {
  const { assignableStatuses } = settingsIn(tx)
  const preferredUnitId = hints.preferredUnitId?.toLowerCase() ?? null
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
export function candidates(
  tx: Transaction,
  row: Stay,
  unitTypeId: string,
  taken: readonly string[],
): Candidate[] {
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
