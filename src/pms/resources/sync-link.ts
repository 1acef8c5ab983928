import { flag, instant, integer, reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** How far the house and the PMS of one configuration have come with each other. */
export const syncLink = resource('sync-link', {
  base: '/api/config/v1',
  path: 'sync-links',
  scopes: { read: 'upstream.read', write: 'config.write' },
  operations: [],
  bookkeeping: true,
  fields: {
    configurationId: reference('pms-configuration', { required: true, readOnly: true }),
    /** The PMS's place behind the last change that was taken; null is before everything. */
    pullCursor: text({ readOnly: true, max: 1000 }),
    /** The last line of the journal that was looked at for what is to be offered. */
    tailedTo: integer({ readOnly: true, required: true }),
    /** The last line of the journal that the PMS has confirmed as an event. */
    publishedTo: integer({ readOnly: true, required: true }),
    /** When nothing was left to be fetched or offered; null until that was so once. */
    inStepAt: instant({ readOnly: true }),
    /** The PMS answered when it was asked last. */
    isConnected: flag({ readOnly: true, default: false }),
    /** Without a line and without a lease no unit is given to its reservations. */
    lends: flag({ readOnly: true, default: false }),
    /** Quarantined messages that had to make room for newer ones. */
    forgotten: integer({ readOnly: true, default: 0 }),
  },
  indexes: [{ fields: ['configurationId'], unique: true, why: 'the link of a configuration' }],
})

export type SyncLink = Row<typeof syncLink.fields>
