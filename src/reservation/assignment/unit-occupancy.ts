import type { Questions } from '../../resource/command.ts'
import type { Stored } from '../../resource/fields.ts'
import { ridOf, uuidBytes, uuidText } from '../../resource/uuid-sql.ts'
import type { Moment } from '../availability/availability-moment.ts'
import type { Range } from '../stays/stay-dates.ts'

/** The id of no stay, for a question that leaves none out. */
export const nobody = '00000000-0000-0000-0000-000000000000'

/** Stays that hold a unit, by way of the unit: of all stays there ever were, these are few. */
const holders = 'FROM stay_held_unit AS held JOIN stay ON stay.rid = held.owner WHERE held.unitId ='
const holding = `${holders} ${ridOf('unit')}`
const another = `AND stay.id <> ${uuidBytes()}`

interface Besides {
  /** A stay that is not in its own way. */
  except?: string
  moment: Pick<Moment, 'now' | 'tomorrowAt'>
}

/**
 * Of the stays that hold a unit, those that hold it somewhere in the range. A guest who has not left by the planned end is still
 * there: such a stay is in the way of whatever begins before the day is over.
 */
const overlaps = `${another} AND stay.plannedStartsAt < ?
  AND (stay.plannedEndsAt > ? OR (stay.status = 'InHouse' AND stay.plannedEndsAt <= ? AND ? < ?))`

function overlapping({ startsAt, endsAt }: Range, { except = nobody, moment }: Besides): Stored[] {
  return [except, endsAt, startsAt, moment.now, startsAt, moment.tomorrowAt]
}

/** How many stays hold the unit somewhere in the range. */
export function overlappingStays(db: Questions, unitId: string, range: Range, besides: Besides): number {
  return db.count(`SELECT count(*) ${holding} ${overlaps}`, unitId, ...overlapping(range, besides))
}

/** SQL that is true of a row of `unit` which a stay holds somewhere in the range, with the values to be bound. */
export function isHeld(range: Range, besides: Besides): [sql: string, values: Stored[]] {
  return [`EXISTS (SELECT 1 ${holders} unit.rid ${overlaps})`, overlapping(range, besides)]
}

/** The ids of the stays that hold the unit somewhere in the range, in the order in which they were made. */
export function staysInTheWay(db: Questions, unitId: string, range: Range, besides: Besides): string[] {
  const sql = `SELECT ${uuidText('stay.id')} AS id ${holding} ${overlaps} ORDER BY stay.rid`
  return db.all<{ id: string }>(sql, unitId, ...overlapping(range, besides)).map(({ id }) => id)
}

/** Other stays that are in house on the unit now. */
export function othersInHouse(db: Questions, unitId: string, except: string): number {
  return db.count(`SELECT count(*) ${holding} ${another} AND stay.status = 'InHouse'`, unitId, except)
}

/** Whether a guest is in the unit now. */
export function isInUse(db: Questions, unitId: string): boolean {
  return othersInHouse(db, unitId, nobody) > 0
}

/** When the guest who is in the unit now is expected to leave, Unix milliseconds; null when nobody is in it. */
export function leavesAt(db: Questions, unitId: string): number | null {
  const until = db.count(`SELECT max(stay.plannedEndsAt) ${holding} AND stay.status = 'InHouse'`, unitId)
  return until === 0 ? null : until
}
