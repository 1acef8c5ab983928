import { decodeHTMLStrict } from 'entities/decode'
import type { BookingRow } from './booking-row.ts'
import { type ColumnCells, cellsIn, countIn } from './column-cells.ts'

/** Only references with a semicolon: `AT&T` and `R&D` are names. */
const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi
/** Characters of an example before and after its first reference. */
const around = 24

/**
 * Returns a text with its HTML character references decoded once: `O&#39;Connor` is `O'Connor`, and `&amp;#39;` is
 * `&#39;`. A no-break space becomes a space. A reference to no character, or to a control character other than a line
 * end or a tab, stays as it is written.
 */
export function decodedHtml(text: string): string {
  return text.includes('&') ? text.replace(reference, characterOf) : text
}

function characterOf(written: string): string {
  const character = decodeHTMLStrict(written)
  if (character === '\u00a0') return ' '
  return /[\ufffd\p{Cc}]/u.test(character) && !/[\t\n\r]/.test(character) ? written : character
}

/** Counts the cells with HTML text in these columns of a file, for the summary. */
export function htmlCells(columns: readonly string[]) {
  const decoded = new Map<string, ColumnCells>()
  const encodedTwice = new Map<string, ColumnCells>()

  /** Looks at a row as it is written and as it is read. */
  function look({ written, cells }: Pick<BookingRow, 'written' | 'cells'>): void {
    if (written === cells) return
    for (const column of columns) {
      const before = written[column] ?? ''
      const after = cells[column] ?? ''
      if (before === after || decodedHtml(before) === before) continue
      countIn(decoded, column, excerptOf(before))
      if (decodedHtml(after) !== after) countIn(encodedTwice, column, excerptOf(before))
    }
  }

  /** Returns a line for each column with such cells, for people. */
  function notes(): string[] {
    return [
      ...[...decoded].map(
        ([column, found]) => `  ${cellsIn(column, found.cells)} had HTML text, ${read(found)}`,
      ),
      ...[...encodedTwice].map(
        ([column, found]) =>
          `  ${cellsIn(column, found.cells)} had HTML text that was encoded twice, ${read(found)}. It is decoded once only: mend the file, or the texts at the desk`,
      ),
    ]
  }

  return { look, notes }
}

/** The part of a text around its first reference, in one line. */
function excerptOf(text: string): string {
  const { index, 0: first } = [...text.matchAll(reference)].find(([its]) => characterOf(its) !== its)!
  const from = index > around ? index - around : 0
  const end = index + first.length + around
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`.replace(
    /\p{Cc}/gu,
    ' ',
  )
}

function read({ examples }: ColumnCells): string {
  const pairs = [...examples].map((text) => `${text}, read as ${decodedHtml(text).replace(/\p{Cc}/gu, ' ')}`)
  return `for example ${pairs.join('; ')}`
}
