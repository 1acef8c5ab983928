import { localDate, localInstant } from '../../host/zone.ts'
import type { Reader } from '../../resource/keeper.ts'
import { first, having } from '../../resource/query.ts'
import { csvLine } from '../../resource/values/csv.ts'
import { zoneOf } from '../resources/house.ts'
import { profile } from '../resources/profile.ts'
import { type Registration, registration } from '../resources/registration.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { dateAfter } from '../stays/rules/stay-dates.ts'
import { guestIds } from '../values/registration-fields.ts'

/** More guests than a house of this size checks in on one day. */
const mostStays = 10_000

/** Who is in a line: a registration, or the name of a guest without one. */
type Person = Partial<Omit<Registration, 'firstName' | 'lastName'>> &
  Pick<Registration, 'firstName' | 'lastName'>

/** What is in the lines of a stay. */
interface OfStay {
  row: Stay
  zone: string
  units: string
}

const columns: Record<string, (person: Person, of: OfStay) => string | number | null | undefined> = {
  arrival: (_, { row, zone }) => row.checkedInAt && localDate(row.checkedInAt, zone),
  departure: (_, { row }) => row.endDate,
  units: (_, { units }) => units,
  bookingNumber: (_, { row }) => row.reservationIds[0]?.value,
  adults: (_, { row }) => row.personCount.adults,
  children: (_, { row }) => row.personCount.children,
  isRegistered: ({ id }) => (id === undefined ? 'no' : 'yes'),
  lastName: ({ lastName }) => lastName,
  firstName: ({ firstName }) => firstName,
  birthDate: ({ birthDate }) => birthDate,
  nationality: ({ nationality }) => nationality,
  addressLine1: ({ address }) => address?.line1,
  addressLine2: ({ address }) => address?.line2,
  postalCode: ({ address }) => address?.postalCode,
  city: ({ address }) => address?.city,
  region: ({ address }) => address?.region,
  country: ({ address }) => address?.country,
  documentType: ({ documentType }) => documentType,
  documentNumber: ({ documentNumber }) => documentNumber,
  documentCountry: ({ documentCountry }) => documentCountry,
  signature: ({ signature, signedOnPaper }) => (signature ? 'electronic' : signedOnPaper ? 'paper' : ''),
  rulesVersion: ({ acceptedRules }) => acceptedRules?.version,
  takenAt: ({ takenAt }) => takenAt && new Date(takenAt).toISOString(),
  takenBy: ({ takenByName, takenBy }) => takenByName ?? takenBy,
}

/**
 * Returns the guests who checked in on a day of the property (YYYY-MM-DD) as CSV: RFC 4180 in UTF-8, with a line for each. A guest
 * without a registration has the name of the profile, and `no` in `isRegistered`.
 */
export function arrivalsCsv(reader: Reader, date: string): string {
  const lines = [csvLine(Object.keys(columns))]
  const zone = zoneOf(reader)
  for (const row of arrivedOn(reader, date, zone)) {
    const units = row.units.map(({ unitName }) => unitName ?? '').join(' ')
    for (const person of personsOf(reader, row))
      lines.push(csvLine(Object.values(columns).map((cell) => plain(cell(person, { row, zone, units })))))
  }
  // The mark says to a spreadsheet that the text is UTF-8.
  return `\ufeff${lines.join('\r\n')}\r\n`
}

function arrivedOn(reader: Reader, date: string, zone: string): Stay[] {
  const midnight = (day: string) => localInstant(day, '00:00', zone, 'start')
  return reader.rows(
    stay,
    first(
      [
        { path: 'endDate', operator: 'gte', value: date },
        { path: 'checkedInAt', operator: 'gte', value: midnight(date) },
        { path: 'checkedInAt', operator: 'lt', value: midnight(dateAfter(date, 1)) },
      ],
      mostStays,
    ),
  )
}

/** The registrations of a stay, then its guests without one. */
function personsOf(reader: Reader, { id, profiles }: Stay): Person[] {
  const taken = reader.rows(registration, first(having({ stayId: id })))
  const names = guestIds(profiles)
    .filter((each) => taken.every(({ profileId }) => profileId !== each))
    .flatMap((each) => reader.row(profile, each) ?? [])
    .map(({ firstName, lastName }): Person => ({ firstName, lastName }))
  return [...taken, ...names]
}

/** A text that a spreadsheet would take for a formula gets an apostrophe before it: a guest has typed it. */
function plain(value: string | number | null | undefined): string {
  const text = String(value ?? '')
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}
