import { exponentOf } from '../../resource/values/currency.ts'
import type { BookingMap } from './booking-map.ts'
import { type Booking, RowRefused } from './booking-row.ts'
import { type Amount, decimalOf } from './read-money.ts'
import { withLine } from './soft-fields.ts'

/** One room of a booking: its stay, and the name of its unit; null for a room without one. */
export interface RoomShare {
  unit: string | null
  stay: Record<string, unknown>
}

/** A count that the row does not say is absent. */
interface Persons {
  adults: number
  children?: number
  infants?: number
}

/**
 * Shares a booking of several rooms out into one stay for each. A booking of one room is returned as it is. The stays
 * have the externalId of the booking, from the second one on with -R2 and so on: a booking that was imported as one room
 * keeps that stay. Adults are shared out evenly, the first rooms first; each child comes to the room with the fewest
 * persons. The price is divided in minor units, and the last stay has the rest. Throws RowRefused for fewer adults than
 * rooms, unless `nobody` of the map says how many adults a room without one has.
 */
export function roomShares(booking: Booking, { nobody }: BookingMap): RoomShare[] {
  const { rooms, unit, stay } = booking
  if (rooms === 1) return [{ unit, stay }]
  const given = stay.personCount as Persons
  const adults = booking.assumed ? given.adults * rooms : given.adults
  const people = sharedPersons({ ...given, adults }, rooms, nobody?.adults)
  const amounts = stay.amount ? sharedAmount(stay.amount as Amount, rooms) : null
  const units = sharedUnit(unit, rooms)
  return people.map((personCount, at) => ({
    unit: units[at] ?? null,
    stay: {
      ...stay,
      ...(at > 0 && { externalId: `${stay.externalId}-R${at + 1}` }),
      personCount,
      comment: withLine(
        String(stay.comment ?? ''),
        `Room ${at + 1} of ${rooms} of the booking.${assumedNote(booking, given, at)}`,
      ),
      ...(amounts && { amount: amounts[at] }),
    },
  }))
}

function assumedNote(booking: Booking, { adults }: Persons, at: number): string {
  const { rooms } = booking
  return isShortOfAdults(booking) && at >= adults
    ? ` The file has ${adultsOf(adults)} for ${rooms} rooms; those of this room are assumed.`
    : ''
}

const adultsOf = (count: number) => `${count} ${count === 1 ? 'adult' : 'adults'}`

/** Whether `nobody` of the map gave adults to a room of the booking. */
export function isShortOfAdults({ rooms, assumed, stay }: Booking): boolean {
  return !assumed && rooms > (stay.personCount as Persons).adults && rooms > 1
}

function sharedPersons(
  { adults, children, infants }: Persons,
  rooms: number,
  assumed: number | undefined,
): Persons[] {
  if (adults < rooms && assumed === undefined)
    throw new RowRefused(
      'rooms',
      `${rooms} rooms have ${adultsOf(adults)}, and each room needs one. Add "nobody": {"adults": 1} to the map to assume one in each room without an adult`,
    )
  const even = Math.floor(adults / rooms)
  const shares = Array.from({ length: rooms }, (_, at) => ({
    adults: even + Number(at < adults % rooms) || (assumed ?? 0),
    children: 0,
    infants: 0,
  }))
  const fewest = (count: (share: Required<Persons>) => number) =>
    shares.reduce((least, each) => (count(each) < count(least) ? each : least))
  for (let child = 0; child < (children ?? 0); child++)
    fewest((each) => each.adults + each.children).children++
  for (let infant = 0; infant < (infants ?? 0); infant++) fewest((each) => each.infants).infants++
  return shares.map((each) => ({
    adults: each.adults,
    ...(children !== undefined && { children: each.children }),
    ...(infants !== undefined && { infants: each.infants }),
  }))
}

/** Writes all digits of a number: `String` writes 0.0000001 as 1e-7. */
const plain = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 })

/** Divides an amount in integers. A price with more decimals than its currency keeps them, and the appliance refuses it. */
function sharedAmount({ currency, amountWithTax }: Amount, rooms: number): Amount[] {
  const [whole = '0', written = ''] = plain.format(amountWithTax).split('.')
  const fraction = written.padEnd(exponentOf(currency), '0')
  const minor = BigInt(whole + fraction)
  const part = minor / BigInt(rooms)
  const last = minor - part * BigInt(rooms - 1)
  return Array.from({ length: rooms }, (_, at) => ({
    currency,
    amountWithTax: decimalOf(at < rooms - 1 ? part : last, fraction.length),
  }))
}

/** A cell such as `201, 202` names a unit for each room. Any other names the unit of the first room. */
function sharedUnit(unit: string | null, rooms: number): (string | null)[] {
  const names = unit?.split(/[,;/+&]/).map((name) => name.trim()) ?? []
  return names.length === rooms && !names.includes('') ? names : [unit]
}
