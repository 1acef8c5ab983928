import type { JsonSchema } from '../../../../resource/field.ts'
import type { Message } from './envelope.ts'
import type * as of from './message-data.ts'
import * as example from './message-examples.ts'
import * as schema from './message-schemas.ts'

/** The properties of a message type. A notification is an unsolicited message. */
export interface MessageKind {
  direction: 'house-to-pms' | 'pms-to-house'
  is: 'request' | 'reply' | 'notification'
  summary: string
  /** JSON Schema of `data`. */
  data: JsonSchema
  /** A valid example of a whole message. */
  example: Message
  /** For a request: the type of its reply; `pms.request.failed` may come instead. */
  reply?: MessageType
}

/**
 * Every message of the contract, by its type. The appliance also publishes its own events, listed at `/api/v2/events`.
 */
export const messages = {
  'pms.changes.requested': {
    direction: 'house-to-pms',
    is: 'request',
    summary: 'Asks for what has changed after a cursor, oldest first; without one for all that is not over.',
    data: schema.changesRequestedSchema,
    example: example.changesRequested,
    reply: 'pms.changes.replied',
  },
  'pms.changes.replied': {
    direction: 'pms-to-house',
    is: 'reply',
    summary: 'A page of changes, the cursor after them, and whether there is more.',
    data: schema.changesRepliedSchema,
    example: example.changesReplied,
  },
  'pms.reservations.offered': {
    direction: 'house-to-pms',
    is: 'request',
    summary: 'Offers reservations as the house has them, with the revision that its changes were based on.',
    data: schema.reservationsOfferedSchema,
    example: example.reservationsOffered,
    reply: 'pms.offers.answered',
  },
  'pms.offers.answered': {
    direction: 'pms-to-house',
    is: 'reply',
    summary: 'One answer to each offer: accepted in a new revision, outdated by a newer one, or refused.',
    data: schema.offersAnsweredSchema,
    example: example.offersAnswered,
  },
  'pms.capabilities.requested': {
    direction: 'house-to-pms',
    is: 'request',
    summary: 'Asks what the PMS can do.',
    data: schema.capabilitiesRequestedSchema,
    example: example.capabilitiesRequested,
    reply: 'pms.capabilities.replied',
  },
  'pms.capabilities.replied': {
    direction: 'pms-to-house',
    is: 'reply',
    summary: 'What the PMS can do, and for how long that holds.',
    data: schema.capabilitiesRepliedSchema,
    example: example.capabilitiesReplied,
  },
  'pms.unit-assignment.requested': {
    direction: 'house-to-pms',
    is: 'request',
    summary: 'Asks which units a stay is given.',
    data: schema.unitAssignmentRequestedSchema,
    example: example.unitAssignmentRequested,
    reply: 'pms.unit-assignment.replied',
  },
  'pms.unit-assignment.replied': {
    direction: 'pms-to-house',
    is: 'reply',
    summary: 'The units chosen, or why there are none.',
    data: schema.unitAssignmentRepliedSchema,
    example: example.unitAssignmentReplied,
  },
  'pms.extension.invoked': {
    direction: 'house-to-pms',
    is: 'request',
    summary: 'Asks for something of the PMS that only it knows, by its name.',
    data: schema.extensionInvokedSchema,
    example: example.extensionInvoked,
    reply: 'pms.extension.replied',
  },
  'pms.extension.replied': {
    direction: 'pms-to-house',
    is: 'reply',
    summary: 'What the extension answers, or that there is no such.',
    data: schema.extensionRepliedSchema,
    example: example.extensionReplied,
  },
  'pms.request.failed': {
    direction: 'pms-to-house',
    is: 'reply',
    summary: 'Instead of the reply to any request: why it is not answered, and when to ask again.',
    data: schema.requestFailedSchema,
    example: example.requestFailed,
  },
  'pms.reservation.changed': {
    direction: 'pms-to-house',
    is: 'notification',
    summary: 'A reservation was made or changed: the whole of it in its new revision.',
    data: schema.reservationChangedSchema,
    example: example.reservationChanged,
  },
  'pms.reservation.deleted': {
    direction: 'pms-to-house',
    is: 'notification',
    summary: 'A reservation is gone, which is more than canceled: nothing is to be kept of it.',
    data: schema.reservationDeletedSchema,
    example: example.reservationDeleted,
  },
  'pms.lease.changed': {
    direction: 'pms-to-house',
    is: 'notification',
    summary: 'Units that the house may give away alone on certain nights, also without a line.',
    data: schema.leaseChangedSchema,
    example: example.leaseChanged,
  },
  'pms.housekeeping.changed': {
    direction: 'pms-to-house',
    is: 'notification',
    summary: 'The status of a unit. Obeyed where the settings of the house accept it from a PMS.',
    data: schema.housekeepingChangedSchema,
    example: example.housekeepingChanged,
  },
} as const satisfies Record<string, Omit<MessageKind, 'reply'> & { reply?: string }>

export type MessageType = keyof typeof messages

/** The data of each request and of its reply, by the request's type. */
export interface Exchanges {
  'pms.changes.requested': { data: of.ChangesRequested; reply: of.ChangesReplied }
  'pms.reservations.offered': { data: of.ReservationsOffered; reply: of.OffersAnswered }
  'pms.capabilities.requested': { data: of.CapabilitiesRequested; reply: of.CapabilitiesReplied }
  'pms.unit-assignment.requested': { data: of.UnitAssignmentRequested; reply: of.UnitAssignmentReplied }
  'pms.extension.invoked': { data: of.ExtensionInvoked; reply: of.ExtensionReplied }
}

export type RequestType = keyof Exchanges
