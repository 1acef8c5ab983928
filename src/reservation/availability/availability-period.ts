import { inItem, invalidValue, Problem } from '../../resource/problem.ts'
import { calendarDate, type Dates, dateAfter, nights } from '../stays/rules/stay-dates.ts'

/** The longest period of one request, in days between the first and the last date. */
export const longestPeriod = 365

/**
 * Returns the period of a list request. The start defaults to today, the end to the longest period. Throws 400
 * `invalid-filter-value` for an invalid date or an end before the start, and 400 `period-too-long`.
 */
export function askedPeriod(
  asked: { startDate?: string | undefined; endDate?: string | undefined },
  today: string,
): Dates {
  const first = askedDate('startDate', asked.startDate) ?? today
  const last = askedDate('endDate', asked.endDate) ?? dateAfter(first, longestPeriod)
  const parameter = `filter[${asked.endDate === undefined ? 'startDate' : 'endDate'}]`
  if (last < first) {
    throw new Problem('invalid-filter-value', `${parameter}: the period ends before ${first}.`, {
      parameter,
      meta: { expected: `a date from ${first} on` },
    })
  }
  const length = nights({ startDate: first, endDate: last })
  if (length <= longestPeriod) return { first, last }
  throw new Problem('period-too-long', `The period is ${length} days; at most ${longestPeriod}.`, {
    parameter,
    meta: { limit: longestPeriod },
  })
}

function askedDate(name: 'startDate' | 'endDate', text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const parameter = `filter[${name}]`
  try {
    return calendarDate(text, parameter)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem('invalid-filter-value', `${parameter}: ${error.message}`, {
      parameter,
      meta: error.options.meta ?? {},
    })
  }
}

/** A period in a request body. Both dates are included. */
export interface PeriodInput {
  startDate?: string | null
  endDate?: string | null
  quantity: number
}

/** The largest number of dates in all periods of one body: ten years. */
export const mostDates = 3_660

/**
 * Returns the periods of a body, sorted by date. A missing start is today, a missing end is 365 days after the start.
 * `item` is the index in the body. Throws 422 `end-before-start`, and 422 `validation-failed` for periods that overlap
 * or together have too many dates.
 */
export function readPeriods<Input extends PeriodInput>(
  inputs: readonly Input[],
  today: string,
): (Input & Dates & { item: number })[] {
  const periods = inputs.map((each, item) => ({ ...each, ...datesOf(each, item, today), item }))
  const inOrder = periods.toSorted((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)))
  for (const [index, { first, item }] of inOrder.entries()) {
    const before = inOrder[index - 1]
    if (!before || before.last < first) continue
    const detail = 'The period overlaps another one of the body.'
    throw inItem(item, invalidValue('/startDate', detail, { item: before.item }))
  }
  const dates = inOrder.reduce(
    (sum, { first, last }) => sum + nights({ startDate: first, endDate: last }) + 1,
    0,
  )
  if (dates <= mostDates) return inOrder
  throw invalidValue('', `The periods have ${dates} dates; at most ${mostDates}.`, { limit: mostDates })
}

function datesOf({ startDate, endDate }: PeriodInput, item: number, today: string): Dates {
  try {
    const first = startDate ? calendarDate(startDate, '/startDate') : today
    const last = endDate ? calendarDate(endDate, '/endDate') : dateAfter(first, longestPeriod)
    if (last >= first) return { first, last }
    throw new Problem('end-before-start', `The period ends before ${first}.`, { pointer: '/endDate' })
  } catch (error) {
    throw inItem(item, error)
  }
}

/** Availability rule 2. Throws 422 `availability-not-compact` when two adjacent periods have the same quantity. */
export function expectCompact(periods: readonly (Dates & { quantity: number; item: number })[]): void {
  for (const [index, { first, quantity, item }] of periods.entries()) {
    const before = periods[index - 1]
    if (!before || before.quantity !== quantity || dateAfter(before.last, 1) !== first) continue
    const detail = 'The period begins where another with the same quantity ends. Send them as one period.'
    const options = { pointer: '/quantity', meta: { item: before.item } }
    throw inItem(item, new Problem('availability-not-compact', detail, options))
  }
}
