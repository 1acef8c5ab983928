import { json } from '../../resource/compound.ts'
import { flag, instant, integer, oneOf, text, uuid } from '../../resource/fields.ts'
import { instantText } from '../../resource/instant-sql.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { uuidText } from '../../resource/uuid-sql.ts'
import type { SharedReservation } from '../sync/shared-reservation.ts'

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
      why: 'a report of a PMS names a reservation by its own id',
    },
  ],
})

export type SyncRecord = Row<typeof syncRecord.fields>
