import type { IPublishPacket, ISubscription } from 'mqtt-packet'

/** A message on its way to somebody. */
export interface Message {
  topic: string
  payload: string | Buffer
  qos: 0 | 1
  retain: boolean
  properties: NonNullable<IPublishPacket['properties']>
  /** Unix milliseconds; null for one that never expires. */
  expiresAt: number | null
}

/** What a broker keeps of a client whether he is connected or not. */
export interface BrokerSession {
  clientId: string
  subscriptions: Map<string, ISubscription>
  /** Those that wait for a place among those under way. */
  queue: Message[]
  /** Sent and not acknowledged, by packet identifier, in the order they were sent. */
  underWay: Map<number, Message>
  /** Unix milliseconds; null while the client is connected. */
  expiresAt: number | null
  lastPacketId: number
}

export const mostQueued = 10_000

export function newSession(clientId: string): BrokerSession {
  return {
    clientId,
    subscriptions: new Map(),
    queue: [],
    underWay: new Map(),
    expiresAt: null,
    lastPacketId: 0,
  }
}

export function nextPacketId(session: BrokerSession): number {
  do session.lastPacketId = (session.lastPacketId % 0xffff) + 1
  while (session.underWay.has(session.lastPacketId))
  return session.lastPacketId
}

/** The message as it is sent at a moment; null once it has expired. */
export function packetOf(message: Message, now: number): Omit<IPublishPacket, 'messageId' | 'dup'> | null {
  const { topic, payload, qos, retain, properties, expiresAt } = message
  if (expiresAt === null) return { cmd: 'publish', topic, payload, qos, retain, properties }
  if (expiresAt <= now) return null
  const messageExpiryInterval = Math.ceil((expiresAt - now) / 1000)
  return { cmd: 'publish', topic, payload, qos, retain, properties: { ...properties, messageExpiryInterval } }
}

/** What was published, without what was only between the publisher and the broker. */
export function messageOf(packet: IPublishPacket, now: number): Message {
  const { topicAlias: _, messageExpiryInterval, ...properties } = packet.properties ?? {}
  return {
    topic: packet.topic,
    payload: packet.payload,
    qos: packet.qos === 0 ? 0 : 1,
    retain: packet.retain,
    properties,
    expiresAt: messageExpiryInterval === undefined ? null : now + messageExpiryInterval * 1000,
  }
}
