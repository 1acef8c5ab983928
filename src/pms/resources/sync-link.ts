import type { Transaction } from '../../resource/command.ts'
import { flag, instant, integer, reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** The progress of the synchronisation with the PMS of one configuration. */
export const syncLink = resource('sync-link', {
  base: '/api/config/v1',
  path: 'sync-links',
  scopes: { read: 'upstream.read', write: 'config.write' },
  operations: [],
  bookkeeping: true,
  fields: {
    configurationId: reference('pms-configuration', { required: true, readOnly: true }),
    /** The PMS's cursor after the last applied change; null before the first one. */
    pullCursor: text({ readOnly: true, max: 1000 }),
    /** The last line of the journal that change capture has read. */
    tailedTo: integer({ readOnly: true, required: true }),
    /** The last line of the journal that the PMS has confirmed as an event. */
    publishedTo: integer({ readOnly: true, required: true }),
    /** When no change was left in either direction; null when that never happened. */
    inStepAt: instant({ readOnly: true }),
    /** Whether the PMS answered the last request. */
    isConnected: flag({ readOnly: true, default: false }),
    /** Whether the PMS lends units: while it is offline, its reservations receive only units of an allotment. */
    lends: flag({ readOnly: true, default: false }),
    /** The number of quarantined messages that were dropped for newer ones. */
    forgotten: integer({ readOnly: true, default: 0 }),
  },
  indexes: [{ fields: ['configurationId'], unique: true, why: 'the link of a configuration' }],
})

export type SyncLink = Row<typeof syncLink.fields>

/** The link of a configuration inside a change; null before it was opened for the first time. */
export function linkIn(tx: Transaction, configurationId: string): SyncLink | null {
  const ofConfiguration = { path: 'configurationId', operator: 'eq', value: configurationId } as const
  return tx.select(syncLink, [ofConfiguration], [], 1)[0] ?? null
}
