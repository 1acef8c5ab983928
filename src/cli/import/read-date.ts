import { plainSigns } from './cell-text.ts'
import { folded, monthNamed, weekdaysNamed } from './date-words.ts'

/** The order of day and month in a date such as 03/11/2026: day first, or month first. */
export type DayOrder = 'DMY' | 'MDY'

interface Parts {
  year: number
  month: number
  day: number
}

/**
 * A date as it is written: with a month of its own place or name, or with two numbers whose order is to be decided.
 * `weekdays` are the days of the week that a word before or after it may mean. A year below 100 has two digits.
 */
type Written = { weekdays: number[] } & (
  | Parts
  | { year: number; first: number; second: number; hasDots: boolean }
)

/** A time of day after the date is left out: the date is the local one. A time with an offset is refused. */
const time =
  /(?:[t ]+|, ?)(?:(?:a|as|at|um) )?\d{1,2}[:h]\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:[ap]\.? ?m\.?|uhr|h))?$/
const weekdayFirst = /^([a-z]+(?:-feira)?)\.?,? ?(?=\S)/
const weekdayLast = /,? \(?([a-z]+(?:-feira)?)\.?\)?$/
const yearFirst = /^([1-9]\d{3})[-/. ]{1,2}(\d{1,2}|[a-z]{3,})[-/. ]{1,2}(\d{1,2})\.?$/
const eightDigits = /^((?:19|20)\d\d)(\d\d)(\d\d)$/
const dayAndName =
  /^(\d{1,2})(?:(?:st|nd|rd|th|er|[oaºª])(?=[ .]))?[-/., ]{0,3}(?:de |of )?([a-z]{3,})[-/., ]{0,3}(?:de |of )?'?([1-9]\d{3}|\d\d)$/
const nameAndDay = /^([a-z]{3,})[-/. ]{0,2}(\d{1,2})(?:st|nd|rd|th)?[-/, ]{1,2}'?([1-9]\d{3}|\d\d)$/
const yearLast = /^(\d{1,2}) ?([-/.]) ?(\d{1,2}) ?\2 ?([1-9]\d{3}|\d\d)$/

/** Returns the parts of a date; null for a text that is no date. */
export function writtenDate(text: string): Written | null {
  const date = folded(plainSigns(text)).trim().replace(/\s+/g, ' ').replace(time, '')
  const whole = partsOf(date)
  if (whole) return { ...whole, weekdays: [] }
  for (const place of [weekdayFirst, weekdayLast]) {
    const [, word = ''] = place.exec(date) ?? []
    const weekdays = weekdaysNamed(word)
    const parts = weekdays.length > 0 ? partsOf(date.replace(place, '').replace(time, '')) : null
    if (parts) return { ...parts, weekdays }
  }
  return null
}

type Undated<Of> = Of extends unknown ? Omit<Of, 'weekdays'> : never

function partsOf(date: string): Undated<Written> | null {
  const [, year, month = '', day] = yearFirst.exec(date) ?? eightDigits.exec(date) ?? []
  if (year) return { year: Number(year), month: monthOf(month), day: Number(day) }
  const [, its, name = '', ofYear] = dayAndName.exec(date) ?? []
  if (ofYear) return { year: yearOf(ofYear), month: monthNamed(name), day: Number(its) }
  const [, first, on, inYear] = nameAndDay.exec(date) ?? []
  if (inYear) return { year: yearOf(inYear), month: monthNamed(first!), day: Number(on) }
  const [, one, separator, other, last] = yearLast.exec(date) ?? []
  if (!last) return null
  return { year: Number(last), first: Number(one), second: Number(other), hasDots: separator === '.' }
}

function yearOf(text: string): number {
  return text.length === 4 ? Number(text) : centuryOf(Number(text))
}

/** A year of two digits is of this century. 80 to 99 may be of the last one, and stay as they are. */
function centuryOf(year: number): number {
  return year < 80 ? 2000 + year : year
}

function monthOf(text: string): number {
  return /^\d/.test(text) ? Number(text) : monthNamed(text)
}

/**
 * Returns YYYY-MM-DD. Dates with dots are day.month.year whatever `order` says. Returns the problem as a part of a
 * sentence for a text that is no date, for one that needs an order where none is given, and for one whose day of the week
 * is another.
 */
export function readDate(text: string, order: DayOrder | undefined): { date: string } | { problem: string } {
  const written = writtenDate(text)
  if (!written) return { problem: problemOf(text) }
  const readings = readingsOf(written, order)
  const [date, ...others] = readings.filter(onWeekdayOf(written))
  if (date && others.length === 0) return { date: date.toString() }
  const { year } = written
  if (year < 100 && 'month' in written) return { problem: oldYear }
  if (year < 100 && !order) return { problem: twoDigits }
  if (year < 100 && centuryOf(year) < 100) return { problem: oldYear }
  if (date) return { problem: 'can be read with the day or the month first' }
  const [other] = readings
  if (!other) return { problem: 'is not a date' }
  const weekday = other.toLocaleString('en', { weekday: 'long' })
  return { problem: `names another day of the week: ${other} is a ${weekday}` }
}

/** Returns the order that a date shows; null where it shows none or needs none, and `open` where it can be either. */
export function orderShown(written: Written): DayOrder | 'open' | null {
  if ('month' in written || written.hasDots || written.first === written.second) return null
  const { first, second, year } = written
  if (year >= 100 && first > 12 !== second > 12) return first > 12 ? 'DMY' : 'MDY'
  const [date, ...others] = readingsOf(written, undefined).filter(onWeekdayOf(written))
  if (others.length > 0) return year < 100 ? null : 'open'
  if (date?.day === first && date.month === second) return 'DMY'
  return date?.day === second && date.month === first ? 'MDY' : null
}

function onWeekdayOf({ weekdays }: Written): (date: Temporal.PlainDate) => boolean {
  return ({ dayOfWeek }) => weekdays.length === 0 || weekdays.includes(dayOfWeek)
}

/** The dates that a text may mean, each once. Of three numbers of two digits, the first may be the year as well. */
function readingsOf(written: Written, order: DayOrder | undefined): Temporal.PlainDate[] {
  if ('month' in written) return existing([written])
  const { first, second, hasDots } = written
  const year = centuryOf(written.year)
  const dayFirst = { year, day: first, month: second }
  const monthFirst = { year, day: second, month: first }
  if (order) return existing([hasDots || order === 'DMY' ? dayFirst : monthFirst])
  if (written.year < 100)
    return existing([dayFirst, monthFirst, { year: centuryOf(first), month: second, day: written.year }])
  return existing(hasDots ? [dayFirst] : [dayFirst, monthFirst])
}

/** The dates that exist, each once. No year below 100 is one of a booking. */
function existing(dates: Parts[]): Temporal.PlainDate[] {
  const found = new Map<string, Temporal.PlainDate>()
  for (const { year, month, day } of dates.filter(({ year }) => year >= 100)) {
    try {
      const date = Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
      found.set(date.toString(), date)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  return [...found.values()]
}

const oldYear = 'is not a date: the year has two digits. Save the dates with four-digit years'
const twoDigits = `${oldYear}, or add "order": "DMY" (day first) or "order": "MDY" (month first) beside the column in the map`

function problemOf(text: string): string {
  if (/^\d{5}(?:[.,]\d+)?$/.test(text))
    return 'is not a date but a number of a spreadsheet. Format the column as a date before saving the file'
  if (/\d:\d\d.*(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/.test(text))
    return 'is not a date: it has a time with an offset'
  return 'is not a date'
}
