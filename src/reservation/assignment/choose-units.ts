import type { Transaction } from '../../resource/command.ts'
import type { Problem } from '../../resource/problem.ts'
import { momentIn, settingsIn } from '../property/house.ts'
import type { Stay } from '../resources/stay.ts'
import { unit } from '../resources/unit.ts'
import { unitType } from '../resources/unit-type.ts'
import { datesHeld } from '../stays/stay-dates.ts'
import { rangeOf } from '../stays/stay-draft.ts'
import { type Candidate, chooseUnit, noEligibleUnit } from './assignment.ts'
import { blockOn } from './unit-block.ts'
import { heldUnits, leavesAt } from './unit-occupancy.ts'
import type { AssignmentHints } from './unit-picker.ts'

/**
 * Returns the units of the stay, each assigned, or the 422 `no-eligible-unit` of the first that cannot be assigned.
 * Units for which `mayAssign` returns false are not considered.
 */
export function chooseUnits(
  tx: Transaction,
  row: Stay,
  hints: AssignmentHints,
  mayAssign: (unit: Candidate) => boolean = () => true,
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
      units: candidates(tx, row, unitTypeId, taken).filter(mayAssign),
    })
    if (!('unit' in choice)) return noEligibleUnit(choice)
    taken.push(choice.unit.id)
    chosen.push({ unitTypeId, unitId: choice.unit.id })
  }
  return chosen
}

/** The largest number of units of one type that are considered. */
const mostUnits = 10_000

/**
 * The units of the type as candidates for the stay. The units in `taken`, which the stay itself already has, count as
 * held.
 */
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
