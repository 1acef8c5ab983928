import { json, parts, valueObject } from '../../resource/compound.ts'
import { decimal } from '../../resource/decimal.ts'
import {
  currency,
  date,
  flag,
  instant,
  integer,
  oneOf,
  reference,
  text,
  time,
} from '../../resource/fields.ts'
import { type Attributes, type Row, resource } from '../../resource/resource.ts'
import { nullable, objectSchema } from '../../resource/schema.ts'
import { dueFlags } from '../payments/due-flags.ts'
import { type CancellationTerms, cancellationTermsSchemas } from '../pricing/cancellation-policy-terms.ts'
import { type StayAmountInput, stayAmountSchema } from '../pricing/stay-amount.ts'
import { type PersonCountInput, personCountSchema } from '../profiles/persons.ts'
import { profileRoles } from '../profiles/profile-role.ts'
import { reservationIdTypes, searchForm } from '../reservations/reservation-ids.ts'
import { stayStatuses } from '../stays/status.ts'
import { stayExample } from '../stays/stay-example.ts'
import type { ProfileEntry } from '../stays/stay-profiles.ts'
import { countSchema, currencySchema, wholeObject } from '../value-schema.ts'
import { cancellationPolicy } from './cancellation-policy.ts'
import { profile } from './profile.ts'

const role = oneOf(profileRoles, { default: 'PrimaryGuest' })

/** A profile that is there already, or a whole one to be made with the stay. With an id, the rest is ignored. */
const profileEntrySchema = {
  type: 'object',
  if: { required: ['id'] },
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword.
  then: { properties: { id: { type: 'string', format: 'uuid' }, role: role.schema } },
  else: withRole(objectSchema(profile.fields)),
}

function withRole(schema: Record<string, unknown>) {
  return { ...schema, properties: { ...(schema.properties as object), type: {}, role: role.schema } }
}

const services = {
  serviceId: reference('service', { required: true }),
  count: integer({ min: 1, max: 9999, note: 'That of the service unless said otherwise.' }),
  currencyCode: currency({
    readOnly: true,
    note: 'The price for which it was booked: what the service costs later changes nothing about it.',
  }),
  amountWithTax: decimal({ readOnly: true }),
  amountWithoutTax: decimal({ readOnly: true }),
  pricingType: integer({ readOnly: true }),
}

/**
 * A service by its id, with how many of it; or the service as it was read, whose own id says which it is. It may name
 * the stay that it is booked on, which the path does already.
 */
const serviceEntrySchema = {
  type: 'object',
  if: { required: ['id'] },
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword.
  then: { properties: { id: { type: 'string', format: 'uuid' }, count: services.count.schema } },
  else: objectSchema({ ...services, stayId: json({}, { readOnly: true }) }),
}

/** A unit that the stay has by a lease of the PMS, because the PMS could not be asked. */
export interface Lent {
  unitId: string
  leaseId: string
}

const { code, name, description } = cancellationPolicy.fields

/** What a stay keeps of a policy: its terms, and what it is called and says. */
const keptTermsSchemas = {
  code: code.schema,
  name: name.schema,
  description: nullable(description.schema),
  ...cancellationTermsSchemas,
}

/**
 * A date range in which persons stay in one or more units. `write-stay.ts` alone writes stays: nothing follows from a row that
 * is written here.
 */
export const stay = resource('stay', {
  path: 'stays',
  example: stayExample,
  scopes: { read: 'reservations.find', list: 'reservations.read', write: 'reservations.write' },
  operations: ['list', 'read'],
  fields: {
    reservationId: reference('reservation', { required: true, readOnly: true, touches: true }),
    startDate: date({ required: true }),
    startTime: time(),
    endDate: date({ required: true }),
    endTime: time(),
    status: oneOf(stayStatuses, { required: true }),
    personCount: valueObject<PersonCountInput, { required: true }>(personCountSchema, { required: true }),
    units: parts(
      'stay_unit',
      {
        /** First, so that it is the units which a stay is related to. */
        unitId: reference('unit'),
        unitTypeId: reference('unit-type', { required: true }),
        unitName: text({ computed: 'SELECT name FROM unit WHERE unit.rid = stay_unit.unitId' }),
        /** A key was made for it: another unit can be given only after that key is dead. */
        locked: flag({ computed: { by: 'key', as: 'lockOfStayUnit' } }),
      },
      { required: true, min: 1, max: 20, indexes: ['unitId'] },
    ),
    /** The units that others cannot have because of it: those it was given, while it holds them. */
    heldUnits: parts(
      'stay_held_unit',
      { unitId: reference('unit', { required: true }) },
      { readOnly: true, hidden: true, max: 20, indexes: ['unitId'] },
    ),
    /** Those of its units that were given away by a lease of the PMS, while that could not be asked. */
    lent: json<Lent[]>({}, { readOnly: true, hidden: true }),
    reservationIds: parts(
      'stay_reservation_id',
      {
        type: oneOf(reservationIdTypes, { required: true }),
        value: text({ required: true, max: 128, search: 13, foundBy: 'searchForm' }),
        source: text({ max: 128 }),
        /** The value without spaces, in upper case: what a guest types is compared with this. */
        searchForm: { ...text({ readOnly: true }), read: searchForm },
      },
      { required: true, max: 20, indexes: ['searchForm'] },
    ),
    externalId: text({ max: 128, search: 10 }),
    ratePlanId: reference('rate-plan'),
    services: parts('stay_service', services, { max: 50, item: serviceEntrySchema }),
    amount: valueObject<StayAmountInput>(stayAmountSchema),
    profiles: parts(
      'stay_profile',
      { type: text({ computed: `'profile'` }), id: reference('profile', { required: true }), role },
      { max: 50, item: profileEntrySchema, indexes: ['id'] },
    ),
    comment: text({ min: 0, max: 2000, multiline: true, search: 11 }),
    guestComment: text({ min: 0, max: 2000, multiline: true, search: 12 }),
    nights: integer({ readOnly: true }),
    plannedStartsAt: instant({ readOnly: true }),
    plannedEndsAt: instant({ readOnly: true }),
    checkedInAt: instant({ readOnly: true }),
    checkedOutAt: instant({ readOnly: true }),
    cancellationPolicy: json<CancellationTerms>(wholeObject(keptTermsSchemas), {
      readOnly: true,
      note: 'The terms as they were when the stay was made.',
    }),
    cancellationFee: json<{ currency: string; amount: number }>(
      wholeObject({ currency: currencySchema, amount: { type: 'integer' } }),
      { readOnly: true, note: 'What canceling, or not showing up, has cost; minor units.' },
    ),
    due: integer({
      readOnly: true,
      note: 'Minor units of `currency`; null while nothing on the stay has a price.',
    }),
    paid: integer({
      readOnly: true,
      default: 0,
      note: 'What of the payments of its reservation is for this stay.',
    }),
    outstanding: integer({ readOnly: true }),
    currency: currency({ readOnly: true }),
    keys: json(wholeObject({ live: countSchema, virtual: countSchema, link: { type: 'string' } }), {
      computed: { by: 'key', as: 'keysOfStay' },
    }),
  },
  moment: dueFlags((attributes) => [attributes]),
  problems: [
    'end-before-start',
    'person-count-exceeds-occupancy',
    'reservation-id-duplicate-type',
    'unit-occupied',
    'unit-blocked',
    'unit-required',
    'no-eligible-unit',
    'stay-status-transition',
    'person-known',
  ],
  aliases: { profile: 'profiles' },
  indexes: [
    { fields: ['reservationId'], why: 'the stays of a reservation' },
    { fields: ['startDate'], why: 'the arrivals of a day' },
    { fields: ['endDate'], why: 'the departures of a day, and the stays that new hours can still move' },
    {
      fields: ['externalId'],
      where: 'externalId IS NOT NULL',
      why: 'keys and the PMS name a stay by externalId',
    },
    { fields: ['status'], where: "status = 'InHouse'", why: 'who is in the house' },
  ],
})

/** A stay as it is kept. */
export type Stay = Row<typeof stay.fields>

/** A stay that is about to be written. */
export type StayDraft = Attributes<typeof stay.fields>

/** What a body, an import or a PMS says of a stay: all of it, or some fields. */
export type StayInput = Partial<Omit<StayDraft, 'profiles'>> & {
  id?: string
  /** Each is the id of a profile that is there, or a profile to be made. */
  profiles?: ProfileEntry[] | null
}
