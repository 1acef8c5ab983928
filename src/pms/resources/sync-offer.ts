import { json } from '../../resource/compound.ts'
import { instant, integer, oneOf, reference, text, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import type { Offer } from '../sync-side.ts'

/**
 * The outbox: a reservation that the PMS has not been told of as it is now. It leaves when the PMS has confirmed it, and
 * there is one of a reservation at most.
 */
export const syncOffer = resource('sync-offer', {
  base: '/api/config/v1',
  path: 'sync-offers',
  scopes: { read: 'upstream.read', write: 'config.write' },
  operations: [],
  bookkeeping: true,
  fields: {
    configurationId: reference('pms-configuration', { required: true, readOnly: true }),
    /** No reference: it may be gone here, and the PMS is still to be told that. */
    reservationId: uuid({ required: true, readOnly: true }),
    /** Counts the times it was marked. What is offered meanwhile is offered again. */
    marks: integer({ required: true, readOnly: true }),
    /** Since when it waits. */
    since: instant({ required: true, readOnly: true }),
    /** What was sent, or is about to be, until there is an answer: it is repeated as it was, under its id. */
    offer: json<Offer>({ type: 'object' }, { readOnly: true }),
    /** The marks it had when the offer was made. */
    offeredMarks: integer({ readOnly: true }),
    /** Answers since it was marked that did not settle it. */
    attempts: integer({ required: true, readOnly: true }),
    /** Not offered before; Unix milliseconds, 0 is at once. */
    notBefore: integer({ required: true, readOnly: true }),
    /** Why the PMS will not have it: it is offered again when it has changed, or when somebody asks for it. */
    refused: text({ readOnly: true, min: 0, max: 1000 }),
    /**
     * Whether units that it has not got there yet are left out for those who wait for what it has there: of the next offer, or
     * they were already, and that was taken or refused, since somebody has changed it here or has asked for it.
     */
    withoutUnits: oneOf(['next', 'done'], { readOnly: true }),
  },
  indexes: [
    { fields: ['configurationId', 'reservationId'], unique: true, why: 'one of a reservation' },
    { fields: ['configurationId', 'notBefore'], why: 'what is to be offered now' },
  ],
})

export type SyncOffer = Row<typeof syncOffer.fields>
