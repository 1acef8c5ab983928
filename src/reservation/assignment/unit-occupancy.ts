import type { Questions } from '../../resource/command.ts'
import type { Stored } from '../../resource/field.ts'
import { ridOf, uuidBytes, uuidText } from '../../resource/uuid-sql.ts'
import type { Moment } from '../property/house.ts'
import type { Range } from '../stays/stay-dates.ts'

/** The id of no stay. Queries that exclude no stay pass it as `except`. */
export const noStay = '00000000-0000-0000-0000-000000000000'

/** Starts from the units that stays hold now, which are few compared with all stays in the table. */
const holders = 'FROM stay_held_unit AS held JOIN stay ON stay.rid = held.owner WHERE held.unitId ='
const holding = `${holders} ${ridOf('unit')}`
const another = `AND stay.id <> ${uuidBytes()}`

interface Besides {
  /** The id of the stay that the query ignores. */
  except?: string
  moment: Pick<Moment, 'now' | 'tomorrowAt'>
}

/**
 * Selects the stays that hold the unit during a part of the range. A guest who stays past the planned end still
 * occupies the unit: the stay then conflicts with every range that begins before the property's next day.
 */
const overlaps = `${another} AND stay.plannedStartsAt < ?
  AND (stay.plannedEndsAt > ? OR (stay.status = 'InHouse' AND stay.plannedEndsAt <= ? AND ? < ?))`

function overlapping({ startsAt, endsAt }: Range, { except = noStay, moment }: Besides): Stored[] {
  return [except, endsAt, startsAt, moment.now, startsAt, moment.tomorrowAt]
}

/** Returns the number of stays that hold the unit during a part of the range. */
export function overlappingStays(db: Questions, unitId: string, range: Range, besides: Besides): number {
  return db.count(`SELECT count(*) ${holding} ${overlaps}`, unitId, ...overlapping(range, besides))
}

/**
 * Returns an SQL condition on a row of `unit`, and the values to bind. It is true when a stay holds the unit during a
 * part of the range.
 */
export function isHeld(range: Range, besides: Besides): [sql: string, values: Stored[]] {
  return [`EXISTS (SELECT 1 ${holders} unit.rid ${overlaps})`, overlapping(range, besides)]
}

/** Returns the ids of the stays that hold the unit during a part of the range, in order of creation. */
export function staysInTheWay(db: Questions, unitId: string, range: Range, besides: Besides): string[] {
  const sql = `SELECT ${uuidText('stay.id')} AS id ${holding} ${overlaps} ORDER BY stay.rid`
  return db.all<{ id: string }>(sql, unitId, ...overlapping(range, besides)).map(({ id }) => id)
}

/** Returns the number of stays other than `except` that are in house on the unit now. */
export function othersInHouse(db: Questions, unitId: string, except: string): number {
  return db.count(`SELECT count(*) ${holding} ${another} AND stay.status = 'InHouse'`, unitId, except)
}

/** Returns whether a guest is in the unit now. */
export function isInUse(db: Questions, unitId: string): boolean {
  return othersInHouse(db, unitId, noStay) > 0
}

/** The SQL of the Unix milliseconds at which the guest in a row of `unit` is expected to leave; NULL when it is empty. */
export const leavesAt = `SELECT max(stay.plannedEndsAt) ${holders} unit.rid AND stay.status = 'InHouse'`
