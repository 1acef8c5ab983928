import type { Questions } from '../../resource/command.ts'
import { ridOf, uuidText } from '../../resource/uuid-sql.ts'
import { isHeld } from '../assignment/unit-occupancy.ts'
import { houseTimes, type Settings } from '../resources/settings.ts'
import type { Stay } from '../resources/stay.ts'
import { dateAfter, datesHeld, plannedRange, type Range } from '../stays/stay-dates.ts'
import { rangeOf } from '../stays/stay-draft.ts'
import type { Dates } from './availability.ts'
import type { Moment } from './availability-moment.ts'
import { askedPeriod } from './availability-period.ts'

/** What a unit has to be free for. */
export interface Need {
  dates: Dates
  range: Range
}

/** From check-in on the first date to check-out on the day after the last. */
export function needOfPeriod(dates: Dates, house: Settings): Need {
  const { first: startDate, last } = dates
  const planned = { startDate, startTime: null, endDate: dateAfter(last, 1), endTime: null }
  return { dates, range: plannedRange(planned, houseTimes(house)) }
}

/**
 * The period of a stay, to the minute at which it is planned to begin and to end; or the one that filters ask for, of which the
 * stay says what they leave open.
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

/** Of which units: of one, of those of a type, or of any. */
interface Among {
  unitId?: string | undefined
  unitTypeId?: string | undefined
}

/** Units that one list may find. */
const mostUnits = 10_000

/**
 * The ids of the units that are free for the whole of a need, clean or not: no stay holds them, nobody is still there past his
 * time, they are not blocked, and they are not out of order.
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

/** The ids of the units of a type that stays other than `except` hold somewhere in the range. */
export function heldUnits(
  db: Questions,
  unitTypeId: string,
  range: Range,
  besides: { except: string; moment: Moment },
): Set<string> {
  const [held, values] = isHeld(range, besides)
  const sql = `SELECT ${uuidText('unit.id')} AS id FROM unit WHERE unitTypeId = ${ridOf('unit_type')} AND ${held}`
  return new Set(db.all<{ id: string }>(sql, unitTypeId, ...values).map(({ id }) => id))
}
