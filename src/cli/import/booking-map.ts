import { readFileSync } from 'node:fs'
import { CommandFailed } from '../exit-codes.ts'

/**
 * A value made from a row: the cell of a column, optionally translated by `values`; a text with {column} and {line}; or
 * a constant.
 */
export type ValueSource =
  | { column: string; values?: Record<string, string>; empty?: string[] }
  | { text: string }
  | { always: string }

/** A whole number: one column, or the sum of several columns. */
export type Count = { column: string } | { sum: string[] }

/** A date: one column YYYY-MM-DD, or three columns. A month can be an English name. */
export type Day = { column: string } | { year: string; month: string; day: string }

/** Maps the columns of a file to the fields of a booking. Each row is one reservation with one stay in one unit. */
export interface BookingMap {
  externalId: ValueSource
  status: ValueSource
  arrival: Day
  nights: Count
  /** The times HH:MM of a stay without nights. If absent, such a row is refused. */
  dayUse?: { startTime: string; endTime: string }
  adults: Count
  children?: Count
  infants?: Count
  /**
   * The number of adults of a row without persons, which the stay's comment then states. If absent, such a row is
   * refused.
   */
  nobody?: { adults: number }
  /** The code of a unit type. */
  unitType: ValueSource
  /** The price of one night in major units, and its currency. A row without a price has no amount. */
  nightly?: { price: ValueSource; currency: ValueSource }
  /** The guest. A row without a last name has no guest. */
  guest?: { lastName: ValueSource; firstName?: ValueSource; country?: ValueSource; email?: ValueSource }
  confirmation?: ValueSource
  channel?: ValueSource
  comment?: ValueSource
  /** The unit types by code: the name and the number of units with which a missing type is created. */
  unitTypes?: Record<string, { name: string; units: number }>
}

const required = ['externalId', 'status', 'arrival', 'nights', 'adults', 'unitType'] as const
const optional = [
  'dayUse',
  'children',
  'infants',
  'nobody',
  'nightly',
  'guest',
  'confirmation',
  'channel',
  'comment',
  'unitTypes',
] as const

/** Reads a map. Throws CommandFailed `missing` or `data` with the wrong part. */
export function readMap(path: string): BookingMap {
  const map = parsed(path)
  const known: readonly string[] = [...required, ...optional, 'about']
  const strange = Object.keys(map).find((name) => !known.includes(name))
  if (strange !== undefined)
    throw wrong(path, `${strange} is not a member of a map; the members are ${known.join(', ')}`)
  const missing = required.find((name) => map[name] === undefined)
  if (missing !== undefined) throw wrong(path, `${missing} is missing`)
  for (const [name, part] of Object.entries(map)) {
    if (name !== 'about' && (typeof part !== 'object' || part === null))
      throw wrong(path, `${name} must be an object`)
  }
  return map as unknown as BookingMap
}

/** Returns the columns that a map uses, sorted. */
export function columnsOf(map: BookingMap): string[] {
  return [...new Set(columnsIn(map))].sort()
}

const columnNames = ['column', 'year', 'month', 'day']

function columnsIn(part: object): string[] {
  return Object.entries(part).flatMap(([name, value]) => {
    if (name === 'unitTypes' || name === 'values' || name === 'empty') return []
    if (columnNames.includes(name) && typeof value === 'string') return [value]
    if (name === 'sum' && Array.isArray(value)) return value.map(String)
    if (name === 'text' && typeof value === 'string')
      return placesIn(value).filter((place) => place !== 'line')
    return typeof value === 'object' && value !== null ? columnsIn(value) : []
  })
}

/** Returns the names in braces. */
export function placesIn(text: string): string[] {
  return [...text.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
}

function parsed(path: string): Record<string, unknown> {
  try {
    const map: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof map === 'object' && map !== null && !Array.isArray(map)) return map as Record<string, unknown>
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CommandFailed('missing', `There is no map ${path}.`)
    throw wrong(path, message)
  }
  throw wrong(path, 'a map is a JSON object')
}

function wrong(path: string, what: string): CommandFailed {
  return new CommandFailed('data', `The map ${path} cannot be used: ${what}.`)
}
