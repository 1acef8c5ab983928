import type { SharedGuest, SharedReservation, SharedStay } from '../sync/shared-reservation.ts'
import type { Guest } from './guest-record.ts'
import type { RoomStay } from './room-stays.ts'

const marking = 'G#'

/** What a guest of this number is called: the number is of his reservation, and so is marked as what it is. */
const guestId = (number: string) => `${marking}${number}`

/** The number in a guest's name; null for one that is not ours. */
export function numberIn(externalId: string | null | undefined): string | null {
  return externalId?.startsWith(marking) ? externalId.slice(marking.length) : null
}

/** A stay in house as the house and a PMS tell it to one another: one reservation with one stay. */
export function sharedForm(
  { id, room }: RoomStay,
  guests: readonly Guest[],
  unitTypeCode: string,
): SharedReservation {
  const told = guests.map(sharedGuest)
  const isNamed = told.every((guest) => guest !== null)
  const stay: SharedStay = {
    externalId: id,
    status: 'InHouse',
    startDate: edge(guests, 'arrival', -1),
    endDate: edge(guests, 'departure', 1),
    units: [{ unitTypeCode, unitName: room }],
    reservationIds: reservationIds(id, guests),
    // Nobody tells how many persons stay: they are at least those who are named.
    personCount: { adults: Math.min(guests.length, 99) },
    ...(isNamed && { guests: told }),
  }
  return { externalId: id, stays: [stay] }
}

/** The same when the last of its guests has left. The house itself ends a stay that ends early. */
export function checkedOut(before: SharedReservation): SharedReservation {
  return { ...before, stays: before.stays.map((stay): SharedStay => ({ ...stay, status: 'CheckedOut' })) }
}

/** A stay of which the house alone knows: no more is said of it than what is needed to name it. */
export function knownHere({ id }: RoomStay, guests: readonly Guest[]): SharedReservation {
  const dates = { startDate: edge(guests, 'arrival', -1), endDate: edge(guests, 'departure', 1) }
  return { externalId: id, stays: [{ externalId: id, ...dates }] }
}

function sharedGuest(guest: Guest, at: number): SharedGuest | null {
  const { number, lastName, firstName, title, languageCode } = guest
  if (lastName === null) return null
  return {
    externalId: guestId(number),
    role: at === 0 ? 'PrimaryGuest' : 'AdditionalGuest',
    firstName: firstName ?? noFirstName,
    lastName,
    ...(title !== null && { title }),
    ...(languageCode !== null && { languageCode }),
  }
}

/** A person has a first name here; this stands for one that is not told. */
const noFirstName = '-'

/** The number is that of somebody who is in the stay, which may bear the name of one who has left it. */
function reservationIds(id: string, guests: readonly Guest[]): NonNullable<SharedStay['reservationIds']> {
  const group = guests.find((guest) => guest.group !== null)?.group
  const { number: value = id } = guests.find(({ number }) => number === id) ?? guests[0] ?? {}
  return [{ type: 'Pms', value }, ...(group ? [{ type: 'Group' as const, value: group }] : [])]
}

/** The earliest (-1) or the latest (1) of their dates, of which a guest in the book has both. */
function edge(guests: readonly Guest[], which: 'arrival' | 'departure', side: -1 | 1): string {
  const dates = guests.map((guest) => guest[which] ?? '').sort()
  return dates.at(side < 0 ? 0 : -1) ?? ''
}
