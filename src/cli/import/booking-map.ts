import { readFileSync } from 'node:fs'
import { hintFor } from '../../resource/nearest.ts'
import { CommandFailed } from '../exit-codes.ts'
import { cleanText } from './cell-text.ts'
import type { DayOrder } from './read-date.ts'

/**
 * A value made from a row: the cell of a column, optionally translated by `values`; a text with {column} and {line}; or
 * a constant. `empty` lists the words that stand for an empty cell, and replaces that of the map.
 */
export type ValueSource =
  | { column: string; values?: Record<string, string>; empty?: string[] }
  | { text: string; empty?: string[] }
  | { always: string }

/** A whole number: one column, or the sum of several columns. */
export type Count = { column: string; empty?: string[] } | { sum: string[]; empty?: string[] }

/**
 * A date: one column, or three columns. A column has 2026-11-22, 22.11.2026, 22/11/2026, 11/22/2026 or 22 November 2026.
 * `order` is that of day and month; without it, the file must decide. A month can be an English name.
 */
export type Day =
  | { column: string; order?: DayOrder; empty?: string[] }
  | { year: string; month: string; day: string; empty?: string[] }

/**
 * A price in major units. A row without a price has no amount. `currency` can be absent where the cells have it.
 * `decimal` is the decimal separator of a price such as 1.234; other prices show it.
 */
export interface PriceSource {
  price: ValueSource
  currency?: ValueSource
  decimal?: '.' | ','
}

/** A guest with two columns for the name, or with one that has both as `Last, First`. */
export type GuestSource = { country?: ValueSource; email?: ValueSource } & (
  | { lastName: ValueSource; firstName?: ValueSource; name?: undefined }
  | { name: { column: string; order: 'last, first'; empty?: string[] } }
)

/** Maps the columns of a file to the fields of a booking. Each row is one reservation with one stay for each room. */
export interface BookingMap {
  externalId: ValueSource
  status: ValueSource
  arrival: Day
  /** Either the number of nights or the departure. */
  nights?: Count
  departure?: Day
  /** The times HH:MM of a stay without nights. If absent, such a row is refused. */
  dayUse?: { startTime: string; endTime: string }
  adults: Count
  children?: Count
  infants?: Count
  /** The number of rooms, whose stays share the persons and the price. If absent, a row is one room. */
  rooms?: Count
  /**
   * The number of adults of a row without persons, and of a room without an adult, which the stay's comment then
   * states. If absent, such a row is refused.
   */
  nobody?: { adults: number }
  /** The code of a unit type. If absent, it is that of the unit. */
  unitType?: ValueSource
  /** The name of the unit that the stay has. A row without a name has no unit yet. */
  unit?: ValueSource
  /** Either the price of one night, or that of the whole stay. A day use is charged as one night. */
  nightly?: PriceSource
  total?: PriceSource
  /** The guest. A row without a last name has no guest. The last and the first name have columns of their own, or one column. */
  guest?: GuestSource
  confirmation?: ValueSource
  channel?: ValueSource
  comment?: ValueSource
  /** The unit types by code: the name and the number or names of the units with which a missing type is created. */
  unitTypes?: Record<string, { name: string; units: number | string[] }>
  /** The words that stand for an empty cell, such as NA and NULL. */
  empty?: string[]
  /** The separator of the columns. If absent, the header decides. */
  separator?: string
  /** A label of the Encoding standard, such as windows-1252. Default: UTF-8. A byte order mark comes first. */
  encoding?: string
}

const required = ['externalId', 'status', 'arrival', 'adults'] as const
const eitherOf = [
  ['nights', 'departure'],
  ['unitType', 'unit'],
] as const
const optional = [
  ...eitherOf.flat(),
  'dayUse',
  'children',
  'infants',
  'rooms',
  'nobody',
  'nightly',
  'total',
  'guest',
  'confirmation',
  'channel',
  'comment',
  'unitTypes',
  'empty',
  'separator',
  'encoding',
] as const
/** Members that are no objects. */
const plain = ['about', 'empty', 'separator', 'encoding']

/** Reads a map. Throws CommandFailed `missing` or `data` with the wrong part. */
export function readMap(path: string): BookingMap {
  const map = parsed(path)
  const known: readonly string[] = [...required, ...optional, 'about']
  const strange = Object.keys(map).find((name) => !known.includes(name))
  if (strange !== undefined)
    throw wrong(
      path,
      `${strange} is not a member of a map; the members are ${known.join(', ')}`,
      hintFor(strange, known),
    )
  const missing = required.find((name) => map[name] === undefined)
  if (missing !== undefined) throw wrong(path, `${missing} is missing`)
  const lacking = eitherOf.find((names) => names.every((name) => map[name] === undefined))
  if (lacking) throw wrong(path, `it needs ${lacking.join(' or ')}`)
  if (map.nights !== undefined && map.departure !== undefined)
    throw wrong(path, 'nights and departure state the same. Leave one of them out')
  if (map.nightly !== undefined && map.total !== undefined)
    throw wrong(
      path,
      'nightly is the price of one night, and total that of the whole stay. Leave one of them out',
    )
  for (const [name, part] of Object.entries(map)) {
    if (!plain.includes(name) && !isObject(part)) throw wrong(path, `${name} must be an object`)
  }
  const problem = problemIn(map as Partial<BookingMap>)
  if (problem) throw wrong(path, problem)
  return map as unknown as BookingMap
}

function problemIn(map: Partial<BookingMap>): string | null {
  const { separator, encoding, empty, arrival, departure } = map
  if (separator !== undefined && !/^[^"\r\n]$/.test(separator)) return 'separator must be one character'
  if (encoding !== undefined && !isEncoding(encoding)) return `${encoding} is not the name of an encoding`
  const isList = Array.isArray(empty) && empty.every((word) => typeof word === 'string')
  if (empty !== undefined && !isList) return 'empty must be a list of words'
  const order = [arrival, departure].map((day) => day && 'column' in day && day.order).find(Boolean)
  if (order && order !== 'DMY' && order !== 'MDY')
    return `order must be "DMY" (day first) or "MDY" (month first), not ${order}`
  return priceProblem(map, 'nightly') ?? priceProblem(map, 'total') ?? guestProblem(map)
}

function priceProblem(map: Partial<BookingMap>, name: 'nightly' | 'total'): string | null {
  const source = map[name]
  if (!source) return null
  const strange = Object.keys(source).find((each) => !['price', 'currency', 'decimal'].includes(each))
  if (strange !== undefined)
    return `${strange} is not a member of ${name}; it has price, currency and decimal`
  if (!isObject(source.price)) return `${name} needs price, such as {"price": {"column": "Price"}}`
  if (source.currency !== undefined && !isObject(source.currency))
    return `currency of ${name} must be an object, such as {"always": "EUR"}`
  const isSeparator = source.decimal === undefined || source.decimal === '.' || source.decimal === ','
  return isSeparator ? null : `decimal of ${name} must be "." or ","`
}

function guestProblem({ guest }: Partial<BookingMap>): string | null {
  if (!guest) return null
  if (!('name' in guest)) return isObject(guest.lastName) ? null : 'guest needs lastName or name'
  if ('lastName' in guest || 'firstName' in guest)
    return 'name of guest has the last and the first name. Leave lastName and firstName out'
  const { column, order } = (guest.name ?? {}) as Partial<NonNullable<typeof guest.name>>
  return typeof column === 'string' && order === 'last, first'
    ? null
    : 'name of guest must be {"column": "Guest", "order": "last, first"}. If the column has one name only, use lastName'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isEncoding(label: string): boolean {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

/** Returns the columns that a map or some of its members use, sorted. */
export function columnsOf(map: Partial<BookingMap>): string[] {
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
    return isObject(value) ? columnsIn(value) : []
  })
}

/** Returns the names in braces. */
export function placesIn(text: string): string[] {
  return [...text.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
}

function parsed(path: string): Record<string, unknown> {
  try {
    const map: unknown = JSON.parse(readFileSync(path, 'utf8'), cleaned)
    if (isObject(map) && !Array.isArray(map)) return map as Record<string, unknown>
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CommandFailed('missing', `There is no map ${path}.`)
    throw wrong(path, message)
  }
  throw wrong(path, 'a map is a JSON object')
}

/** The words and columns of the map are cleaned as the cells are, so that both are the same. */
function cleaned(name: string, value: unknown): unknown {
  if (typeof value === 'string')
    return name === 'separator' ? value : cleanText(value).replace(/\{ *([^{}]*?) *\}/g, '{$1}')
  if (!isObject(value) || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [cleanText(name), each]))
}

function wrong(path: string, what: string, hint = ''): CommandFailed {
  return new CommandFailed('data', `The map ${path} cannot be used: ${what}.${hint}`)
}
