import { json, texts } from '../../resource/compound.ts'
import { instant, oneOf, text, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { fieldGroups } from './pms-configuration.ts'

/** Why the house did not simply take what the PMS said. */
const conflictReasons = [
  /** Both have changed it, and the conflict policy says whose word counts. */
  'both-changed',
  /** A guest is in the house, or was. */
  'guest-was-here',
  /** A key that opens the unit is out. */
  'key-is-out',
  /** The unit was given away by a lease of the PMS. */
  'leased',
  /** Somebody else has the unit, or it is blocked. */
  'unit-taken',
  /** The day is over. */
  'day-is-over',
  /** The stay cannot take this status from the one it has. */
  'no-such-step',
  /** The PMS refused what was offered. */
  'refused-by-pms',
] as const
export type ConflictReason = (typeof conflictReasons)[number]

const said = (note: string) =>
  json<Record<string, unknown>>({ type: ['object', 'null'] }, { readOnly: true, note })

/** What the house and its PMS said differently of a reservation, which of them counts, and why. */
export const syncConflict = resource('sync-conflict', {
  base: '/api/config/v1',
  path: 'sync-conflicts',
  scopes: { read: 'sync-conflicts.read', write: 'sync-conflicts.choose' },
  operations: ['list', 'read'],
  bookkeeping: true,
  fields: {
    configurationId: uuid({ required: true, readOnly: true, note: 'The PMS configuration.' }),
    reservationId: uuid({ required: true, readOnly: true }),
    stayId: uuid({ readOnly: true, note: 'None where it is about the reservation as a whole.' }),
    fieldGroup: oneOf(fieldGroups, { required: true, readOnly: true }),
    fields: texts({ required: true, readOnly: true }),
    base: said('What both had before.'),
    local: said('What the house had.'),
    upstream: said('What the PMS told.'),
    counts: oneOf(['Pms', 'Local'], { required: true, readOnly: true }),
    reason: oneOf(conflictReasons, { required: true, readOnly: true }),
    sentence: text({ required: true, readOnly: true, max: 1000, note: 'All of it in plain English.' }),
    state: oneOf(['open', 'accepted', 'reversed', 'settled'], {
      required: true,
      readOnly: true,
      note: 'Somebody has agreed, has chosen the other side, or nothing is left to choose.',
    }),
    detectedAt: instant({ required: true, readOnly: true }),
    resolvedAt: instant({ readOnly: true }),
  },
  indexes: [
    { fields: ['reservationId'], why: 'the conflicts of a reservation' },
    { fields: ['state'], where: "state = 'open'", why: 'what the desk has to look at' },
    { fields: ['detectedAt'], why: 'the newest first, and the oldest that go' },
  ],
})

export type SyncConflict = Row<typeof syncConflict.fields>
