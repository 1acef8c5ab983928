import { json } from '../../resource/compound.ts'
import { currency, date, integer, oneOf, text, uuid } from '../../resource/fields.ts'
import { type Attributes, type Row, resource } from '../../resource/resource.ts'
import { uuidText } from '../../resource/uuid-sql.ts'
import { dueFlags } from '../stays/rules/due-flags.ts'
import { isOver, openFirst, stayStatuses } from '../stays/rules/status-rules.ts'
import { profileRoles } from '../values/profile-role.ts'
import { numbersOf } from '../values/reservation-ids.ts'
import { stayExample } from '../values/stay-example.ts'
import { wholeObject } from '../values/value-schema.ts'
import type { StayInput } from './stay.ts'

/** One or more stays that are booked together. Its status, dates and balance follow from its stays. */
export const reservation = resource('reservation', {
  path: 'reservations',
  example: { externalId: 'PMS-4711', purpose: 'Leisure', comment: 'Arrives late.', stays: [stayExample] },
  scopes: { read: 'reservations.find', write: 'reservations.write' },
  operations: ['read'],
  fields: {
    externalId: text({ personal: false, max: 128, search: 7 }),
    integrationId: uuid({ note: 'The PMS configuration that owns the reservation; none for a local one.' }),
    status: oneOf(stayStatuses, { readOnly: true }),
    isOver: isOver(),
    arrival: date({ readOnly: true }),
    departure: date({ readOnly: true }),
    source: oneOf(['Pms', 'Kiosk', 'FrontDesk', 'Api', 'Import'], { readOnly: true, default: 'Api' }),
    channel: text({ personal: false, max: 60 }),
    purpose: oneOf(['Leisure', 'Business', 'Other']),
    comment: text({ personal: true, min: 0, max: 2000, multiline: true, search: 8 }),
    guestComment: text({ personal: true, min: 0, max: 2000, multiline: true, search: 9 }),
    due: integer({
      readOnly: true,
      note: 'Minor units of `currency`; null if nothing has a price, or if there are several currencies.',
    }),
    paid: integer({ readOnly: true }),
    outstanding: integer({ readOnly: true }),
    currency: currency({ readOnly: true }),
    /** The booker and the guests: the profiles of all its stays, each once. */
    profiles: json(
      {
        type: 'array',
        items: wholeObject({
          type: { const: 'profile' },
          id: { type: 'string', format: 'uuid' },
          role: { enum: profileRoles },
        }),
      },
      {
        computed: `SELECT json_group_array(json_object('type', 'profile', 'id', profileId, 'role', role)) FROM (
          SELECT DISTINCT ${uuidText('profile.id')} AS profileId, stay_profile.role AS role
          FROM stay JOIN stay_profile ON stay_profile.owner = stay.rid JOIN profile ON profile.rid = stay_profile.id
          WHERE stay.reservationId = reservation.rid)`,
      },
    ),
    sync: json(
      wholeObject({
        state: { enum: ['LocalOnly', 'Pending', 'Synced', 'Conflict'] },
        pmsRevision: { type: ['string', 'null'] },
        lastSyncedAt: { type: ['string', 'null'], format: 'date-time' },
      }),
      {
        computed: { by: 'sync-record', as: 'syncOfReservation' },
      },
    ),
  },
  moment: dueFlags,
  problems: ['external-id-conflict'],
  children: { stays: { type: 'stay', by: 'reservationId', inline: true } },
  aliases: { profile: 'stays.profiles', profiles: 'stays.profiles', reservationIds: 'stays.reservationIds' },
  sorted: {
    by: ['externalId', 'stays.externalId', ...['reservationIds', 'stays.reservationIds'].flatMap(numbersOf)],
    sort: openFirst,
  },
  indexes: [
    {
      fields: ['externalId', 'integrationId'],
      where: 'externalId IS NOT NULL',
      why: 'a PMS finds its reservation again by externalId',
    },
    { fields: ['status'], where: "status = 'InHouse'", why: 'whose guests are in the house' },
    { fields: ['arrival'], why: 'the arrivals of a day, and lists by arrival' },
  ],
})

export type Reservation = Row<typeof reservation.fields>

/** The fields of a reservation in a body or an import, with its stays. */
export interface ReservationInput {
  attributes: Partial<Attributes<typeof reservation.fields>>
  /** The status in the body. It is not written, because it follows from the stays. */
  status?: string
  stays?: StayInput[]
}
