import { CommandFailed } from '../exit-codes.ts'
import { type BookingMap, columnsOf } from './booking-map.ts'
import type { BookingRow } from './booking-row.ts'
import { cellsIn } from './column-cells.ts'

/** How a spreadsheet writes a number for which the column is too narrow: 4.01235E+12, 1,2E+05, 4E+12. */
const exponential = /^[+-]?(?:\d{1,3}[.,]\d+E[+-]?\d+|\dE\+\d{2,})$/i
/** What a spreadsheet shows, and may save, instead of a number or a date for which the column is too narrow. */
const tooWide = /^#{3,}$/
/** A spreadsheet keeps 15 digits of a number. Those after them are zeros. */
const zerosAfterDigits = /^[1-9]\d{14}0+$/

/** The members of a map that are numbers, dates or the numbers of bookings. */
const members = [
  'externalId',
  'confirmation',
  'arrival',
  'departure',
  'nights',
  'adults',
  'children',
  'infants',
  'nightly',
  'total',
] as const

interface Found {
  cells: number
  text: string
  line: number
}

/**
 * Finds numbers that a spreadsheet has rounded, whose last digits are lost. One such as 4.01235E+12 stops the import;
 * one with zeros after its 15th digit is only suspected.
 */
export function roundedNumbers(map: BookingMap) {
  const columns = [...new Set(members.flatMap((name) => (map[name] ? columnsOf({ [name]: map[name] }) : [])))]
  const rounded = new Map<string, Found>()
  const suspected = new Map<string, Found>()
  const exact = new Set<string>()

  /** Looks at the cells of a row. */
  function look({ cells, line }: Pick<BookingRow, 'cells' | 'line'>): void {
    for (const column of columns) {
      const text = cells[column]?.trim() ?? ''
      if (exponential.test(text) || tooWide.test(text)) note(rounded, column, text, line)
      else if (zerosAfterDigits.test(text)) note(suspected, column, text, line)
      else if (/^\d{16,}$/.test(text)) exact.add(column)
    }
  }

  /** Throws CommandFailed `data` with the first column that has a rounded number. */
  function expectNone(path: string): void {
    const [first] = rounded
    if (!first) return
    const [column, { cells, text, line }] = first
    const more = cells > 1 ? `, and ${cells - 1} more in this column` : ''
    const what = tooWide.test(text)
      ? 'stands for a number that was too wide for its column in a spreadsheet. Its digits are lost'
      : 'is a number that a spreadsheet has rounded. Its last digits are lost'
    throw new CommandFailed(
      'data',
      `${path}: ${text} in ${column} in line ${line}${more} ${what}. Nothing was imported. Export the file again from the other system. To open it in a spreadsheet, import it there with the column ${column} formatted as text, and then save it.`,
    )
  }

  /** Returns a line for each column with suspected numbers. One zero is chance where other numbers of the column keep all digits. */
  function notes(): string[] {
    return [...suspected].flatMap(([column, { cells, text, line }]) =>
      exact.has(column) && text.length === 16
        ? []
        : `  ${cellsIn(column, cells)}, such as ${text} in line ${line}, ${cells === 1 ? 'has' : 'have'} only zeros after 15 digits. A spreadsheet may have rounded them: compare them with the other system`,
    )
  }

  return { look, expectNone, notes }
}

/** Counts a cell; the longest one of a column is the example. */
function note(found: Map<string, Found>, column: string, text: string, line: number): void {
  const before = found.get(column)
  const isLonger = !before || text.length > before.text.length
  found.set(column, { ...(isLonger ? { text, line } : before), cells: (before?.cells ?? 0) + 1 })
}
