import { instant, oneOf, text, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** A payment that was taken or voided here and that the PMS has not recorded yet. The command that records it writes the row. */
export const syncFact = resource('sync-fact', {
  base: '/api/config/v1',
  path: 'sync-facts',
  scopes: { read: 'upstream.read', write: 'config.write' },
  operations: [],
  bookkeeping: true,
  fields: {
    /** Not references: the reservation may be deleted here before the PMS knows the payment. */
    reservationId: uuid({ required: true, readOnly: true }),
    paymentId: uuid({ required: true, readOnly: true }),
    kind: oneOf(['payment', 'void'], { required: true, readOnly: true }),
    since: instant({ required: true, readOnly: true }),
    /** The PMS's reason against it. It is sent again on request. */
    refused: text({ readOnly: true, min: 0, max: 1000 }),
  },
  indexes: [{ fields: ['reservationId'], why: 'the facts of a reservation' }],
})

export type SyncFact = Row<typeof syncFact.fields>
