import { json } from '../../resource/compound.ts'
import { instant, integer, reference, text, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import type { Offer } from '../sync-contract.ts'

/**
 * The outbox: a reservation whose current state the PMS does not have. The row is deleted when the PMS has confirmed
 * it. There is one row for each reservation at most.
 */
export const syncOffer = resource('sync-offer', {
  base: '/api/config/v1',
  path: 'sync-offers',
  scopes: { read: 'upstream.read', write: 'config.write' },
  operations: [],
  bookkeeping: true,
  fields: {
    configurationId: reference('pms-configuration', { required: true, readOnly: true }),
    /** Not a reference: the reservation may be deleted here before the PMS knows it. */
    reservationId: uuid({ required: true, readOnly: true }),
    /**
     * The number of captured changes. A change that is captured while an outbound change is in flight causes another
     * one.
     */
    marks: integer({ required: true, readOnly: true }),
    /** The value of `marks` up to which every change has its intents. A program before the intents leaves it behind. */
    capturedMarks: integer({ readOnly: true }),
    /** The time of the first change that waits. */
    since: instant({ required: true, readOnly: true }),
    /**
     * The outbound change that was sent or is about to be sent, until it is answered. A repetition has the same content
     * and id.
     */
    offer: json<Offer>({ type: 'object' }, { readOnly: true }),
    /** The value of `marks` when the outbound change was made. */
    offeredMarks: integer({ readOnly: true }),
    /** The number of inconclusive answers since the last captured change. */
    attempts: integer({ required: true, readOnly: true }),
    /** The earliest time of the next attempt; Unix milliseconds, 0 is at once. */
    notBefore: integer({ required: true, readOnly: true }),
    /** The reason of the PMS's refusal. The change is sent again when the reservation has changed, or on request. */
    refused: text({ readOnly: true, min: 0, max: 1000 }),
  },
  indexes: [
    { fields: ['configurationId', 'reservationId'], unique: true, why: 'one of a reservation' },
    { fields: ['configurationId', 'notBefore'], why: 'what is to be offered now' },
  ],
})

export type SyncOffer = Row<typeof syncOffer.fields>
