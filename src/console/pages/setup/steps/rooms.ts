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

/**
 * Reads rooms from a CSV text: room, type, and floor if there is one; separated by commas, semicolons or tabs. A heading is left
 * out. Throws LineRefused.
 */
export function roomsInCsv(text: string): Room[] {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({
      number: index + 1,
      cells: line.split(/[;,\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const [first, ...others] = lines
  // A heading has no digit in it.
  const rooms = first && !/\d/.test(first.cells.join('')) ? others : lines
  return rooms.map(({ number, cells: [name = '', unitType = '', floor = ''] }) => {
    if (name === '' || unitType === '' || /\s/.test(unitType)) throw new LineRefused(number)
    return { name, unitType, ...(floor !== '' && { floor }) }
  })
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
