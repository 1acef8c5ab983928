import { type StayAmountInput, stayAmountSchema } from '../../reservation/pricing/stay-amount.ts'
import { type StayStatus, stayStatuses } from '../../reservation/stays/rules/status-rules.ts'
import { type AddressInput, addressSchemaWith } from '../../reservation/values/address.ts'
import { type EmailInput, emailSchema } from '../../reservation/values/email.ts'
import { type PersonCountInput, personCountSchema } from '../../reservation/values/persons.ts'
import { type PhoneNumberInput, phoneNumberSchema } from '../../reservation/values/phone-number.ts'
import { profileRoles } from '../../reservation/values/profile-role.ts'
import { profileTypes } from '../../reservation/values/profile-type.ts'
import { type ReservationIdType, reservationIdTypes } from '../../reservation/values/reservation-ids.ts'
import { closedObject, dateSchema, type Schema, textOf } from '../../reservation/values/value-schema.ts'
import { language } from '../../resource/fields.ts'

/**
 * A reservation as the house and a PMS exchange it: whole, with its stays and guests, named by codes and
 * external ids that both know. An absent member is one that the sender does not store, and says nothing; null is
 * empty. The words are those of the reservation interface.
 */
export interface SharedReservation {
  /** The PMS's own; null until it has named it. */
  externalId: string | null
  /** The house's own, so that a PMS recognises what was made here. */
  localId?: string | null
  channel?: string | null
  purpose?: 'Leisure' | 'Business' | 'Other' | null
  comment?: string | null
  guestComment?: string | null
  /** In the order of the reservation; at most 100. */
  stays: SharedStay[]
  /** Members by the house alone: what was taken here, each once and for ever; voided is said of it. */
  payments?: SharedPayment[]
}

export interface SharedStay {
  externalId: string | null
  localId?: string | null
  status?: StayStatus
  startDate: string
  /** HH:MM; null is the house's time of check-in. */
  startTime?: string | null
  endDate: string
  endTime?: string | null
  personCount?: PersonCountInput
  /** The places booked. A unit is named where one is given. */
  units?: { unitTypeCode: string; unitName?: string | null }[]
  /** A UUID that the stays of guests who share a unit have in common. */
  shareId?: string | null
  reservationIds?: { type: ReservationIdType; value: string; source?: string | null }[]
  ratePlanCode?: string | null
  services?: { serviceCode: string; count?: number }[]
  amount?: StayAmountInput | null
  guests?: SharedGuest[]
  comment?: string | null
  guestComment?: string | null
}

/** A person on a stay: as much of the profile as the sender knows. */
export interface SharedGuest {
  externalId?: string | null
  localId?: string | null
  role: (typeof profileRoles)[number]
  /** Empty for a person with one name, which is the last name. */
  firstName: string
  middleName?: string | null
  lastName: string
  title?: string | null
  profileType?: (typeof profileTypes)[number] | null
  companyName?: string | null
  nationality?: string | null
  languageCode?: string | null
  birthDate?: string | null
  gender?: 'Female' | 'Male' | 'Other' | 'Unknown' | null
  addresses?: AddressInput[] | null
  emails?: EmailInput[] | null
  phoneNumbers?: PhoneNumberInput[] | null
}

/** A payment that was taken here. */
export interface SharedPayment {
  /** The house's own id of the payment. */
  id: string
  stayLocalId: string | null
  currency: string
  /** Minor units. */
  amount: number
  brand: string
  recordedAt: string
  voidedAt: string | null
}

const id = textOf(1, 128)
const uuid: Schema = { type: 'string', format: 'uuid' }
const time: Schema = { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:00)?$', description: 'HH:MM' }
const code = textOf(1, 30)

/** A PMS may know countries by former codes and by codes of its own. `canonical` reads them. */
const reportedCountry: Schema = {
  type: 'string',
  maxLength: 60,
  description:
    'a country code of ISO 3166-1, such as PT; a former code is replaced, and an unknown one left out',
}

const reportedAddressSchema = addressSchemaWith(reportedCountry)

const guestSchema = closedObject(
  {
    externalId: id,
    localId: uuid,
    role: { enum: profileRoles },
    firstName: textOf(0, 100),
    middleName: textOf(0, 100),
    lastName: textOf(1, 100),
    title: textOf(0, 30),
    profileType: { enum: profileTypes },
    companyName: textOf(0, 255),
    nationality: reportedCountry,
    languageCode: language().schema,
    birthDate: dateSchema,
    gender: { enum: ['Female', 'Male', 'Other', 'Unknown'] },
    addresses: { type: 'array', maxItems: 20, items: reportedAddressSchema },
    emails: { type: 'array', maxItems: 20, items: emailSchema },
    phoneNumbers: { type: 'array', maxItems: 20, items: phoneNumberSchema },
  },
  ['role', 'firstName', 'lastName'],
)

const staySchema = closedObject(
  {
    externalId: id,
    localId: uuid,
    status: { enum: stayStatuses },
    startDate: dateSchema,
    startTime: time,
    endDate: dateSchema,
    endTime: time,
    personCount: personCountSchema,
    units: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: closedObject({ unitTypeCode: code, unitName: textOf(1, 60) }, ['unitTypeCode']),
    },
    shareId: uuid,
    reservationIds: {
      type: 'array',
      maxItems: 20,
      items: closedObject(
        { type: { enum: reservationIdTypes }, value: textOf(1, 128), source: textOf(1, 128) },
        ['type', 'value'],
      ),
    },
    ratePlanCode: code,
    services: {
      type: 'array',
      maxItems: 50,
      items: closedObject({ serviceCode: code, count: { type: 'integer', minimum: 1, maximum: 9999 } }, [
        'serviceCode',
      ]),
    },
    amount: stayAmountSchema,
    guests: { type: 'array', maxItems: 50, items: guestSchema },
    comment: textOf(0, 2000),
    guestComment: textOf(0, 2000),
  },
  ['startDate', 'endDate'],
)

const paymentSchema = closedObject(
  {
    id: uuid,
    stayLocalId: uuid,
    currency: textOf(3, 3),
    amount: { type: 'integer', minimum: 1 },
    brand: textOf(1, 60),
    recordedAt: { type: 'string', format: 'date-time' },
    voidedAt: { type: 'string', format: 'date-time' },
  },
  ['id', 'currency', 'amount', 'brand', 'recordedAt'],
)

/** JSON Schema of a SharedReservation, for whatever comes over a line. */
export const sharedReservationSchema = closedObject(
  {
    externalId: id,
    localId: uuid,
    channel: textOf(0, 60),
    purpose: { enum: ['Leisure', 'Business', 'Other'] },
    comment: textOf(0, 2000),
    guestComment: textOf(0, 2000),
    stays: { type: 'array', minItems: 1, maxItems: 100, items: staySchema },
    payments: { type: 'array', maxItems: 1000, items: paymentSchema },
  },
  ['stays'],
)
