import { chargedNights } from '../../resource/charged-nights.ts'
import { firstNameOf, splitName } from '../../resource/values/person-name.ts'
import {
  type BookingMap,
  type Count,
  type Day,
  type GuestSource,
  placesIn,
  type ValueSource,
} from './booking-map.ts'
import { wordsForNothing } from './cell-text.ts'
import { countryIn } from './country-name.ts'
import { readDate } from './read-date.ts'
import { readMoney, roundedAmount, timesNights } from './read-money.ts'
import { emailsIn, type SoftCell, withUnused } from './soft-fields.ts'

/**
 * A row of the file: its cells by column, its line number, and the words of the map that stand for an empty cell. The
 * header is line 1. `written` has the cells as they stand in the file, `cells` as they are read; both are one object
 * where nothing differs.
 */
export interface BookingRow {
  line: number
  written: Record<string, string>
  cells: Record<string, string>
  empty: readonly string[] | undefined
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
  /** A price that was rounded, as it is in the file; null where none was. */
  rounded: string | null
  /** The code of the unit type; null where the unit has it. */
  unitType: string | null
  /** The name of the unit; null for a booking without one. */
  unit: string | null
  /** The number of rooms. The stay is then shared out: one for each room. */
  rooms: number
  /** The cells of soft details that were not simply taken. */
  soft: SoftCell[]
  attributes: Record<string, unknown>
  stay: Record<string, unknown>
}

/** The largest number of stays that the appliance takes in one reservation. */
const mostRooms = 100

/** Returns the booking of a row. Throws RowRefused for cells that do not match the map. */
export function bookingOf(row: BookingRow, map: BookingMap): Booking {
  const text = (field: keyof BookingMap) => optionalText(row, field, map[field] as ValueSource | undefined)
  const externalId = needed('externalId', text('externalId'))
  const startDate = dayOf(row, 'arrival', map.arrival)
  const nights = nightsOf(row, map, startDate)
  const unit = text('unit')
  const unitType = text('unitType')
  if (unit === null) needed('unitType', unitType)
  const { personCount, note } = persons(row, map)
  const { soft, ...guest } = guestOf(row, map)
  const comment = withUnused([text('comment'), note].filter(Boolean).join(' '), soft)
  const confirmation = text('confirmation')
  const channel = text('channel')
  const { rounded, amount } = priceOf(row, map, nights)
  return {
    rounded,
    assumed: note !== null,
    status: needed('status', text('status')),
    unitType,
    unit,
    rooms: roomsOf(row, map),
    soft,
    attributes: { externalId, ...(channel && { channel }) },
    stay: {
      externalId,
      startDate,
      endDate: later(startDate, nights),
      ...(nights === 0 && map.dayUse),
      personCount,
      reservationIds: confirmation ? [{ type: 'Confirmation', value: confirmation }] : [],
      ...(comment && { comment }),
      ...(amount && { amount }),
      ...guest,
    },
  }
}

/**
 * Returns the status under which a row is counted: the imported status, or the text in the file when the map does not
 * translate it.
 */
export function statusOf(row: BookingRow, { status }: BookingMap): string {
  if (!('column' in status)) return 'always' in status ? status.always : 'none'
  const cell = row.cells[status.column]?.trim() || 'none'
  return status.values?.[cell] ?? cell
}

function nightsOf(row: BookingRow, { nights, departure }: BookingMap, startDate: string): number {
  if (nights) return countOf(row, 'nights', nights)
  const endDate = dayOf(row, 'departure', departure!)
  const count = Temporal.PlainDate.from(startDate).until(endDate).days
  if (count >= 0) return count
  throw new RowRefused('departure', `${endDate} is before the arrival on ${startDate}`)
}

function persons(row: BookingRow, { adults, children, infants, nobody }: BookingMap) {
  // A count that the row does not say is left out: the front desk may have set it.
  const given = {
    adults: countOf(row, 'adults', adults, nobody ? 0 : undefined),
    ...(saysCount(row, 'children', children) && { children: countOf(row, 'children', children, 0) }),
    ...(saysCount(row, 'infants', infants) && { infants: countOf(row, 'infants', infants, 0) }),
  }
  if (given.adults + (given.children ?? 0) > 0 || !nobody) return { personCount: given, note: null }
  return {
    personCount: { ...given, adults: nobody.adults },
    note: `The booking named no guests; imported with ${nobody.adults} adults.`,
  }
}

/** Returns the price for all nights. A day use is charged once. A row without a price has no amount. */
function priceOf(row: BookingRow, { nightly, total }: BookingMap, nights: number) {
  const [field, source] = total ? (['total', total] as const) : (['nightly', nightly] as const)
  const price = source ? optionalText(row, field, source.price) : null
  if (!source || price === null) return { amount: null, rounded: null }
  const currency = optionalText(row, field, source.currency)
  const read = readMoney(price, { currency, decimal: source.decimal })
  if ('problem' in read) throw new RowRefused(field, `${price} ${read.problem}`)
  if (!total) return { amount: timesNights(read, chargedNights(nights)), rounded: null }
  const { amount, isRounded } = roundedAmount(read)
  return { amount, rounded: isRounded ? price : null }
}

function guestOf(row: BookingRow, { guest }: BookingMap): { profiles?: object[]; soft: SoftCell[] } {
  const { lastName, firstName } = guest ? namesOf(row, guest) : {}
  if (!guest || !lastName) return { soft: [] }
  const soft: SoftCell[] = []
  const nationality = softDetail(row, 'Country', guest.country, soft, (text, note) => {
    const code = countryIn(text)
    if (code === null) note()
    else if (text.toUpperCase() !== code) note(code)
    return code
  })
  const emails = softDetail(row, 'E-mail', guest.email, soft, (text, note) => {
    const { addresses, isWhole } = emailsIn(text)
    if (!isWhole) note()
    return addresses.length > 0 ? addresses.map((address) => ({ address })) : null
  })
  const profile = {
    role: 'PrimaryGuest',
    firstName: firstNameOf(firstName),
    lastName,
    ...(nationality && { nationality }),
    ...(emails && { emails }),
  }
  return { profiles: [profile], soft }
}

/** Reads a soft detail. What would refuse the row for another field is noted instead, and the detail is null. */
function softDetail<Value>(
  row: BookingRow,
  detail: SoftCell['detail'],
  source: ValueSource | undefined,
  soft: SoftCell[],
  read: (text: string, note: (kept?: string) => void) => Value | null,
): Value | null {
  if (!source) return null
  const columns = 'column' in source ? [source.column] : 'text' in source ? placesIn(source.text) : []
  const column = columns.join(', ') || 'the map'
  const note = (text: string, kept?: string) =>
    soft.push({ detail, column, text, ...(kept !== undefined && { kept }) })
  try {
    const text = optionalText(row, 'guest', source)
    // A sign such as - stands for an empty cell here.
    return text && /[\p{L}\p{N}]/u.test(text) ? read(text, (kept) => note(text, kept)) : null
  } catch (error) {
    if (!(error instanceof RowRefused)) throw error
    note(columns.map((each) => row.cells[each]?.trim() ?? '').join(' '))
    return null
  }
}

/** Returns the number of rooms of a row; an empty cell is one room. */
function roomsOf(row: BookingRow, { rooms }: BookingMap): number {
  const count = rooms ? countOf(row, 'rooms', rooms, 1) : 1
  if (count >= 1 && count <= mostRooms) return count
  throw new RowRefused('rooms', `a booking has 1 to ${mostRooms} rooms, not ${count}`)
}

function namesOf(row: BookingRow, guest: GuestSource) {
  if (guest.name) return splitName(cellOf(row, 'guest', guest.name.column, guest.name.empty))
  return {
    lastName: optionalText(row, 'guest', guest.lastName),
    firstName: optionalText(row, 'guest', guest.firstName),
  }
}

function optionalText(row: BookingRow, field: string, source: ValueSource | undefined): string | null {
  if (!source) return null
  if ('always' in source) return source.always
  if ('text' in source) {
    const filled = (place: string) =>
      place === 'line' ? String(row.line) : cellOf(row, field, place, source.empty)
    return placesIn(source.text).reduce(
      (text, place) => text.replaceAll(`{${place}}`, () => filled(place)),
      source.text,
    )
  }
  const { column, values, empty } = source
  const raw = row.cells[column]?.trim() ?? ''
  if (values && Object.hasOwn(values, raw)) return values[raw]!
  const cell = cellOf(row, field, column, empty)
  if (cell === '') return null
  if (!values) return cell
  throw new RowRefused(field, `${cell} in ${column} is not one of ${Object.keys(values).join(', ')}`)
}

/** Returns a cell; an empty text where it is empty or has one of the map's words for that. */
function cellOf(row: BookingRow, field: string, column: string, empty = row.empty): string {
  const cell = row.cells[column]?.trim() ?? ''
  if (empty?.includes(cell)) return ''
  if (empty !== undefined || !wordsForNothing.includes(cell)) return cell
  const word = JSON.stringify(cell)
  throw new RowRefused(
    field,
    `${word} in ${column} may stand for an empty cell. If it does, add "empty": [${word}] to the map; if it is a value, add "empty": [] to ${field} in the map`,
  )
}

function needed(field: string, text: string | null): string {
  if (text !== null && text !== '') return text
  throw new RowRefused(field, 'the cell is empty')
}

/** Whether one of the columns of a count has a cell that is not empty. */
function saysCount(row: BookingRow, field: string, source: Count | undefined): source is Count {
  return (
    source !== undefined &&
    columnsIn(source).some((column) => cellOf(row, field, column, source.empty) !== '')
  )
}

function columnsIn(source: Count): string[] {
  return 'sum' in source ? source.sum : [source.column]
}

/** The sum of the columns. An empty cell counts as `missing`; if that is absent, the row is refused. */
function countOf(row: BookingRow, field: string, source: Count, missing?: number): number {
  return columnsIn(source).reduce((total, column) => {
    const cell = cellOf(row, field, column, source.empty)
    return total + (cell === '' && missing !== undefined ? missing : whole(field, column, cell))
  }, 0)
}

function whole(field: string, column: string, cell: string): number {
  const count = wholeNumber(cell)
  if (count !== null) return count
  if (cell === '') throw new RowRefused(field, `the cell of ${column} is empty`)
  throw new RowRefused(field, `${JSON.stringify(cell)} in ${column} is not a whole number`)
}

/** Returns the number of a cell such as 2, or 2.0 as programs write it; null for any other text. */
export function wholeNumber(cell: string): number | null {
  return /^\d{1,6}(?:[.,]0{1,2})?$/.test(cell) ? Number.parseInt(cell, 10) : null
}

/** Returns an existing date, YYYY-MM-DD. */
function dayOf(row: BookingRow, field: string, source: Day): string {
  const cell = (column: string) => {
    const text = cellOf(row, field, column, source.empty)
    if (text === '') throw new RowRefused(field, `the cell of ${column} is empty`)
    return text
  }
  const isOne = 'column' in source
  const text = isOne ? cell(source.column) : [source.year, source.month, source.day].map(cell).join('-')
  if (!isOne && !/^\d{4}-/.test(text))
    throw new RowRefused(field, `${text}: the year in ${source.year} must have four digits`)
  const read = readDate(text, isOne ? source.order : undefined)
  if ('date' in read) return read.date
  throw new RowRefused(field, `${text}${isOne ? ` in ${source.column}` : ''} ${read.problem}`)
}

function later(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}
