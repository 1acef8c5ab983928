import { CommandFailed } from '../exit-codes.ts'
import type { BookingMap, Day } from './booking-map.ts'
import type { BookingRow } from './booking-row.ts'
import { type DayOrder, orderShown, writtenDate } from './read-date.ts'

/** A date of the file, for messages. */
interface Found {
  text: string
  line: number
  field: string
}

const fields = ['arrival', 'departure'] as const

/**
 * Finds the order of day and month in dates such as 03/11/2026 that the map does not state. One date with a day above
 * 12, or with the day of the week beside it, decides for the file. Nothing is guessed: `settle` throws CommandFailed `data` when no date decides, or when two
 * dates contradict each other.
 */
export function dateOrder(map: BookingMap) {
  const evidence: Partial<Record<DayOrder, Found>> = {}
  let undecided: Found | null = null

  /** Looks at the dates of a row. */
  function look({ cells, line }: BookingRow): void {
    for (const field of fields) {
      const source = map[field]
      if (!isOpen(source)) continue
      const text = cells[source.column]?.trim() ?? ''
      const written = writtenDate(text)
      const order = written && orderShown(written)
      if (order === 'open') undecided ??= { text, line, field }
      else if (order) evidence[order] ??= { text, line, field }
    }
  }

  /** Returns the map with the order in each date, and a note for the person; null when no order was needed. */
  function settle(path: string): { map: BookingMap; note: string | null } {
    const { DMY, MDY } = evidence
    if (DMY && MDY) throw contradiction(path, DMY, MDY)
    if (!DMY && !MDY && undecided) throw ambiguous(path, undecided)
    const order = DMY ? 'DMY' : MDY ? 'MDY' : null
    const decided = DMY ?? MDY
    if (!order || !decided) return { map, note: null }
    const note = `Dates such as ${(undecided ?? decided).text} are ${words[order]}, because line ${decided.line} has ${decided.text}.`
    const settled = fields.flatMap((field) => {
      const source = map[field]
      return isOpen(source) ? [[field, { ...source, order }] as const] : []
    })
    return { map: { ...map, ...Object.fromEntries(settled) }, note }
  }

  return { look, settle }
}

const words = { DMY: 'day/month/year', MDY: 'month/day/year' }

/** Whether a date is one column without a stated order. Dates with dots never need one. */
function isOpen(source: Day | undefined): source is { column: string } {
  return source !== undefined && 'column' in source && source.order === undefined
}

function contradiction(path: string, dayFirst: Found, monthFirst: Found): CommandFailed {
  const [one, other] = [dayFirst, monthFirst].map(({ text, line }) => `${text} in line ${line}`)
  return new CommandFailed(
    'data',
    `${path} has dates in two orders: ${one} has the day first, ${other} the month. Nothing was imported. If one of them is a mistake, add "order": "DMY" (day first) or "order": "MDY" (month first) to ${dayFirst.field} in the map.`,
  )
}

function ambiguous(path: string, { text, line, field }: Found): CommandFailed {
  return new CommandFailed(
    'data',
    `${path}: ${text} in line ${line} can be read with the day or the month first, and no date of the file decides. Nothing was imported. Add "order": "DMY" (day first) or "order": "MDY" (month first) to ${field} in the map.`,
  )
}
