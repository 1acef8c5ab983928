import { json, texts } from '../../resource/compound.ts'
import { flag, instant, integer, oneOf, text, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { uuidText } from '../../resource/uuid-sql.ts'
import type { Differing } from '../sync/house-view.ts'
import type { SharedReservation } from '../sync/shared-reservation.ts'
import type { Untold } from '../sync/untold.ts'

const syncStates = ['Pending', 'Synced', 'Conflict'] as const

/**
 * How it stands with one reservation between the house and one PMS. It outlives the reservation, so that what was deleted
 * here is known by its name there.
 */
export const syncRecord = resource('sync-record', {
  base: '/api/config/v1',
  path: 'sync-records',
  scopes: { read: 'upstream.read', write: 'config.write' },
  operations: [],
  bookkeeping: true,
  fields: {
    integrationId: uuid({ required: true }),
    reservationId: uuid({ required: true, unique: true }),
    /** None until the PMS has named it. */
    externalId: text({ max: 128 }),
    /** The PMS's revision that was taken in last. */
    upstreamRevision: integer(),
    /** Of what came in that revision, as it came. */
    digest: text(),
    state: oneOf(syncStates, { required: true }),
    /** Something of it here is not known to be there. */
    pending: flag({ default: false }),
    /** What the PMS is known to have. */
    base: json<SharedReservation>({ type: 'object' }),
    /** What the PMS has never told, as the house had it. */
    untold: json<Untold>({ type: 'object' }),
    /** Where the house keeps otherwise what the PMS told. */
    differing: json<Differing>({ type: 'object' }),
    /** Names of units that the PMS has given it, and that other reservations of this PMS have here still. */
    waitsFor: texts({ max: 100 }),
    lastSyncedAt: instant(),
  },
  computes: {
    syncOfReservation: `coalesce(
      (SELECT json_object('state', state, 'pmsRevision', CAST(upstreamRevision AS TEXT), 'lastSyncedAt',
          strftime('%Y-%m-%dT%H:%M:%S', lastSyncedAt / 1000, 'unixepoch') || printf('.%03dZ', lastSyncedAt % 1000))
        FROM sync_record WHERE sync_record.reservationId = ${uuidText('reservation.id')}),
      json_object('state', 'LocalOnly', 'pmsRevision', NULL, 'lastSyncedAt', NULL))`,
  },
  indexes: [
    {
      fields: ['integrationId', 'externalId'],
      where: 'externalId IS NOT NULL',
      unique: true,
      why: 'what a PMS tells names a reservation by its own id',
    },
    { fields: ['waitsFor'], where: 'waitsFor IS NOT NULL', why: 'who gets a unit that has become free' },
  ],
})

export type SyncRecord = Row<typeof syncRecord.fields>
