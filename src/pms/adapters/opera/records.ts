import type { Schema } from '../../../reservation/values/value-schema.ts'

/** An id with its type, such as Reservation or Confirmation; the type is a Profile's where it is absent. */
export interface OperaId {
  id: string
  type?: string
}

/** The used members of `reservationInfoType` of the list of reservations. Times are those of the property, without a zone. */
export interface OperaReservation {
  reservationIdList: OperaId[] | OperaId
  externalReferences?: { id?: string; idContext?: string }[]
  roomStay: OperaStay
  reservationGuest?: OperaGuest
  hotelId?: string
  lastModifyDateTime: string
  reservationStatus: string
  computedReservationStatus?: string
}

export interface OperaStay {
  arrivalDate: string
  departureDate: string
  expectedTimes?: { reservationExpectedArrivalTime?: string; reservationExpectedDepartureTime?: string }
  adultCount?: number
  childCount?: number
  roomType: string
  numberOfRooms?: number
  roomId?: string
  ratePlanCode?: string
  bookingChannelCode?: string
  totalAmount?: { amount?: number; currencyCode?: string }
}

export interface OperaGuest {
  id?: string
  givenName?: string
  middleName?: string
  surname?: string
  namePrefix?: string
  nationality?: { code?: string; isoCode?: string }
  language?: string
  birthDate?: string
  email?: string
  phoneNumber?: string
  accompanyGuests?: OperaCompanion[] | OperaCompanion
}

export interface OperaCompanion {
  firstName?: string
  lastName?: string
  profileIdList?: OperaId[] | OperaId
}

const text = (maxLength: number): Schema => ({ type: 'string', minLength: 1, maxLength })
const date: Schema = { type: 'string', format: 'date' }
/** `2026-06-01 14:00:00.0` and ISO 8601 both occur. */
const moment: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:?\\d\\d)?$',
}
const count: Schema = { type: 'integer', minimum: 0, maximum: 999 }
const id: Schema = { type: 'object', properties: { id: text(80), type: text(40) }, required: ['id'] }
const oneOrMany = (item: Schema): Schema => ({ anyOf: [item, { type: 'array', maxItems: 100, items: item }] })

/** JSON Schema of a received reservation. Members that are not listed are not read. */
export const reservationSchema: Schema = {
  type: 'object',
  properties: {
    reservationIdList: oneOrMany(id),
    roomStay: {
      type: 'object',
      properties: {
        arrivalDate: date,
        departureDate: date,
        expectedTimes: {
          type: 'object',
          properties: { reservationExpectedArrivalTime: moment, reservationExpectedDepartureTime: moment },
        },
        adultCount: count,
        childCount: count,
        roomType: text(20),
        numberOfRooms: count,
        roomId: text(20),
        ratePlanCode: text(20),
        bookingChannelCode: text(40),
        totalAmount: { type: 'object', properties: { amount: { type: 'number' }, currencyCode: text(3) } },
      },
      required: ['arrivalDate', 'departureDate', 'roomType'],
    },
    reservationGuest: {
      type: 'object',
      properties: {
        id: text(80),
        accompanyGuests: oneOrMany({
          type: 'object',
          properties: { profileIdList: oneOrMany(id) },
        }),
      },
    },
    lastModifyDateTime: moment,
    reservationStatus: text(40),
    computedReservationStatus: text(40),
  },
  required: ['reservationIdList', 'roomStay', 'lastModifyDateTime', 'reservationStatus'],
}
