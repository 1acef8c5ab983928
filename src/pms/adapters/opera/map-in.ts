import { localInstant } from '../../../host/zone.ts'
import { schemaError } from '../../../jsonapi/schemas/validate.ts'
import type { StayStatus } from '../../../reservation/stays/rules/status-rules.ts'
import { presentCountry } from '../../../resource/values/country-code.ts'
import { isStoredCurrency } from '../../../resource/values/currency.ts'
import { firstNameOf } from '../../../resource/values/person-name.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../../sync/shared-reservation.ts'
import type { Refused, ReservationChange } from '../../sync-contract.ts'
import { emailsOf, phoneNumbersOf } from '../contact-details.ts'
import { listOf } from './client.ts'
import {
  type OperaCompanion,
  type OperaGuest,
  type OperaId,
  type OperaReservation,
  type OperaStay,
  reservationSchema,
} from './records.ts'
import { statusOf } from './statuses.ts'

const longestPayload = 65_536
/** The maximum number of places of a stay. */
const mostUnits = 20
const mostGuests = 50

export interface MapOptions {
  /** The code of the property at OPERA. */
  hotelId: string
  /** Of the property, by whose clock OPERA writes the times of changes. */
  timeZone(): string
  now(): number
  /** Whether the totals of OPERA contain all taxes: then they are the prices of stays. */
  pricesIncludeTax: boolean
}

/** Converts records of OPERA to changes; those that cannot be converted are returned separately. */
export async function changesOf(
  records: readonly unknown[],
  options: MapOptions,
): Promise<{ changes: ReservationChange[]; refused: Refused[] }> {
  const changes: ReservationChange[] = []
  const refused: Refused[] = []
  for (const record of records) {
    const read = await changeOf(record, options)
    if (typeof read === 'string') refused.push(quarantined(read, record))
    else changes.push(read)
  }
  return { changes, refused }
}

/** The change, or the reason in a sentence why the record cannot be one. */
export async function changeOf(record: unknown, options: MapOptions): Promise<ReservationChange | string> {
  const wrong = await schemaError(reservationSchema, record)
  if (wrong !== null) return wrong
  const reservation = record as OperaReservation
  const { hotelId = options.hotelId } = reservation
  if (String(hotelId).toUpperCase() !== options.hotelId.toUpperCase())
    return `hotelId is ${hotelId}, which is another property.`
  const externalId = idIn(reservation.reservationIdList, 'Reservation')
  if (externalId === null) return 'reservationIdList has no id of the type Reservation.'
  const status = statusOf(reservation.reservationStatus)
  if (status === null)
    return `reservationStatus is ${reservation.reservationStatus}, which is not a known status.`
  const revision = revisionOf(reservation, options)
  return {
    is: 'reservation',
    externalId,
    revision,
    changedAt: null,
    value: sharedForm(reservation, { ...options, externalId, status }),
  }
}

/** The clocks of OPERA and of the appliance may differ by so much. */
const clocksDifferMs = 300_000

/**
 * OPERA has no revisions: the time of the last change, by the clock of the property, replaces them. A time that this clock shows twice,
 * because it was set back, is the later one as soon as that has been, so that a later change has a higher revision. 0 for a record
 * without such a time.
 */
export function revisionOf(record: unknown, { timeZone, now }: Pick<MapOptions, 'timeZone' | 'now'>): number {
  const text = (record as OperaReservation | null)?.lastModifyDateTime
  const [date = '', time = ''] = typeof text === 'string' ? text.split(/[ T]/) : []
  if (/(Z|[+-]\d\d:?\d\d)$/.test(time)) return Date.parse(`${date}T${time}`) || 0
  try {
    const [first, last] = (['start', 'end'] as const).map((edge) =>
      localInstant(date, time, timeZone(), edge),
    )
    return last! <= now() + clocksDifferMs ? last! : first!
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}

/** The id of this type; null without one. */
export function idIn(list: unknown, type: string): string | null {
  return listOf<OperaId | null>(list).find((each) => each?.type === type)?.id ?? null
}

function sharedForm(
  { reservationIdList, roomStay, reservationGuest }: OperaReservation,
  {
    externalId,
    status,
    pricesIncludeTax,
  }: Pick<MapOptions, 'pricesIncludeTax'> & { externalId: string; status: StayStatus },
): SharedReservation {
  const { ratePlanCode, bookingChannelCode } = roomStay
  const confirmation = idIn(reservationIdList, 'Confirmation')
  const stay: SharedStay = {
    externalId,
    status,
    ...datesOf(roomStay),
    units: unitsOf(roomStay),
    ...(confirmation && { reservationIds: [{ type: 'Confirmation' as const, value: confirmation }] }),
    personCount: {
      adults: Math.min(roomStay.adultCount ?? 1, 99),
      children: Math.min(roomStay.childCount ?? 0, 99),
    },
    ...(ratePlanCode && { ratePlanCode }),
    ...(pricesIncludeTax && amountOf(roomStay)),
    guests: guestsOf(reservationGuest),
  }
  return { externalId, channel: bookingChannelCode ?? null, stays: [stay] }
}

/** A reservation of several rooms is not split at OPERA yet: only one of them can have a room. */
function unitsOf({ roomType, roomId, numberOfRooms = 1 }: OperaStay): NonNullable<SharedStay['units']> {
  const count = Math.min(Math.max(numberOfRooms, 1), mostUnits)
  return Array.from({ length: count }, (_, at) => ({
    unitTypeCode: roomType,
    unitName: at === 0 ? (roomId ?? null) : null,
  }))
}

/** The price of the stay; nothing without a currency. */
function amountOf({ totalAmount }: OperaStay): Pick<SharedStay, 'amount'> {
  const { amount = -1, currencyCode = '' } = totalAmount ?? {}
  return amount >= 0 && isStoredCurrency(currencyCode)
    ? { amount: { currency: currencyCode, amountWithTax: amount } }
    : {}
}

/** The dates of a stay, and the times that are expected. */
export function datesOf({ arrivalDate, departureDate, expectedTimes }: OperaStay) {
  const startTime = timeIn(expectedTimes?.reservationExpectedArrivalTime)
  const endTime = timeIn(expectedTimes?.reservationExpectedDepartureTime)
  return {
    startDate: arrivalDate,
    ...(startTime && { startTime }),
    endDate: departureDate,
    ...(endTime && { endTime }),
  }
}

/** HH:MM; null for midnight too, which OPERA writes where no time is known. */
function timeIn(moment: string | undefined): string | null {
  const time = moment?.slice(11, 16) ?? ''
  return time === '' || time === '00:00' ? null : time
}

/** The first guest, and those who accompany him. */
export function guestsOf(guest: OperaGuest | undefined): SharedGuest[] {
  if (!guest) return []
  return [primary(guest), ...listOf<OperaCompanion>(guest.accompanyGuests).map(companion)].slice(
    0,
    mostGuests,
  )
}

function primary(guest: OperaGuest): SharedGuest {
  const { id, middleName, namePrefix, language, birthDate } = guest
  const stated = guest.nationality?.isoCode ?? guest.nationality?.code
  const nationality = stated && presentCountry(stated)
  const code = language?.slice(0, 2).toLowerCase()
  return {
    ...(id && { externalId: id }),
    role: 'PrimaryGuest',
    firstName: firstNameOf(nameOf(guest.givenName)),
    ...(middleName && { middleName: middleName.slice(0, 100) }),
    lastName: nameOf(guest.surname) || noLastName,
    ...(namePrefix && { title: namePrefix.slice(0, 30) }),
    ...(nationality && { nationality }),
    // A property may have languages of its own, such as E.
    ...(code && /^[a-z]{2}$/.test(code) && { languageCode: code }),
    ...(birthDate && /^\d{4}-\d\d-\d\d$/.test(birthDate) && { birthDate }),
    ...emailsOf(guest.email),
    ...phoneNumbersOf(guest.phoneNumber),
  }
}

function companion({ firstName, lastName, profileIdList }: OperaCompanion): SharedGuest {
  const [first] = listOf<OperaId>(profileIdList)
  return {
    ...(first && { externalId: first.id }),
    role: 'AdditionalGuest',
    firstName: firstNameOf(nameOf(firstName)),
    lastName: nameOf(lastName) || noLastName,
  }
}

/** A guest needs a last name here; this text replaces a missing one. */
const noLastName = '-'

function nameOf(name: unknown): string {
  return typeof name === 'string' ? name.trim().slice(0, 100) : ''
}

function quarantined(reason: string, record: unknown): Refused {
  const payload = JSON.stringify(record) ?? ''
  const id = idIn((record as Partial<OperaReservation> | null)?.reservationIdList, 'Reservation')
  return {
    reason,
    payload: payload.slice(0, longestPayload),
    size: Buffer.byteLength(payload),
    externalId: typeof id === 'string' ? id.slice(0, 128) : null,
  }
}
