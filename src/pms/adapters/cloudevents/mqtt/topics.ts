import type { MessageKind, MessageType, RequestType } from '../messages/messages.ts'

/** One kind of topic of the contract. */
export interface Channel {
  /** Below the prefix of the property; `{…}` is a parameter. */
  address: string
  title: string
  /** The messages there, and the reason for a topic of its own. */
  description: string
  parameters: Readonly<Record<string, string>>
  /** The publisher; the other side subscribes. */
  from: MessageKind['direction']
  /** Whether the broker keeps the last message for later subscribers. */
  retained: boolean
  /** Seconds after which the broker drops an undelivered message; null for no limit, `deadline` for that of the request. */
  expirySeconds: number | 'deadline' | null
}

const week = 7 * 24 * 3600

/**
 * All topics, below one prefix for each property: one rule of an access list describes what an appliance may do, a PMS
 * subscribes to all properties with one `+`, and a broker cluster or a bridge can route each property by its prefix.
 */
export const channels = {
  state: {
    address: 'state',
    title: 'Whether the appliance is online',
    description:
      'Retained, so that new subscribers get it at once. The appliance publishes online; the broker publishes offline when the connection breaks.',
    parameters: {},
    from: 'house-to-pms',
    retained: true,
    expirySeconds: null,
  },
  events: {
    address: 'events/{family}/{verb}',
    title: 'Events of the property',
    description:
      'Each journal line as a CloudEvent without the data of its subject, in order. The topic contains the type, so that a subscriber can select: `events/key/#`.',
    parameters: {
      family: 'The part of the type before its first dot, such as `stay`.',
      verb: 'The rest of the type, its dots as slashes, such as `checked-in`.',
    },
    from: 'house-to-pms',
    retained: false,
    expirySeconds: week,
  },
  requests: {
    address: 'requests/{kind}',
    title: 'Requests to the PMS',
    description:
      'Response Topic and Correlation Data say where the reply is awaited, the Message Expiry Interval says how long. The workers of a PMS divide the requests with a shared subscription.',
    parameters: { kind: 'The part of the type between its dots, such as `changes`.' },
    from: 'house-to-pms',
    retained: false,
    expirySeconds: 'deadline',
  },
  replies: {
    address: 'replies/{clientId}',
    title: 'Replies of the PMS',
    description: 'To the requesting client, with the Correlation Data of the request.',
    parameters: { clientId: 'The client id of the appliance, as in the Response Topic of each request.' },
    from: 'pms-to-house',
    retained: false,
    expirySeconds: 'deadline',
  },
  changes: {
    address: 'changes',
    title: 'Changes at the PMS',
    description:
      'One change. `previous` names the message before it; if the property has not received that one, it requests all changes. Messages may therefore be lost, repeated or late.',
    parameters: {},
    from: 'pms-to-house',
    retained: false,
    expirySeconds: week,
  },
} as const satisfies Record<string, Channel>

export type ChannelName = keyof typeof channels

/** The default prefix of all topics. */
export const defaultPrefix = 'nightporter/v1/{propertyId}'

/** The topics of one property as one client of it uses them. */
export interface Topics {
  state: string
  replies: string
  changes: string
  request(type: RequestType): string
  /** The event `stay.checked-in` is published at `…/events/stay/checked-in`. */
  event(type: string): string
}

/** The topics below a prefix, with `{propertyId}` already replaced. */
export function topicsOf(prefix: string, clientId: string): Topics {
  const at = (address: string) => `${prefix}/${address}`
  return {
    state: at(channels.state.address),
    replies: at(`replies/${clientId}`),
    changes: at(channels.changes.address),
    request: (type) => at(`requests/${kindOf(type)}`),
    event: (type) => at(`events/${type.replaceAll('.', '/')}`),
  }
}

/** The part of a type between its dots: `unit-assignment` of `pms.unit-assignment.requested`. */
export function kindOf(type: MessageType): string {
  return type.split('.')[1] ?? ''
}
