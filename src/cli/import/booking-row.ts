import { type BookingMap, type Count, type Day, placesIn, type ValueSource } from './booking-map.ts'

/** A row of the file: its cells by column, and its line number. The header is line 1. */
export interface BookingRow {
  line: number
  cells: Record<string, string>
}

/** A row that cannot be imported. `field` is the part of the map with the problem. */
export class RowRefused extends Error {
  field: string

  constructor(field: string, reason: string) {
    super(reason)
    this.name = 'RowRefused'
    this.field = field
  }
}

/** A booking in the form of an import request, except that the unit type is a code. */
export interface Booking {
  status: string
  /** True when the row has no persons and the number of adults comes from the map. */
  assumed: boolean
  unitType: string
  attributes: Record<string, unknown>
  stay: Record<string, unknown>
}

/** Returns the booking of a row. Throws RowRefused for cells that do not match the map. */
export function bookingOf(row: BookingRow, map: BookingMap): Booking {
  const text = (field: keyof BookingMap) => optionalText(row, field, map[field] as ValueSource | undefined)
  const externalId = needed('externalId', text('externalId'))
  const nights = countOf(row, 'nights', map.nights)
  const startDate = dayOf(row, 'arrival', map.arrival)
  const { personCount, note } = persons(row, map)
  const comment = [text('comment'), note].filter(Boolean).join(' ')
  const confirmation = text('confirmation')
  const channel = text('channel')
  return {
    assumed: note !== null,
    status: needed('status', text('status')),
    unitType: needed('unitType', text('unitType')),
    attributes: { externalId, ...(channel && { channel }) },
    stay: {
      externalId,
      startDate,
      endDate: later(startDate, nights),
      ...(nights === 0 && map.dayUse),
      personCount,
      reservationIds: confirmation ? [{ type: 'Confirmation', value: confirmation }] : [],
      ...(comment && { comment }),
      ...priceOf(row, map, nights),
      ...guestOf(row, map),
    },
  }
}

/**
 * Returns the status under which a row is counted: the imported status, or the text in the file when the map does not
 * translate it.
 */
export function statusOf({ cells, line }: BookingRow, { status }: BookingMap): string {
  if (!('column' in status)) return optionalText({ cells, line }, 'status', status) ?? 'none'
  const cell = cells[status.column]?.trim() || 'none'
  return status.values?.[cell] ?? cell
}

function persons(row: BookingRow, { adults, children, infants, nobody }: BookingMap) {
  const count = (field: string, source: Count | undefined) => (source ? countOf(row, field, source) : 0)
  const given = {
    adults: count('adults', adults),
    children: count('children', children),
    infants: count('infants', infants),
  }
  if (given.adults + given.children > 0 || !nobody) return { personCount: given, note: null }
  return {
    personCount: { ...given, adults: nobody.adults },
    note: `The booking named no guests; imported with ${nobody.adults} adults.`,
  }
}

/**
 * Returns the price times the nights, computed in integers: 68.5 for 7 nights is 479.50. A row without a price has no
 * amount.
 */
function priceOf(row: BookingRow, { nightly }: BookingMap, nights: number) {
  if (!nightly) return {}
  const price = optionalText(row, 'nightly', nightly.price)
  if (price === null) return {}
  const currency = needed('nightly', optionalText(row, 'nightly', nightly.currency))
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,4}))?$/.exec(price) ?? []
  if (whole === undefined) throw new RowRefused('nightly', `${price} is not a price`)
  const parts = BigInt(whole + fraction) * BigInt(nights)
  const digits = String(parts).padStart(fraction.length + 1, '0')
  const at = digits.length - fraction.length
  return { amount: { currency, amountWithTax: Number(`${digits.slice(0, at)}.${digits.slice(at)}`) } }
}

/** A profile needs a first name. If the file has none, it is `-`. */
function guestOf(row: BookingRow, { guest }: BookingMap) {
  const lastName = guest && optionalText(row, 'guest', guest.lastName)
  if (!guest || !lastName) return {}
  const nationality = optionalText(row, 'guest', guest.country)
  const address = optionalText(row, 'guest', guest.email)
  const profile = {
    role: 'PrimaryGuest',
    firstName: optionalText(row, 'guest', guest.firstName) ?? '-',
    lastName,
    ...(nationality && { nationality }),
    ...(address && { emails: [{ address }] }),
  }
  return { profiles: [profile] }
}

function optionalText(
  { line, cells }: BookingRow,
  field: string,
  source: ValueSource | undefined,
): string | null {
  if (!source) return null
  if ('always' in source) return source.always
  if ('text' in source) {
    const filled = (place: string) => (place === 'line' ? String(line) : (cells[place] ?? ''))
    return placesIn(source.text).reduce(
      (text, place) => text.replaceAll(`{${place}}`, filled(place)),
      source.text,
    )
  }
  const cell = cells[source.column]?.trim() ?? ''
  if (cell === '' || source.empty?.includes(cell)) return null
  if (!source.values) return cell
  if (Object.hasOwn(source.values, cell)) return source.values[cell]!
  throw new RowRefused(
    field,
    `${cell} in ${source.column} is not one of ${Object.keys(source.values).join(', ')}`,
  )
}

function needed(field: string, text: string | null): string {
  if (text !== null && text !== '') return text
  throw new RowRefused(field, 'the cell is empty')
}

function countOf({ cells }: BookingRow, field: string, source: Count): number {
  const columns = 'sum' in source ? source.sum : [source.column]
  return columns.reduce((total, column) => total + whole(field, column, cells[column]), 0)
}

function whole(field: string, column: string, cell = ''): number {
  if (/^\d{1,6}$/.test(cell.trim())) return Number(cell)
  throw new RowRefused(field, `${JSON.stringify(cell)} in ${column} is not a whole number`)
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** Returns an existing date, YYYY-MM-DD. */
function dayOf({ cells }: BookingRow, field: string, source: Day): string {
  const cell = (column: string) => (cells[column] ?? '').trim()
  const text =
    'column' in source ? cell(source.column) : [source.year, source.month, source.day].map(cell).join('-')
  const [, year, month = '', day] = /^(\d{4})-([A-Za-z]+|\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  const number = /^\d/.test(month) ? Number(month) : months.indexOf(month.toLowerCase()) + 1
  const date = `${year}-${String(number).padStart(2, '0')}-${day?.padStart(2, '0')}`
  try {
    return Temporal.PlainDate.from(date, { overflow: 'reject' }).toString()
  } catch (error) {
    if (error instanceof RangeError) throw new RowRefused(field, `${text} is not a date`)
    throw error
  }
}

function later(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}
