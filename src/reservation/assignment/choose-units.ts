import type { Transaction } from '../../resource/command.ts'
import type { Problem } from '../../resource/problem.ts'
import { ridOf, uuidText } from '../../resource/uuid-sql.ts'
import { momentIn, settingsIn } from '../resources/house.ts'
import type { Stay } from '../resources/stay.ts'
import { unitType } from '../resources/unit-type.ts'
import { datesHeld, rangeOf } from '../stays/rules/stay-dates.ts'
import { isHeld, leavesAt, unitsOfParty } from '../units/unit-occupancy.ts'
import { type Candidate, chooseUnit, noEligibleUnit } from './assignment.ts'
import type { AssignmentHints } from './unit-picker.ts'

/**
 * Returns the units of the stay, each assigned, or the 422 `no-eligible-unit` of the first that cannot be assigned.
 * A unit of guests with whom it shares goes first, also one that is not ready. Of the others, those for which `mayAssign`
 * returns false are not considered.
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
  const ofParty = preferredUnitId ? [] : unitsOfParty(tx, row, rangeOf(row))
  const isOfParty = ({ id }: Candidate) => ofParty.some(({ unitId }) => unitId === id)
  const chosen: Stay['units'] = []
  for (const { unitTypeId, unitId } of row.units) {
    const ofType = unitId ? [] : candidates(tx, row, unitTypeId, taken)
    const known = unitId ?? ofType.find((each) => isOfParty(each) && !each.overlapping && !each.blocked)?.id
    if (known) {
      taken.push(known)
      chosen.push({ unitTypeId, unitId: known })
      continue
    }
    const { startDate } = row
    const amenities = tx.find(unitType, unitTypeId).amenities ?? []
    const choice = chooseUnit({
      stay: { startDate, unitTypeId, preferredUnitId, amenities },
      today: momentIn(tx).today,
      assignableStatuses: (assignableStatuses ?? []) as Candidate['status'][],
      units: ofType.filter(mayAssign),
    })
    if (!('unit' in choice)) return noEligibleUnit(choice)
    taken.push(choice.unit.id)
    chosen.push({ unitTypeId, unitId: choice.unit.id })
  }
  return chosen
}

/** The largest number of units of one type that are considered. */
const mostUnits = 10_000

const amenitiesOf = `SELECT json_group_array(${uuidText('amenity.id')})
  FROM unit_amenity JOIN amenity ON amenity.rid = amenityId WHERE owner = unit.rid`

/**
 * Returns the units of the type as candidates for the stay. The units in `taken`, which the stay itself already has,
 * count as held.
 */
export function candidates(
  tx: Transaction,
  row: Stay,
  unitTypeId: string,
  taken: readonly string[],
): Candidate[] {
  const { first, last } = datesHeld(row)
  const [held, values] = isHeld(rangeOf(row), { party: row, moment: momentIn(tx) })
  const sql = `SELECT ${uuidText('unit.id')} AS id, name, coalesce(status, 'Dirty') AS status, priority, idleSince,
      (${amenitiesOf}) AS amenities, ${held} AS overlapping, iif(occupied, (${leavesAt}), NULL) AS occupiedUntil,
      EXISTS (SELECT 1 FROM unit_block WHERE owner = unit.rid AND startDate <= ? AND endDate >= ?) AS blocked
    FROM unit WHERE unitTypeId = ${ridOf('unit_type')} ORDER BY rid LIMIT ${mostUnits}`
  const units = tx.all<Candidate & { amenities: string }>(sql, ...values, last, first, unitTypeId)
  return units.map((each) => ({
    ...each,
    unitTypeId,
    amenities: JSON.parse(each.amenities) as string[],
    blocked: Boolean(each.blocked),
    overlapping: Boolean(each.overlapping) || taken.includes(each.id),
  }))
}
