import { json, texts } from '../../resource/compound.ts'
import { flag, instant, integer, oneOf, text, uuid } from '../../resource/fields.ts'
import { instantText } from '../../resource/instant-sql.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { uuidText } from '../../resource/uuid-sql.ts'
import type { Differing } from '../sync/house-view.ts'
import type { SharedReservation } from '../sync/shared-reservation.ts'
import type { Untold } from '../sync/untold.ts'

const syncStates = ['Pending', 'Synced', 'Conflict'] as const

/**
 * The state of synchronisation of one reservation with one PMS. The row outlives the reservation, so that a deleted
 * reservation is still recognised by its external id.
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
    /** The PMS's id of the reservation; null until the PMS has given one. */
    externalId: text({ max: 128 }),
    /** The PMS's revision that was applied last. */
    upstreamRevision: integer(),
    /** The hash of that revision as it was received. */
    digest: text(),
    state: oneOf(syncStates, { required: true }),
    /** True while the PMS has not confirmed the local state. */
    pending: flag({ default: false }),
    /** The last state that the PMS is known to have. */
    base: json<SharedReservation>({ type: 'object' }),
    /** The local values of members that the PMS has never reported. */
    untold: json<Untold>({ type: 'object' }),
    /** Where the local value differs from the value that the PMS reported. */
    differing: json<Differing>({ type: 'object' }),
    /** The names of units that the PMS has assigned to it, and that other reservations of this PMS still hold here. */
    waitsFor: texts({ max: 100 }),
    lastSyncedAt: instant(),
  },
  computes: {
    syncOfReservation: `coalesce(
      (SELECT json_object('state', state, 'pmsRevision', CAST(upstreamRevision AS TEXT), 'lastSyncedAt', ${instantText('lastSyncedAt')})
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
