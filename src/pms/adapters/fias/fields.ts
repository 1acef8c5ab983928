import type { SharedGuest, SharedReservation, SharedStay } from '../../sync/shared-reservation.ts'

type Member =
  | `reservation.${keyof SharedReservation}`
  | `stay.${keyof SharedStay}`
  | `guest.${keyof SharedGuest}`

/** The mapping of each field of a guest. The protocol has no field for the other members of a reservation. */
export const meaning = {
  'G#': ['reservation.externalId', 'stay.externalId', 'stay.reservationIds', 'guest.externalId'],
  RN: ['stay.units'],
  GA: ['stay.startDate'],
  GD: ['stay.endDate'],
  GN: ['guest.lastName'],
  GF: ['guest.firstName'],
  GT: ['guest.title'],
  GL: ['guest.languageCode'],
  GG: ['stay.reservationIds'],
  // Whether several guests in a room are one stay.
  GS: ['stay.guests', 'guest.role', 'stay.personCount'],
} as const satisfies Record<string, readonly Member[]>

/** GL: the languages in the specification. Any other language is left out. */
export const languages: Readonly<Record<string, string>> = {
  EA: 'en',
  FR: 'fr',
  GE: 'de',
  IT: 'it',
  JA: 'ja',
  RU: 'ru',
  SP: 'es',
}

/** RS, the housekeeping status of a room: even numbers are of occupied rooms. */
export const roomStatuses: Readonly<Record<string, 'Dirty' | 'Clean' | 'Inspected'>> = {
  1: 'Dirty',
  2: 'Dirty',
  3: 'Clean',
  4: 'Clean',
  5: 'Inspected',
  6: 'Inspected',
}

/** RS of a unit; null for a status that the protocol does not have. */
export function roomStatusOf(status: string, isOccupied: boolean): string | null {
  const [vacant, occupied] = Object.keys(roomStatuses).filter((number) => roomStatuses[number] === status)
  return (isOccupied ? occupied : vacant) ?? null
}
