import { texts } from '../../resource/compound.ts'
import { instant, integer, oneOf, text, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { fieldGroups } from './conflict-policy.ts'

/**
 * Something that was changed here and that the PMS does not have yet: members of one field group of one stay, or of the reservation.
 * There is one row for each stay and group at most. The command that changes the stay writes it in its own transaction.
 */
export const syncIntent = resource('sync-intent', {
  base: '/api/config/v1',
  path: 'sync-intents',
  scopes: { read: 'upstream.read', write: 'config.write' },
  operations: [],
  bookkeeping: true,
  fields: {
    /** Not references: both may be deleted here before the PMS knows it. */
    reservationId: uuid({ required: true, readOnly: true }),
    /** Null for the reservation as a whole. */
    stayId: uuid({ readOnly: true }),
    fieldGroup: oneOf(fieldGroups, { required: true, readOnly: true }),
    /** The members by their names: `endDate`, `guests`, or `guests/<profile id>/title` for a member of a guest. */
    members: texts({ required: true, readOnly: true, max: 200 }),
    /** Who changed it last. */
    actor: text({ readOnly: true, max: 100 }),
    /** The mark of the outbox at the last change: a message with this mark or a later one contains it. */
    mark: integer({ required: true, readOnly: true }),
    since: instant({ required: true, readOnly: true }),
    /** The PMS's reason against it. It is sent again when the group changes, or on request. */
    refused: text({ readOnly: true, min: 0, max: 1000 }),
  },
  indexes: [{ fields: ['reservationId'], why: 'the intents of a reservation' }],
})

export type SyncIntent = Row<typeof syncIntent.fields>
