/** The order of day and month in a date such as 03/11/2026: day first, or month first. */
export type DayOrder = 'DMY' | 'MDY'

/** A date as it is written: with a month of its own place or name, or with two numbers whose order is to be decided. */
type Written =
  | { year: number; month: number; day: number }
  | { year: number; first: number; second: number; hasDots: boolean }

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** A time of day after the date is left out: the date is the local one. A time with an offset is refused. */
const time = String.raw`(?:[T ]+\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?)?`
const yearFirst = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2}|[A-Za-z]{3,9})[-/.](\d{1,2})${time}$`)
const dayAndName = new RegExp(String.raw`^(\d{1,2})[-. ]{1,2}([A-Za-z]{3,9})[-. ]{1,2}(\d{4})${time}$`)
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${time}$`)

/** Returns the parts of a date; null for a text that is no date. */
export function writtenDate(text: string): Written | null {
  const [, year, month = '', day] = yearFirst.exec(text) ?? []
  if (year) return { year: Number(year), month: monthOf(month), day: Number(day) }
  const [, its, name = '', ofYear] = dayAndName.exec(text) ?? []
  if (ofYear) return { year: Number(ofYear), month: monthOf(name), day: Number(its) }
  const [, first, separator, second, last] = yearLast.exec(text) ?? []
  if (!last) return null
  return { year: Number(last), first: Number(first), second: Number(second), hasDots: separator === '.' }
}

/**
 * Returns YYYY-MM-DD. Dates with dots are day.month.year whatever `order` says. Returns the problem as a part of a
 * sentence for a text that is no date, and for one that needs an order where none is given.
 */
export function readDate(text: string, order: DayOrder | undefined): { date: string } | { problem: string } {
  const written = writtenDate(text)
  if (!written) return { problem: problemOf(text) }
  if ('first' in written && !written.hasDots && order === undefined && written.first !== written.second)
    return { problem: 'can be read with the day or the month first' }
  const { year, month, day } = 'month' in written ? written : ordered(written, order)
  try {
    const date = Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
    return { date: date.toString() }
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'is not a date' }
    throw error
  }
}

function ordered(
  { year, first, second, hasDots }: Extract<Written, { first: number }>,
  order: DayOrder | undefined,
) {
  const isDayFirst = hasDots || order === 'DMY'
  return isDayFirst ? { year, day: first, month: second } : { year, day: second, month: first }
}

function monthOf(text: string): number {
  if (/^\d/.test(text)) return Number(text)
  return months.findIndex((month) => month.startsWith(text.toLowerCase())) + 1
}

function problemOf(text: string): string {
  if (/^\d{1,2}[-/.]\d{1,2}[-/.]\d{2}$/.test(text))
    return 'is not a date: the year has two digits. Save the dates with four-digit years'
  if (/^\d{5}$/.test(text))
    return 'is not a date but a number of a spreadsheet. Format the column as a date before saving the file'
  if (/(Z|[+-]\d\d:?\d\d)$/.test(text)) return 'is not a date: it has a time with an offset'
  return 'is not a date'
}
