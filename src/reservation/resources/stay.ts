import { json, parts, valueObject } from '../../resource/compound.ts'
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
  uuid,
} from '../../resource/fields.ts'
import { type Attributes, type Row, resource } from '../../resource/resource.ts'
import { nullable, objectSchema } from '../../resource/schema.ts'
import { decimal } from '../../resource/values/decimal.ts'
import { type CancellationTerms, cancellationTermsSchemas } from '../pricing/cancellation-policy-terms.ts'
import { type StayAmountInput, stayAmountSchema } from '../pricing/stay-amount.ts'
import { dueFlags } from '../stays/rules/due-flags.ts'
import { isOver, openFirst, stayStatuses } from '../stays/rules/status-rules.ts'
import { type PersonCountInput, personCountSchema } from '../values/persons.ts'
import { profileRoles } from '../values/profile-role.ts'
import {
  numberSearch,
  numbersOf,
  plainForm,
  plainFormSql,
  reservationIdTypes,
} from '../values/reservation-ids.ts'
import { stayExample } from '../values/stay-example.ts'
import { countSchema, currencySchema, wholeObject } from '../values/value-schema.ts'
import { cancellationPolicy } from './cancellation-policy.ts'
import { profile } from './profile.ts'

const role = oneOf(profileRoles, { default: 'PrimaryGuest' })

/**
 * The id of an existing profile, or a whole profile to be created with the stay. With an id, all other members except
 * `role` are ignored.
 */
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
  count: integer({ min: 1, max: 9999, note: 'Default: the count of the service.' }),
  currencyCode: currency({
    readOnly: true,
    note: 'The price at the time of booking. Later changes of the service do not change it.',
  }),
  amountWithTax: decimal({ readOnly: true }),
  amountWithoutTax: decimal({ readOnly: true }),
  pricingType: integer({ readOnly: true }),
}

/**
 * A service by its serviceId with a count, or the whole service as it was read: its `id` then identifies it. A `stayId`
 * is accepted and ignored, because the path names the stay.
 */
const serviceEntrySchema = {
  type: 'object',
  if: { required: ['id'] },
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword.
  then: { properties: { id: { type: 'string', format: 'uuid' }, count: services.count.schema } },
  else: objectSchema({ ...services, stayId: json({}, { readOnly: true }) }),
}

/** A unit that the stay has from an allotment of the PMS, because the PMS did not answer. */
export interface AllottedUnit {
  unitId: string
  leaseId: string
}

const { code, name, description } = cancellationPolicy.fields

/** The copy of a cancellation policy in a stay: its terms, code, name and description. */
const keptTermsSchemas = {
  code: code.schema,
  name: name.schema,
  description: nullable(description.schema),
  ...cancellationTermsSchemas,
}

/**
 * A date range in which persons stay in one or more units. Only `write-stay.ts` may write stays: a direct write to this
 * resource has no effects on units, inventory nights and keys.
 */
export const stay = resource('stay', {
  path: 'stays',
  example: stayExample,
  scopes: { read: 'reservations.find', list: 'reservations.read', write: 'reservations.write' },
  operations: ['list', 'read'],
  fields: {
    reservationId: reference('reservation', { required: true, readOnly: true, touches: true }),
    startDate: date({ required: true, traced: true }),
    startTime: time({ traced: true }),
    endDate: date({ required: true, traced: true }),
    endTime: time({ traced: true }),
    status: oneOf(stayStatuses, { required: true }),
    isOver: isOver(),
    personCount: valueObject<PersonCountInput, { required: true; personal: false }>(personCountSchema, {
      required: true,
      personal: false,
    }),
    units: parts(
      'stay_unit',
      {
        /** Must be the first reference, because it names the relationship of a stay to its units. */
        unitId: reference('unit'),
        unitTypeId: reference('unit-type', { required: true }),
        unitName: text({ computed: 'SELECT name FROM unit WHERE unit.rid = stay_unit.unitId' }),
        /** True when a key was made for the unit. The unit can be changed only after that key is dead. */
        locked: flag({ computed: { by: 'key', as: 'lockOfStayUnit' } }),
      },
      { required: true, min: 1, max: 20, indexes: ['unitId'] },
    ),
    /** The units that the stay excludes from other stays: its assigned units while its status holds units. */
    heldUnits: parts(
      'stay_held_unit',
      { unitId: reference('unit', { required: true }) },
      { readOnly: true, hidden: true, max: 20, indexes: ['unitId'] },
    ),
    /** The assigned units that came from an allotment of the PMS while the PMS did not answer. */
    lent: json<AllottedUnit[]>({}, { readOnly: true, hidden: true }),
    reservationIds: parts(
      'stay_reservation_id',
      {
        type: oneOf(reservationIdTypes, { required: true }),
        value: text({ required: true, max: 128, search: 13, foundBy: 'searchForm' }),
        source: text({ max: 128 }),
        searchForm: {
          ...text({
            readOnly: true,
            min: 0,
            like: numberSearch,
            comparedBy: { column: 'plainForm', sql: plainFormSql },
            note: 'The value without spaces, in upper case.',
            filterNote:
              'Letters and digits are compared: `np1002` finds NP-1002. Case, spaces and signs make no difference.',
          }),
          read: plainForm,
        },
      },
      { required: true, max: 20, indexes: ['plainForm'] },
    ),
    externalId: text({ personal: false, max: 128, search: 10 }),
    /** See `Party`. */
    shareId: uuid({ note: 'A UUID that the stays of guests who share a unit have in common.' }),
    ratePlanId: reference('rate-plan'),
    services: parts('stay_service', services, { max: 50, item: serviceEntrySchema }),
    amount: valueObject<StayAmountInput>(stayAmountSchema, { personal: false }),
    profiles: parts(
      'stay_profile',
      { type: text({ computed: `'profile'` }), id: reference('profile', { required: true }), role },
      { max: 50, item: profileEntrySchema, indexes: ['id'] },
    ),
    comment: text({ personal: true, min: 0, max: 2000, multiline: true, search: 11 }),
    guestComment: text({ personal: true, min: 0, max: 2000, multiline: true, search: 12 }),
    registrationWaiver: text({
      personal: true,
      min: 3,
      max: 200,
      note: 'Why the front desk checks the guests in although the house needs a registration that is missing.',
    }),
    nights: integer({ readOnly: true }),
    plannedStartsAt: instant({ readOnly: true }),
    plannedEndsAt: instant({ readOnly: true }),
    checkedInAt: instant({ readOnly: true }),
    checkedOutAt: instant({ readOnly: true }),
    cancellationPolicy: json<CancellationTerms>(wholeObject(keptTermsSchemas), {
      readOnly: true,
      note: 'The cancellation terms at the time of booking.',
    }),
    cancellationFee: json<{ currency: string; amount: number }>(
      wholeObject({ currency: currencySchema, amount: { type: 'integer' } }),
      { readOnly: true, note: 'The fee for the cancellation or no-show, in minor units.' },
    ),
    feeCharged: flag({
      note: 'Whether the guest owes the fee of a canceled stay or a no-show: it is the amount due then. A body without it leaves it as it is.',
    }),
    due: integer({
      readOnly: true,
      traced: 'money',
      note: 'Minor units of `currency`; null while nothing on the stay has a price.',
    }),
    paid: integer({
      readOnly: true,
      default: 0,
      note: 'The part of the payments of the reservation that counts for this stay, including surplus payments of its other stays.',
    }),
    outstanding: integer({ readOnly: true }),
    currency: currency({ readOnly: true }),
    keys: json(wholeObject({ live: countSchema, virtual: countSchema, link: { type: 'string' } }), {
      computed: { by: 'key', as: 'keysOfStay' },
    }),
  },
  moment: dueFlags,
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
  sorted: { by: ['externalId', ...numbersOf('reservationIds')], sort: openFirst },
  indexes: [
    { fields: ['reservationId'], why: 'the stays of a reservation' },
    { fields: ['startDate'], why: 'the arrivals of a day' },
    { fields: ['endDate'], why: 'the departures of a day, and the stays that new hours can still move' },
    {
      fields: ['externalId'],
      where: 'externalId IS NOT NULL',
      why: 'keys and the PMS name a stay by externalId',
    },
    { fields: ['shareId'], where: 'shareId IS NOT NULL', why: 'the guests who share a unit' },
    { fields: ['status'], where: "status = 'InHouse'", why: 'who is in the house' },
  ],
})

/** A stored stay. */
export type Stay = Row<typeof stay.fields>

/** A stay that is about to be written. */
export type StayDraft = Attributes<typeof stay.fields>

/** A profile in the body of a stay: the id of an existing profile, or a whole profile. */
export interface ProfileEntry {
  id?: string
  role?: string | null
  profile?: Record<string, unknown>
}

/** The fields of a stay in a body, an import or a report of a PMS: all fields, or some of them. */
export type StayInput = Partial<Omit<StayDraft, 'profiles'>> & {
  id?: string
  /** The id of an existing profile, or a profile to be created. */
  profiles?: ProfileEntry[] | null
}
