import { firstNameOf } from '../../../resource/values/person-name.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../../sync/shared-reservation.ts'
import type { Guest } from './guest-record.ts'
import type { RoomStay } from './room-stays.ts'

const marking = 'G#'

/** The external id of a guest's reservation: its number, with a mark of its kind. */
const guestId = (number: string) => `${marking}${number}`

/** The number in an external id; null for any other id. */
export function numberIn(externalId: string | null | undefined): string | null {
  return externalId?.startsWith(marking) ? externalId.slice(marking.length) : null
}

/** A stay in house as a shared reservation: one reservation with one stay. */
export function sharedForm(
  { id, room }: RoomStay,
  guests: readonly Guest[],
  unitTypeCode: string,
): SharedReservation {
  const shared = guests.map(sharedGuest)
  const isNamed = shared.every((guest) => guest !== null)
  const stay: SharedStay = {
    externalId: id,
    status: 'InHouse',
    startDate: edge(guests, 'arrival', -1),
    endDate: edge(guests, 'departure', 1),
    units: [{ unitTypeCode, unitName: room }],
    reservationIds: reservationIds(id, guests),
    // The protocol does not report the number of persons. The number of named guests is the minimum.
    personCount: { adults: Math.min(guests.length, 99) },
    ...(isNamed && { guests: shared }),
  }
  return { externalId: id, stays: [stay] }
}

/** The same reservation after its last guest has left. Its dates stay: the appliance itself shortens a stay that ends early. */
export function checkedOut(before: SharedReservation): SharedReservation {
  return { ...before, stays: before.stays.map((stay): SharedStay => ({ ...stay, status: 'CheckedOut' })) }
}

/** The reservation of a stay that only the appliance knows: its id and its dates. */
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
    firstName: firstNameOf(firstName),
    lastName,
    ...(title !== null && { title }),
    ...(languageCode !== null && { languageCode }),
  }
}

/** The number of a guest who is in the stay, by preference that of the stay's id, and the group. */
function reservationIds(id: string, guests: readonly Guest[]): NonNullable<SharedStay['reservationIds']> {
  const group = guests.find((guest) => guest.group !== null)?.group
  const { number: value = id } = guests.find(({ number }) => number === id) ?? guests[0] ?? {}
  return [{ type: 'Pms', value }, ...(group ? [{ type: 'Group' as const, value: group }] : [])]
}

/** The earliest (-1) or the latest (1) of the guests' dates; every guest in the book has both. */
function edge(guests: readonly Guest[], which: 'arrival' | 'departure', side: -1 | 1): string {
  const dates = guests.map((guest) => guest[which] ?? '').sort()
  return dates.at(side < 0 ? 0 : -1) ?? ''
}
