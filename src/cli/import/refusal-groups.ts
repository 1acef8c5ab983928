import type { BookingRow } from './booking-row.ts'
import { oneLine } from './cell-text.ts'

/** The reason of a refusal and the field with the problem. */
export interface RowRefusal {
  field: string
  reason: string
}

interface Group {
  rows: number
  /** The lowest lines, with their reasons. */
  examples: { line: number; text: string }[]
}

const mostExamples = 3
const mostGroups = 15
/** Further reasons are counted together, so that a file of any size fits into the memory. */
const mostKept = 1_000
const longestText = 300

/**
 * Groups refusals by their reason. Reasons that differ only in the cell, in numbers or in dates are one reason.
 */
export function refusalGroups() {
  const groups = new Map<string, Group>()
  let others = 0

  /** Adds a refusal of a row. */
  function add({ line, cells }: Pick<BookingRow, 'line' | 'cells'>, { field, reason }: RowRefusal): void {
    const key = keyOf(field, reason, Object.values(cells))
    const group = groups.get(key) ?? { rows: 0, examples: [] }
    if (groups.size >= mostKept && group.rows === 0) {
      others++
      return
    }
    groups.set(key, group)
    group.rows++
    const last = group.examples.at(-1)
    if (group.examples.length === mostExamples && last && last.line <= line) return
    group.examples.push({ line, text: `${field}: ${oneLine(reason, longestText)}` })
    group.examples.sort((a, b) => a.line - b.line)
    group.examples.splice(mostExamples)
  }

  /**
   * Returns the lines for people: the reason of the most rows first, each with its first three rows. Of more than 15
   * reasons, the rest is counted.
   */
  function lines(): string[] {
    const sorted = [...groups.values()].sort(
      (a, b) => b.rows - a.rows || a.examples[0]!.line - b.examples[0]!.line,
    )
    const hidden = sorted.slice(mostGroups).reduce((sum, each) => sum + each.rows, others)
    const isCut = hidden > 0 || sorted.some(({ rows }) => rows > mostExamples)
    return [
      ...sorted.slice(0, mostGroups).flatMap(linesOf),
      ...(hidden > 0 ? [`Refused for further reasons: ${hidden}`] : []),
      ...(isCut ? ['Not every refused row is shown. --refused FILE writes all of them to a file.'] : []),
    ]
  }

  return { add, lines }
}

function linesOf({ rows, examples }: Group): string[] {
  const each = examples.map(({ line, text }) => `line ${line}: ${text}`)
  if (rows === 1) return each
  const more = rows - examples.length
  return [`${rows} rows for one reason${more > 0 ? `, the first ${examples.length}` : ''}:`, ...each]
}

/** The reason without what is of the row: its cells, as they are and as they are quoted, and numbers. */
function keyOf(field: string, reason: string, cells: readonly string[]): string {
  const own = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const plain = own
    .sort((a, b) => b.length - a.length)
    .reduce((text, cell) => withoutWord(withoutWord(text, JSON.stringify(cell)), cell), reason)
  return `${field.replace(/\d+/g, '#')}: ${plain.replace(/\d+(?:[.,-]\d+)*/g, '#')}`
}

/** Replaces a text where it is not a part of a word. */
function withoutWord(text: string, word: string): string {
  let rest = text
  let done = ''
  for (let at = rest.indexOf(word); at >= 0; at = rest.indexOf(word)) {
    const end = at + word.length
    const isPart = /[\p{L}\p{N}]$/u.test(rest.slice(0, at)) || /^[\p{L}\p{N}]/u.test(rest.slice(end))
    done += rest.slice(0, at) + (isPart ? word : '#')
    rest = rest.slice(end)
  }
  return done + rest
}
