import { emailPattern, longestEmail } from '../../resource/values/email-address.ts'
import { oneLine, wordsForNothing } from './cell-text.ts'
import { type ColumnCells, cellsIn, countCell, countIn } from './column-cells.ts'

/**
 * What a cell of a soft detail said: a detail of the guest without which the booking is right. `kept` is the country that
 * another writing than its code was read as. Without it the cell could not be used, and is in the comment of the stay
 * if it fits there.
 */
export interface SoftCell {
  detail: 'E-mail' | 'Country'
  column: string
  text: string
  kept?: string
  fits?: boolean
}

const email = new RegExp(emailPattern, 'u')
const mostEmails = 20
const longestComment = 2_000
/** Characters of a cell in a comment. */
const longestText = 300
const longestExample = 60

/**
 * Returns the addresses of a cell with one or several of them, such as `a@example.com; Ann <b@example.com>`, each once.
 * `isWhole` is false when something in it is no address.
 */
export function emailsIn(text: string): { addresses: string[]; isWhole: boolean } {
  const [, named] = /^[^<>@]*<([^<>]+)>$/.exec(text.trim()) ?? []
  const words = (named ?? text)
    .split(/[;,|\s]+/)
    .flatMap((word) => (word.split('@').length > 2 ? word.split('/') : [word]))
    .map((word) => word.replace(/^[<("'[]*(?:mailto:)?|[>)"'\].:]*$/gi, ''))
    .filter((word) => /[^/&+-]/.test(word))
  const good = words.filter((word) => email.test(word) && word.length <= longestEmail)
  const lower = good.map((word) => word.toLowerCase())
  const each = good.filter((_, at) => lower.indexOf(lower[at]!) === at)
  const isWhole = words.length > 0 && good.length === words.length && each.length <= mostEmails
  return { addresses: each.slice(0, mostEmails), isWhole }
}

/**
 * Returns the comment of a stay with the cells that could not be used, one in a line. A cell that does not fit is left
 * out, and marked.
 */
export function withUnused(comment: string, cells: readonly SoftCell[]): string {
  let whole = comment
  for (const cell of cells) {
    if (cell.kept !== undefined) continue
    const longer = withLine(whole, `${cell.detail} in the file: ${oneLine(cell.text, longestText)}`)
    cell.fits = longer !== whole
    whole = longer
  }
  return whole
}

/** Returns a comment with a further line; the comment alone where the appliance would refuse it as too long. */
export function withLine(comment: string, line: string): string {
  const longer = comment === '' ? line : `${comment}\n${line}`
  return longer.length <= longestComment ? longer : comment
}

interface Unused extends ColumnCells {
  detail: SoftCell['detail']
  column: string
  /** The cells that did not fit into the comment. */
  left: number
}

/** Counts the soft details that were not simply taken, by column, for the summary. */
export function softCells() {
  const unused = new Map<string, Unused>()
  const read = new Map<string, ColumnCells>()

  /** Counts the cells of a booking that is accepted. */
  function add(cells: readonly SoftCell[]): void {
    for (const { detail, column, text, kept, fits } of cells) {
      if (kept === undefined) {
        const key = `${detail} ${column}`
        const its = unused.get(key) ?? { detail, column, left: 0, cells: 0, examples: new Set<string>() }
        unused.set(key, its)
        if (!fits) its.left++
        countCell(its, text)
      } else countIn(read, column, `${shown(text)} as ${kept}`)
    }
  }

  /** Returns a line for each column with such cells, for people. */
  function notes(): string[] {
    return [
      ...[...read].map(
        ([column, found]) =>
          `  ${cellsIn(column, found.cells)} had a country that is not written as its code, for example ${[...found.examples].join(', ')}`,
      ),
      ...[...unused.values()].map(({ detail, column, cells, left, examples }) => {
        const words = [...examples].filter((text) => wordsForNothing.includes(text))
        const hint =
          words.length > 0
            ? `. If ${words.join(', ')} means an empty cell, add "empty": ${JSON.stringify(words)} to the map; if it is a value, add "empty": []`
            : ''
        const lost = left > 0 ? `, except ${left} that did not fit` : ''
        return `  ${cellsIn(column, cells)} had no ${nounOf[detail]}. The comments of the stays have them${lost}, for example ${[...examples].map(shown).join('; ')}${hint}`
      }),
    ]
  }

  return { add, notes }
}

const nounOf = { 'E-mail': 'usable e-mail address', Country: 'country of ISO 3166-1' }

const shown = (text: string) => oneLine(text, longestExample)
