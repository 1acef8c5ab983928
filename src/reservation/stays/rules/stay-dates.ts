import { localRange } from '../../../host/zone.ts'
import { invalidValue, Problem } from '../../../resource/problem.ts'

/** The property's IANA time zone, and its check-in and check-out times as HH:MM. */
export interface HouseTimes {
  timeZone: string
  checkInTime: string
  checkOutTime: string
}

/** The dates of a stay, YYYY-MM-DD, and times, HH:MM. A missing time is the property's check-in or check-out time. */
export interface StayDates {
  startDate: string
  startTime?: string | null
  endDate: string
  endTime?: string | null
}

/** A range of dates YYYY-MM-DD, both ends included. */
export interface Dates {
  first: string
  last: string
}

/** A range of moments in Unix milliseconds. The end is excluded. */
export interface Range {
  startsAt: number
  endsAt: number
}

/** Returns the planned range of a stay. */
export function rangeOf({
  plannedStartsAt,
  plannedEndsAt,
}: {
  plannedStartsAt?: number | null
  plannedEndsAt?: number | null
}): Range {
  return { startsAt: plannedStartsAt ?? 0, endsAt: plannedEndsAt ?? 0 }
}

/**
 * Returns the validated dates of a stay, its times as HH:MM, and its range of moments. Throws 422 `end-before-start`,
 * `seconds-not-zero` or `validation-failed`, and 400 `time-with-offset`. A stay of no nights (day use) must end at a
 * later instant than it starts, as `localRange` reads its times on a day of a clock change.
 */
export function plannedDates(input: StayDates, house: HouseTimes): { dates: StayDates; range: Range } {
  const dates = {
    startDate: calendarDate(input.startDate, '/startDate'),
    startTime: optionalTime(input.startTime, '/startTime'),
    endDate: calendarDate(input.endDate, '/endDate'),
    endTime: optionalTime(input.endTime, '/endTime'),
  }
  if (dates.endDate < dates.startDate)
    throw endBeforeStart('/endDate', 'The stay ends on a day before it starts.')
  const range = plannedRange(dates, house)
  if (range.startsAt >= range.endsAt) throw endBeforeStart('/endTime', 'A stay ends later than it starts.')
  return { dates, range }
}

/** Returns the planned start and end of a stay in the property's time zone. Missing times are the property's. */
export function plannedRange(dates: StayDates, { timeZone, checkInTime, checkOutTime }: HouseTimes): Range {
  return localRange(
    { date: dates.startDate, time: dates.startTime ?? checkInTime },
    { date: dates.endDate, time: dates.endTime ?? checkOutTime },
    timeZone,
  )
}

/** Returns the number of nights between two dates. The night of the departure date does not count. */
export function nights({ startDate, endDate }: Pick<StayDates, 'startDate' | 'endDate'>): number {
  return (dayOf(endDate) - dayOf(startDate)) / millisecondsPerDay
}

/** Returns the date of each night, in order: every date of the stay except the last. */
export function nightDates({ startDate, endDate }: Pick<StayDates, 'startDate' | 'endDate'>): string[] {
  const dates: string[] = []
  const end = dayOf(endDate)
  for (let day = dayOf(startDate); day < end; day += millisecondsPerDay) dates.push(dateOf(day))
  return dates
}

/** Returns the date `days` days after a date; before it when `days` is negative. */
export function dateAfter(date: string, days: number): string {
  return dateOf(dayOf(date) + days * millisecondsPerDay)
}

/**
 * Returns the first and the last date on which a stay takes a unit: the dates of its nights, or the date of a day use.
 */
export function datesHeld({ startDate, endDate }: Pick<StayDates, 'startDate' | 'endDate'>): Dates {
  return { first: startDate, last: endDate > startDate ? dateAfter(endDate, -1) : startDate }
}

/** Returns each date of a range, in order. */
export function datesIn({ first, last }: Dates): string[] {
  return nightDates({ startDate: first, endDate: dateAfter(last, 1) })
}

const earliest = '1900-01-01'
const latest = '2999-12-31'

/** Returns an existing date YYYY-MM-DD between 1900 and 2999. Throws 422 `validation-failed`. */
export function calendarDate(text: string, pointer: string): string {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? dayOf(text) : Number.NaN
  // A day that a month does not have is read as one of the next month.
  if (Number.isNaN(day) || dateOf(day) !== text) {
    throw invalidValue(pointer, 'Expected a date (YYYY-MM-DD).', { expected: 'date (YYYY-MM-DD)' })
  }
  if (text >= earliest && text <= latest) return text
  throw invalidValue(pointer, `Expected a date from ${earliest} to ${latest}.`, {
    expected: `${earliest}..${latest}`,
  })
}

/**
 * Returns a time of day as HH:MM, from `HH:MM` or `HH:MM:00`. Throws 422 `seconds-not-zero` for other seconds, 400
 * `time-with-offset` for a time with an offset, and 422 `validation-failed` for anything else.
 */
export function timeOfDay(text: string, pointer: string): string {
  const [, time, seconds = ':00', offset] =
    /^((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:\.\d+)?)?(.*)$/s.exec(text) ?? []
  if (!time || (offset && !/^ ?(Z|[+-]\d\d(:?\d\d)?)$/i.test(offset))) {
    throw invalidValue(pointer, 'Expected a time (HH:MM).', { expected: 'time (HH:MM)' })
  }
  if (offset)
    throw new Problem('time-with-offset', 'Times are local times of the property, without offset.', {
      pointer,
    })
  if (!/^:00(\.0+)?$/.test(seconds)) throw new Problem('seconds-not-zero', 'Seconds must be 00.', { pointer })
  return time
}

const millisecondsPerDay = 86_400_000

/** Returns the Unix milliseconds of a date in UTC, where every day has the same length. */
function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`)
}

function dateOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}

function optionalTime(text: string | null | undefined, pointer: string): string | null {
  return text === null || text === undefined ? null : timeOfDay(text, pointer)
}

function endBeforeStart(pointer: string, detail: string): Problem {
  return new Problem('end-before-start', detail, { pointer })
}
