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
    summary:
      'Requests the changes after a cursor, oldest first; without a cursor, all reservations that are not over.',
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
    summary: 'Sends reservations as the property has them, with the revision on which its changes are based.',
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
    summary: 'Requests the capabilities of the PMS.',
    data: schema.capabilitiesRequestedSchema,
    example: example.capabilitiesRequested,
    reply: 'pms.capabilities.replied',
  },
  'pms.capabilities.replied': {
    direction: 'pms-to-house',
    is: 'reply',
    summary: 'The capabilities of the PMS, and how long they are valid.',
    data: schema.capabilitiesRepliedSchema,
    example: example.capabilitiesReplied,
  },
  'pms.unit-assignment.requested': {
    direction: 'house-to-pms',
    is: 'request',
    summary: 'Requests the units for a stay.',
    data: schema.unitAssignmentRequestedSchema,
    example: example.unitAssignmentRequested,
    reply: 'pms.unit-assignment.replied',
  },
  'pms.unit-assignment.replied': {
    direction: 'pms-to-house',
    is: 'reply',
    summary: 'The chosen units, or the reason why there are none.',
    data: schema.unitAssignmentRepliedSchema,
    example: example.unitAssignmentReplied,
  },
  'pms.extension.invoked': {
    direction: 'house-to-pms',
    is: 'request',
    summary: 'Calls an extension of the PMS by its name.',
    data: schema.extensionInvokedSchema,
    example: example.extensionInvoked,
    reply: 'pms.extension.replied',
  },
  'pms.extension.replied': {
    direction: 'pms-to-house',
    is: 'reply',
    summary: 'The answer of the extension, or that it does not exist.',
    data: schema.extensionRepliedSchema,
    example: example.extensionReplied,
  },
  'pms.request.failed': {
    direction: 'pms-to-house',
    is: 'reply',
    summary: 'Replaces the reply to any request: why it failed, and when to retry.',
    data: schema.requestFailedSchema,
    example: example.requestFailed,
  },
  'pms.reservation.changed': {
    direction: 'pms-to-house',
    is: 'notification',
    summary: 'A reservation was made or changed; contains the complete reservation in its new revision.',
    data: schema.reservationChangedSchema,
    example: example.reservationChanged,
  },
  'pms.reservation.deleted': {
    direction: 'pms-to-house',
    is: 'notification',
    summary: 'A reservation was deleted. Unlike for a canceled one, the property deletes its data.',
    data: schema.reservationDeletedSchema,
    example: example.reservationDeleted,
  },
  'pms.lease.changed': {
    direction: 'pms-to-house',
    is: 'notification',
    summary:
      'Units that the property may assign on certain nights without asking, also when the connection is down.',
    data: schema.leaseChangedSchema,
    example: example.leaseChanged,
  },
  'pms.housekeeping.changed': {
    direction: 'pms-to-house',
    is: 'notification',
    summary: 'The status of a unit. It is applied if the settings of the property accept it from a PMS.',
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
