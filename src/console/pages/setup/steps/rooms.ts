/** A room as the box previews it. */
export interface Room {
  name: string
  unitType: string
  floor?: string | null
}

/** A line of a list of rooms cannot be read. */
export class LineRefused extends Error {
  readonly line: number
  constructor(line: number) {
    super(`line ${line}`)
    this.line = line
  }
}

/** The text of a file: UTF-8, or what a spreadsheet on Windows saves. */
export function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * Reads rooms from a CSV text: room, type, and floor if there is one; separated by commas, semicolons or tabs. A heading is left
 * out. Throws LineRefused.
 */
export function roomsInCsv(text: string): Room[] {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, cells: cellsIn(line) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const [first, ...others] = lines
  const isHeading = first && isHeadingOf(first.cells, others)
  return (isHeading ? others : lines).map(({ number, cells: [name = '', unitType = '', floor = ''] }) => {
    if (name === '' || unitType === '' || /\s/.test(unitType)) throw new LineRefused(number)
    return { name, unitType, ...(floor !== '' && { floor }) }
  })
}

/** A separator between quotation marks belongs to the cell, and two quotation marks there are one. */
function cellsIn(line: string): string[] {
  const cells = line.match(/(?:\s*"(?:[^"]|"")*"\s*|[^;,\t]*)(?:[;,\t]|$)/g) ?? []
  return cells.map((cell) =>
    cell
      .replace(/[;,\t]$/, '')
      .trim()
      .replace(/^"(.*)"$/, (_, inner: string) => inner.replaceAll('""', '"').trim()),
  )
}

/** A heading has no digit in it. A room may have none either, but its type is a usual one or that of another room. */
function isHeadingOf(cells: readonly string[], others: readonly { cells: readonly string[] }[]): boolean {
  const [, unitType = ''] = cells
  if (/\d/.test(cells.join('')) || unitType in usual) return false
  return !others.some((each) => each.cells[1] === unitType)
}

/** Usual codes of room types with how many people fit in. */
const usual: Record<string, number> = {
  SGL: 1,
  DBL: 2,
  TWN: 2,
  TRP: 3,
  QUA: 4,
  FAM: 4,
  SUI: 4,
  STU: 2,
  APT: 4,
}
export const usualOccupancy = (code: string): number => usual[code] ?? 2
