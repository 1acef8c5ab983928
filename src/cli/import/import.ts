import { type Clock, systemClock } from '../../host/clock.ts'
import type { Client } from '../client.ts'
import { type BookingMap, columnsOf, readMap } from './booking-map.ts'
import { type Booking, type BookingRow, bookingOf, RowRefused, statusOf } from './booking-row.ts'
import { type CsvFormat, nameOf } from './csv-format.ts'
import { formatOf, rowsOf } from './csv-rows.ts'
import { dateOrder } from './date-order.ts'
import { htmlCells } from './html-text.ts'
import { type Sent, sender } from './import-batches.ts'
import { tally } from './import-tally.ts'
import { type KnownUnits, knownUnits } from './import-units.ts'
import { roundedTotals } from './read-money.ts'
import type { RowRefusal } from './refusal-groups.ts'
import { isShortOfAdults, type RoomShare, roomShares } from './room-shares.ts'
import { roundedNumbers } from './rounded-numbers.ts'
import { differenceList } from './row-differences.ts'
import { softCells } from './soft-fields.ts'
import { stayInWords } from './stay-in-words.ts'
import { unreadCounts } from './unread-counts.ts'

export interface ImportOptions {
  map: string
  createUnits?: boolean
  refused?: string
  dryRun?: boolean
  /** Bookings that are stored otherwise are changed. */
  update?: boolean
  /** The file for the differences; without it, the first rows go to `warn`. */
  differences?: string
}

/** What an import takes from the machine: its clock, and where its lines for people go. */
export interface ImportHost {
  clock: Clock
  /** Takes the result: standard output. */
  print: (text: string) => void
  /** Takes the reasons of refusals and the progress: standard error. */
  warn: (line: string) => void
}

const terminal: ImportHost = { clock: systemClock, print: console.log, warn: console.error }

/**
 * Imports a file and prints the counts. Resolves with the number of rows that were refused, or that differ from what is stored and
 * were not changed.
 */
export async function importBookings(
  ask: Client,
  file: string,
  options: ImportOptions,
  { clock, print, warn }: ImportHost = terminal,
): Promise<number> {
  const isDryRun = options.dryRun === true
  // The whole file is read once before anything is created in the appliance.
  const { map, format, notes } = await inspected(file, readMap(options.map))
  const count = tally({ refusedFile: options.refused ?? null, clock, warn, isDryRun })
  const units = await knownUnits(ask, map, { create: options.createUnits === true, isDryRun })
  const facts = { assumed: 0, short: 0, already: 0, unchecked: 0 }
  const [words, rounding, soft] = [stayInWords(map), roundedTotals(), softCells()]
  const isUpdate = options.update === true
  const updated = isDryRun ? 'tried' : 'changed'
  const as = isUpdate ? updated : 'listed'
  const list = differenceList({ file: options.differences ?? null, warn, as })
  const accept = (booking: Booking) => {
    if (booking.assumed) facts.assumed++
    else if (isShortOfAdults(booking)) facts.short++
    soft.add(booking.soft)
    rounding.look(booking)
  }
  const batches = sender({ ask, clock, isDryRun, isUpdate }, ({ row, booking }, result) => {
    const { refused, already, differences } = result
    count.add(row, booking.status, refused, !isUpdate && differences.length > 0)
    list.add(row.line, booking.attributes.externalId, differences)
    if (refused.length > 0) return
    words.look(row, booking)
    if (differences.length > 0) return
    if (already) facts.already++
    else accept(booking)
  })
  const read = bookingReader(map, units)
  try {
    for await (const row of rowsOf(file, map, format)) {
      const booking = read(row)
      if ('reason' in booking) count.add(row, booking.status, [booking])
      else if (booking.body) await batches.send({ row, ...booking, body: booking.body })
      else {
        facts.unchecked++
        words.look(row, booking.booking)
        count.add(row, booking.booking.status, [])
        accept(booking.booking)
      }
    }
    await batches.end()
  } catch (error) {
    await batches.idle()
    if (!isDryRun)
      warn('The import stopped. Run it again: bookings that are already imported are not doubled.')
    throw error
  } finally {
    count.end()
    list.end()
  }
  print(
    [
      ...count.summary(),
      ...notes,
      ...rounding.notes(),
      ...soft.notes(),
      ...units.notes,
      ...list.notes(),
      ...notesOf(facts, map, isDryRun),
      ...words.notes(isDryRun),
    ].join('\n'),
  )
  return count.failed()
}

/**
 * Reads the whole file: finds its separator, its encoding and the order of its dates, and returns them with the map and
 * as notes for a person. Throws CommandFailed `data` for a file that cannot be read to its end.
 */
async function inspected(path: string, given: BookingMap) {
  const format = await formatOf(path, given)
  const order = dateOrder(given)
  const html = htmlCells(columnsOf(given))
  const [numbers, counts] = [roundedNumbers(given), unreadCounts(given)]
  const looks = [order, html, numbers, counts]
  for await (const row of rowsOf(path, given, format)) for (const each of looks) each.look(row)
  numbers.expectNone(path)
  const { map, note } = order.settle(path)
  const found = [html, numbers, counts].flatMap((each) => each.notes())
  return { map, format, notes: [formatNote(format), ...(note ? [`  ${note}`] : []), ...found] }
}

function formatNote({ separator, encoding }: CsvFormat): string {
  return `  Read with ${nameOf(separator)} as the separator and the encoding ${encoding.toUpperCase()}.`
}

function notesOf(
  { assumed, short, already, unchecked }: Record<'assumed' | 'short' | 'already' | 'unchecked', number>,
  { nobody }: BookingMap,
  isDryRun: boolean,
): string[] {
  const none = [
    already > 0 && `  ${already} of the accepted bookings were imported before and are not changed`,
    assumed > 0 &&
      `  ${assumed} of the accepted bookings named no guests. Adults assumed for each: ${nobody?.adults}. Their comments say so`,
    short > 0 &&
      `  ${short} of the accepted bookings named fewer adults than rooms. Adults assumed in each room without one: ${nobody?.adults}. The comments say so`,
    unchecked > 0 &&
      `  ${unchecked} of the bookings are of unit types or units that do not exist yet; only their cells were checked`,
    isDryRun &&
      '  Each row was checked by itself: two rows of the file that want one room are both accepted here',
  ]
  return none.filter((note) => note !== false)
}

/** A booking and its request; `body` is null where it cannot be checked, because its unit type does not exist yet. */
type ReadBooking = { booking: Booking; body: Sent['body'] | null } | (RowRefusal & { status: string })

/** Returns a function that reads one row after the other, and refuses a second row with the externalId of another. */
function bookingReader(map: BookingMap, units: KnownUnits): (row: BookingRow) => ReadBooking {
  const lines = new Map<unknown, number>()
  return (row) => {
    try {
      const booking = bookingOf(row, map)
      const rooms = roomShares(booking, map)
      const places = placesOf(booking, rooms, units)
      const { externalId } = booking.attributes
      const line = lines.get(externalId)
      if (line !== undefined) throw new RowRefused('externalId', `${externalId} is in line ${line} too`)
      lines.set(externalId, row.line)
      const stays = rooms.map(({ stay }, at) => ({ ...stay, status: booking.status, units: [places[at]] }))
      return { booking, body: places.includes(null) ? null : { ...booking.attributes, stays } }
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error
      return { field: error.field, reason: error.message, status: statusOf(row, map) }
    }
  }
}

/** Returns the unit type and unit of each room. A room without a unit has the type of the first one if the row names none. */
function placesOf({ unitType }: Booking, rooms: readonly RoomShare[], { placeOf }: KnownUnits) {
  const first = placeOf({ unitType, unit: rooms[0]!.unit })
  const further = rooms.slice(1).map(({ unit }) => {
    if (unitType !== null || unit !== null) return placeOf({ unitType, unit })
    return first && { unitTypeId: first.unitTypeId }
  })
  return [first, ...further]
}
