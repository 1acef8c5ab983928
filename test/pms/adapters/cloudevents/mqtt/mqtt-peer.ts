import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import mqtt, { type IClientOptions, type IPublishPacket } from 'mqtt'
import type { CloudEvent } from '../../../../../src/events/cloud-event.ts'
import type { CarrierSetup } from '../../../../../src/pms/adapters/cloudevents/carrier.ts'
import type { Message } from '../../../../../src/pms/adapters/cloudevents/messages/envelope.ts'
import { messages, type RequestType } from '../../../../../src/pms/adapters/cloudevents/messages/messages.ts'
import {
  type MqttCarrier,
  mqttCarrier,
} from '../../../../../src/pms/adapters/cloudevents/mqtt/mqtt-carrier.ts'

export const propertyId = '019faa00-0000-7000-8000-000000000001'
export const configurationId = '019faa00-0000-7000-8000-000000000002'
export const prefix = `nightporter/v1/${propertyId}`
export const clientId = `nightporter-${propertyId}-${configurationId}`

/** Tries again soon, so that a test need not wait. */
export const soon = { firstMs: 4, maxMs: 20 }

export function setupFor(
  broker: string,
  more: Partial<CarrierSetup> & Pick<CarrierSetup, 'clock'>,
): CarrierSetup {
  return {
    configurationId,
    connection: { broker },
    credentials: {},
    heartbeatSeconds: 60,
    timeoutMs: 10_000,
    source: () => `urn:property:${propertyId}`,
    epoch: () => 1,
    ...more,
  }
}

/** What a carrier has sent, as it sent it. */
export interface Heard {
  carrier: MqttCarrier
  lines: string[]
  messages: string[]
  nudges: number
}

export function openCarrier(t: TestContext, setup: CarrierSetup): Heard {
  const carrier = mqttCarrier(setup, soon)
  t.after(() => carrier.close())
  const heard: Heard = { carrier, lines: [], messages: [], nudges: 0 }
  carrier.follow?.({
    message: (bytes) => heard.messages.push(Buffer.from(bytes).toString()),
    poke: () => heard.nudges++,
    line: (state, reason) => heard.lines.push(reason === null ? state : `${state}: ${reason}`),
  })
  return heard
}

/** Who asks, and waits for ever unless a signal is given. */
export const actor = { by: 'test', requestId: null }
export const call = (signal = new AbortController().signal) => ({ signal, actor })

/** What a PMS at the broker says to a request: the reply, several, or none. */
export type Answering = (request: Message, packet: IPublishPacket) => Message[] | Promise<Message[]>

export interface Peer {
  asked: { message: Message; packet: IPublishPacket }[]
  /** Asks the broker for the requests again, whatever it remembers. */
  subscribed(): Promise<unknown>
  /** Resolves when the broker has it. */
  tell(topic: string, payload: string): Promise<unknown>
  hear(topic: string, heard: (payload: string) => void): Promise<unknown>
  close(): Promise<void>
}

/** A PMS at the broker that answers with the examples of the contract unless a test says otherwise. */
export async function openPeer(
  t: TestContext,
  url: string,
  answering: Answering = exampleReplies,
  options: IClientOptions = {},
): Promise<Peer> {
  const asked: Peer['asked'] = []
  const hearing = new Map<string, (payload: string) => void>()
  const client = mqtt.connect(url, {
    protocolVersion: 5,
    clientId: 'pms-1',
    reconnectPeriod: 5,
    ...options,
  })
  t.after(() => void client.end(true))
  // Otherwise its acknowledgement would hold back its reply for 40 ms.
  client.on('connect', () => (client.stream as Socket).setNoDelay(true))
  client.on('message', async (topic, payload, packet) => {
    const listener = hearing.get(topic)
    if (listener) {
      listener(payload.toString())
      return
    }
    const message = JSON.parse(payload.toString()) as Message
    asked.push({ message, packet })
    const { responseTopic = '', correlationData } = packet.properties ?? {}
    for (const reply of await answering(message, packet)) {
      const properties = correlationData ? { correlationData } : {}
      client.publish(responseTopic, JSON.stringify(reply), { qos: 1, properties })
    }
  })
  const subscribed = () => client.subscribeAsync('$share/pms/nightporter/v1/+/requests/#', { qos: 1 })
  await subscribed()
  return {
    subscribed,
    asked,
    tell: (topic, payload) => client.publishAsync(topic, payload, { qos: 1 }),
    hear(topic, heard) {
      hearing.set(topic, heard)
      return client.subscribeAsync(topic, { qos: 1 })
    },
    close: () => client.endAsync(true),
  }
}

export function exampleReplies({ type }: Message): Message[] {
  return [messages[messages[type as RequestType].reply].example]
}

/** Whoever hears the events of all houses, as `topic id`, in the order of arrival. */
export async function openListener(
  t: TestContext,
  url: string,
  options: IClientOptions = {},
): Promise<string[]> {
  const received: string[] = []
  const client = mqtt.connect(url, { protocolVersion: 5, reconnectPeriod: 5, ...options })
  t.after(() => void client.end(true))
  client.on('message', (topic, payload) => {
    received.push(`${topic} ${(JSON.parse(payload.toString()) as Message).id}`)
  })
  await client.subscribeAsync('nightporter/v1/+/events/#', { qos: 1 })
  return received
}

/** Events of the house as the journal tells them. */
export function eventsOf(count: number, type = 'stay.checked-in'): CloudEvent[] {
  return Array.from({ length: count }, (_, n) => ({
    specversion: '1.0',
    id: eventId(n),
    source: `urn:property:${propertyId}`,
    type,
    subject: `stays/${n}`,
    time: '2026-06-01T16:00:00.000Z',
    datacontenttype: 'application/json',
    dataschema: 'urn:nightporter:event-data:1',
    sequence: String(n + 1).padStart(20, '0'),
    data: {
      id: `${n}`,
      type: 'stay',
      revision: 2,
      changed: ['status'],
      by: { id: 'start', name: null },
      links: { self: null },
    },
  }))
}

export const eventId = (n: number) => `019faa00-0000-7000-8000-${String(n).padStart(12, '0')}`
