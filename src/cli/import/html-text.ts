import { decodeHTMLStrict } from 'entities/decode'
import type { BookingRow } from './booking-row.ts'

/** Only references with a semicolon: `AT&T` and `R&D` are names. */
const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi
const mostExamples = 3
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

/** The cells of a column that had HTML text: their number and some of them as they are written. */
interface Found {
  cells: number
  examples: Set<string>
}

/** Counts the cells with HTML text in these columns of a file, for the summary. */
export function htmlCells(columns: readonly string[]) {
  const decoded = new Map<string, Found>()
  const encodedTwice = new Map<string, Found>()

  /** Looks at a row as it is written and as it is read. */
  function look({ written, cells }: Pick<BookingRow, 'written' | 'cells'>): void {
    if (written === cells) return
    for (const column of columns) {
      const before = written[column] ?? ''
      const after = cells[column] ?? ''
      if (before === after || decodedHtml(before) === before) continue
      note(decoded, column, before)
      if (decodedHtml(after) !== after) note(encodedTwice, column, before)
    }
  }

  /** Returns a line for each column with such cells, for people. */
  function notes(): string[] {
    return [
      ...[...decoded].map(([column, found]) => `  ${countIn(column, found)} had HTML text, ${read(found)}`),
      ...[...encodedTwice].map(
        ([column, found]) =>
          `  ${countIn(column, found)} had HTML text that was encoded twice, ${read(found)}. It is decoded once only: mend the file, or the texts at the desk`,
      ),
    ]
  }

  return { look, notes }
}

function note(found: Map<string, Found>, column: string, text: string): void {
  const its = found.get(column) ?? { cells: 0, examples: new Set() }
  its.cells++
  if (its.examples.size < mostExamples) its.examples.add(excerptOf(text))
  found.set(column, its)
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

function countIn(column: string, { cells }: Found): string {
  return `${cells} ${cells === 1 ? 'cell' : 'cells'} in ${column}`
}

function read({ examples }: Found): string {
  const pairs = [...examples].map((text) => `${text}, read as ${decodedHtml(text).replace(/\p{Cc}/gu, ' ')}`)
  return `for example ${pairs.join('; ')}`
}
