import type { Questions } from '../../resource/command.ts'
import { ridOf, uuidText } from '../../resource/uuid-sql.ts'
import type { Moment } from '../resources/house.ts'
import type { Settings } from '../resources/settings.ts'
import type { Stay } from '../resources/stay.ts'
import {
  type Dates,
  dateAfter,
  datesHeld,
  plannedRange,
  type Range,
  rangeOf,
} from '../stays/rules/stay-dates.ts'
import { isHeld } from '../units/unit-occupancy.ts'
import { askedPeriod } from './availability-period.ts'

/** The dates and the range of moments for which a unit must be free. */
export interface Need {
  dates: Dates
  range: Range
}

/** Returns the need from check-in time on the first date to check-out time on the day after the last date. */
export function needOfPeriod(dates: Dates, house: Settings): Need {
  const { first: startDate, last } = dates
  const planned = { startDate, startTime: null, endDate: dateAfter(last, 1), endTime: null }
  return { dates, range: plannedRange(planned, house) }
}

/**
 * Returns the planned period of a stay, to the minute. If filters give a start or an end date, returns the period of
 * the filters; the stay supplies the date that the filters omit.
 */
export function needOfStay(
  stay: Stay,
  asked: { startDate?: string; endDate?: string },
  house: Settings,
  { today }: Moment,
): Need {
  const dates = datesHeld(stay)
  if (asked.startDate === undefined && asked.endDate === undefined) return { dates, range: rangeOf(stay) }
  return needOfPeriod(askedPeriod({ startDate: dates.first, endDate: dates.last, ...asked }, today), house)
}

/** Which units to search: one unit, the units of a type, or all units. */
interface Among {
  unitId?: string | undefined
  unitTypeId?: string | undefined
}

/** The largest number of units in one list. */
const mostUnits = 10_000

/**
 * Returns the ids of the units that are free for the whole need, clean or not. A free unit is not held by a stay, not
 * occupied by an overdue guest, not blocked and not out of order.
 */
export function freeUnits(db: Questions, among: Among, { dates, range }: Need, moment: Moment): string[] {
  const { unitId, unitTypeId } = among
  const [held, values] = isHeld(range, { moment })
  const conditions = [
    ...(unitId === undefined ? [] : [`unit.rid = ${ridOf('unit')}`]),
    ...(unitTypeId === undefined ? [] : [`unit.unitTypeId = ${ridOf('unit_type')}`]),
    `unit.status IS NOT 'OutOfOrder'`,
    'NOT EXISTS (SELECT 1 FROM unit_block WHERE owner = unit.rid AND startDate <= ? AND endDate >= ?)',
    `NOT ${held}`,
  ]
  const sql = `SELECT ${uuidText('unit.id')} AS id FROM unit
    WHERE ${conditions.join(' AND ')} ORDER BY unit.rid LIMIT ${mostUnits}`
  const ids = [unitId, unitTypeId].filter((id) => id !== undefined)
  return db.all<{ id: string }>(sql, ...ids, dates.last, dates.first, ...values).map(({ id }) => id)
}
