import { instant, reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/**
 * A browser that is signed in, or a kiosk. The store contains only the digest of its cookie. Sign-in and sign-out have
 * journal lines of their own.
 */
export const session = resource('session', {
  base: '/api/config/v1',
  path: 'sessions',
  scopes: { read: 'accounts.read', write: 'accounts.write' },
  operations: ['list', 'read'],
  bookkeeping: true,
  indexes: [
    { fields: ['accountId'], why: 'ends the sessions of an account' },
    { fields: ['stationId'], why: 'ends the sessions at a station' },
  ],
  fields: {
    accountId: reference('account', { readOnly: true, note: 'Null for a kiosk.' }),
    stationId: reference('station', { readOnly: true, note: 'Null for a browser that is no station.' }),
    startedAt: instant({ readOnly: true }),
    lastUsedAt: instant({ readOnly: true, note: 'The last use, to the minute.' }),
    endsAt: instant({ readOnly: true, note: 'Null for a kiosk, whose session ends when it is revoked.' }),
    lockedAt: instant({ readOnly: true, note: 'Since when somebody has locked it; null otherwise.' }),
    authenticatedAt: instant({
      readOnly: true,
      note: 'When a secret with which this person may sign in was last entered.',
    }),
    address: text({ readOnly: true, note: 'The network address of the browser at the sign-in.' }),
    /** SHA-256, hex. */
    digest: text({ hidden: true, readOnly: true, unique: true, filterable: false }),
  },
})

export type Session = Row<typeof session.fields>
