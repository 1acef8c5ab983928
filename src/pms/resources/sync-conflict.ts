import { type Message, messagesSchema } from '../../jsonapi/locales/message.ts'
import { json, texts } from '../../resource/compound.ts'
import { instant, oneOf, reference, text, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { uuidBytes } from '../../resource/uuid-sql.ts'
import { fieldGroups } from './conflict-policy.ts'

/** Why the appliance did not simply apply the PMS's version. */
const conflictReasons = [
  /** Both sides have changed it, and the conflict policy decides. */
  'both-changed',
  /** A guest is in the house, or was. */
  'guest-was-here',
  /** A key that opens the unit is out. */
  'key-is-out',
  /** The unit was assigned from an allotment of the PMS. */
  'leased',
  /** Another stay has the unit, or the unit is blocked. */
  'unit-taken',
  /** The PMS has reported the unit for two stays at the same time. Neither can check in until that is decided. */
  'double-booked',
  /** The day is over. */
  'day-is-over',
  /** The stay cannot change from its status to this one. */
  'no-such-step',
  /** The PMS refused the outbound change. */
  'refused-by-pms',
] as const
export type ConflictReason = (typeof conflictReasons)[number]

const shownStay = `CASE WHEN sync_conflict.stayId IS NULL
  THEN (SELECT min(stay.rid) FROM stay WHERE stay.reservationId =
    (SELECT rid FROM reservation WHERE id = ${uuidBytes('sync_conflict.reservationId')}))
  ELSE (SELECT rid FROM stay WHERE id = ${uuidBytes('sync_conflict.stayId')}) END`

const said = (note: string) =>
  json<Record<string, unknown>>({ type: ['object', 'null'] }, { readOnly: true, note })

/** A difference between the appliance and its PMS about a reservation, with the winning side and the reason. */
export const syncConflict = resource('sync-conflict', {
  base: '/api/config/v1',
  path: 'sync-conflicts',
  scopes: { read: 'sync-conflicts.read', write: 'sync-conflicts.choose' },
  operations: ['list', 'read'],
  bookkeeping: true,
  fields: {
    configurationId: uuid({ required: true, readOnly: true, note: 'The PMS configuration.' }),
    reservationId: uuid({ required: true, readOnly: true }),
    stayId: uuid({ readOnly: true, note: 'None if the conflict is about the whole reservation.' }),
    shownStayId: reference('stay', {
      computed: shownStay,
      note: 'The stay by which a person recognises the conflict: that of `stayId`, or the first one of the reservation.',
    }),
    fieldGroup: oneOf(fieldGroups, { required: true, readOnly: true }),
    fields: texts({ required: true, readOnly: true }),
    base: said('The last value that both sides had.'),
    local: said('The local value.'),
    upstream: said('The value from the PMS.'),
    counts: oneOf(['Pms', 'Local'], { required: true, readOnly: true }),
    reason: oneOf(conflictReasons, { required: true, readOnly: true }),
    sentence: text({
      required: true,
      readOnly: true,
      max: 1000,
      note: 'A description of the conflict, in the language of Accept-Language.',
    }),
    messages: json<readonly Message[]>(messagesSchema, {
      readOnly: true,
      note: 'The sentences of `sentence`. Null for a conflict from before they were kept.',
    }),
    state: oneOf(['open', 'accepted', 'reversed', 'settled'], {
      required: true,
      readOnly: true,
      note: 'Whether a person has agreed or chosen, or nothing is left to choose.',
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
