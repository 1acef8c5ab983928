import type { Transaction } from '../resource/change.ts'
import { lastDepartureOf, type Moment } from './availability-moment.ts'
import type { Stay } from './resources/stay.ts'
import type { Range } from './stay-dates.ts'

/** Who answers a question for one number: a change, or the reader. */
type Counting = Pick<Transaction, 'count'>

/** The id of no stay, for a question that leaves none out. */
export const nobody = '00000000-0000-0000-0000-000000000000'

const rid = (table: string) => `(SELECT rid FROM ${table} WHERE id = unhex(replace(?, '-', '')))`

/** Stays that hold a unit, by way of the unit: of all stays there ever were, these are few. */
const holding = `FROM stay_held_unit AS held JOIN stay ON stay.rid = held.owner WHERE held.unitId = ${rid('unit')}`
const another = `AND stay.id <> unhex(replace(?, '-', ''))`

/**
 * Stays that hold the unit somewhere in the range. A guest who has not left by the planned end is still there: such a
 * stay is in the way of whatever begins before the day is over.
 */
const overlapping = `
  SELECT count(*) ${holding} ${another} AND stay.plannedStartsAt < ?
    AND (stay.plannedEndsAt > ? OR (stay.status = 'InHouse' AND stay.plannedEndsAt <= ? AND ? < ?))`

export function overlappingStays(
  asked: Counting,
  unitId: string,
  { startsAt, endsAt }: Range,
  { except = nobody, moment }: { except?: string; moment: Pick<Moment, 'now' | 'tomorrowAt'> },
): number {
  const { now, tomorrowAt } = moment
  return asked.count(overlapping, unitId, except, endsAt, startsAt, now, startsAt, tomorrowAt)
}

/** Whether a stay that holds the unit is one of those, asked of the stay itself. */
export function isInTheWay(
  { status, plannedStartsAt, plannedEndsAt }: Pick<Stay, 'status' | 'plannedStartsAt' | 'plannedEndsAt'>,
  { startsAt, endsAt }: Range,
  { now, tomorrowAt }: Pick<Moment, 'now' | 'tomorrowAt'>,
): boolean {
  const [from, until] = [plannedStartsAt ?? 0, plannedEndsAt ?? 0]
  const isPastItsTime = status === 'InHouse' && until <= now
  return from < endsAt && (until > startsAt || (isPastItsTime && startsAt < tomorrowAt))
}

/** Other stays that are in house on the unit now. */
export function othersInHouse(asked: Counting, unitId: string, except: string): number {
  return asked.count(`SELECT count(*) ${holding} ${another} AND stay.status = 'InHouse'`, unitId, except)
}

/** Whether a guest is in the unit now. */
export function isInUse(asked: Counting, unitId: string): boolean {
  return othersInHouse(asked, unitId, nobody) > 0
}

/** When the guest who is in the unit now is expected to leave, Unix milliseconds; null when nobody is in it. */
export function leavesAt(asked: Counting, unitId: string): number | null {
  const until = asked.count(`SELECT max(stay.plannedEndsAt) ${holding} AND stay.status = 'InHouse'`, unitId)
  return until === 0 ? null : until
}

/** Guests of a unit type who were to leave before the night of a date, and are still there. */
export function guestsPastTheirTime(
  asked: Counting,
  unitTypeId: string,
  date: string,
  moment: Moment,
): number {
  const lastDeparture = lastDepartureOf(date, moment)
  if (lastDeparture === null) return 0
  // A day use of the date holds it already.
  return asked.count(
    `SELECT count(*) FROM stay JOIN stay_unit ON stay_unit.owner = stay.rid
     WHERE stay.status = 'InHouse' AND stay.endDate <= ? AND stay.startDate < ?
       AND stay_unit.unitTypeId = ${rid('unit_type')}`,
    lastDeparture,
    date,
    unitTypeId,
  )
}

/** Whether the guest of a stay is one of those. */
export function isPastHisTime(
  { status, startDate, endDate }: Pick<Stay, 'status' | 'startDate' | 'endDate'>,
  date: string,
  moment: Moment,
): boolean {
  const lastDeparture = lastDepartureOf(date, moment)
  return status === 'InHouse' && lastDeparture !== null && endDate <= lastDeparture && startDate < date
}
