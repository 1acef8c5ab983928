import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import mqtt, { type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt'
import type { CloudEvent } from '../../events/cloud-event.ts'
import type { Clock } from '../../host/clock.ts'
import { largestPage, type Message } from '../../pms/adapters/cloudevents/messages/envelope.ts'
import { messages, type RequestType } from '../../pms/adapters/cloudevents/messages/messages.ts'
import type { Fault } from './misbehaviour.ts'
import type { PmsReply, SimulatedOutcome, SimulatedPms } from './simulated-pms.ts'

/** The broker of simulated PMS, and their topics. */
export interface MqttServerOptions {
  /** `mqtt://HOST:PORT` or `mqtts://HOST:PORT`. */
  url: string
  /** The prefix of the topics, with `+` for the properties. */
  prefix?: string
  /** The shared subscription: several PMS of one group share the requests. */
  group?: string
  clientId?: string
  login?: Pick<IClientOptions, 'username' | 'password' | 'ca' | 'cert' | 'key' | 'servername'>
  /** The PMS of a property, by the prefix of its topics; called once for each. */
  pmsOf(house: string): SimulatedPms
  clock: Clock
  /** The pause before a reconnection. */
  retryMs?: number
}

/** Simulated PMS at a broker. */
export interface MqttPms {
  /** The prefixes of the topics of all known properties. */
  houses(): string[]
  close(): Promise<void>
}

type Handler = (pms: SimulatedPms, house: string, packet: IPublishPacket) => Promise<void>

/** How long the broker keeps messages for a disconnected PMS. */
const absenceSeconds = 3_600
/** The maximum number of properties; messages of further ones are ignored. */
const mostHouses = 10_000

/** Serves simulated PMS at a broker, one for each property. Resolves when it has subscribed; rejects when the broker cannot be reached or refuses. */
export async function serveMqtt(options: MqttServerOptions): Promise<MqttPms> {
  const { prefix = 'nightporter/v1/+', group = 'pms' } = options
  const houses = new Map<string, { pms: SimulatedPms; stop: () => void }>()
  const depth = prefix.split('/').length

  /** By the first topic level after the prefix. */
  const handlers: Record<string, Handler> = {
    requests: answer,
    events: async (pms, _house, { payload }) =>
      void (await pms.take([JSON.parse(payload.toString()) as CloudEvent])),
    state: async () => {},
  }

  function dispatch(packet: IPublishPacket): void {
    const words = packet.topic.split('/')
    const handler = handlers[words[depth] ?? '']
    const house = words.slice(0, depth).join('/')
    const pms = handler && pmsAt(house)
    if (pms) void handler(pms, house, packet).catch((error) => client.emit('error', error))
  }

  function pmsAt(house: string): SimulatedPms | null {
    const known = houses.get(house)
    if (known || houses.size >= mostHouses) return known?.pms ?? null
    const pms = options.pmsOf(house)
    const stop = pms.onNotification((text) => send(`${house}/changes`, text))
    houses.set(house, { pms, stop })
    return pms
  }

  async function answer(pms: SimulatedPms, house: string, { payload, properties = {} }: IPublishPacket) {
    const request = JSON.parse(payload.toString()) as Message
    const { responseTopic = '', correlationData } = properties
    // Replies go to the property of the request only.
    if (!responseTopic.startsWith(`${house}/replies/`) || !isRequest(request.type)) return
    const outcome = await pms.answer({ type: request.type, data: request.data })
    if (outcome.deed === 'cut-before' || outcome.deed === 'cut-after') client.stream.destroy()
    const text = textOf(outcome, request, options.clock.now())
    if (text !== null) send(responseTopic, text, correlationData && { correlationData })
  }

  function send(topic: string, text: string, properties: IPublishPacket['properties'] = {}): void {
    const of = { payloadFormatIndicator: true, contentType: 'application/cloudevents+json', ...properties }
    client.publish(topic, text, { qos: 1, properties: of })
  }

  const client = connectedTo(options)
  client.on('message', (_topic, _payload, packet) => dispatch(packet))
  client.on('connect', () => {
    // Otherwise an acknowledgement would hold back the reply after it for 40 ms.
    ;(client.stream as Socket).setNoDelay?.(true)
    // A broker that was killed may remember the session without its shared subscriptions.
    if (isHeard) client.subscribe(filters, { qos: 1 })
  })
  let isHeard = false
  const share = `$share/${group}/${prefix}`
  const filters = [`${share}/requests/#`, `${share}/events/#`, `${prefix}/state`]
  await entered(client)
  await client.subscribeAsync(filters, { qos: 1 })
  isHeard = true

  return {
    houses: () => [...houses.keys()],
    async close() {
      for (const { stop } of houses.values()) stop()
      // With a kept session, the broker would go on to send its share of the requests here.
      await client.endAsync(false, { properties: { sessionExpiryInterval: 0 } })
    },
  }
}

function connectedTo({ url, clientId = 'simulated-pms', retryMs = 1_000, login }: MqttServerOptions) {
  return mqtt.connect(url, {
    protocolVersion: 5,
    clientId,
    clean: false,
    resubscribe: false,
    reconnectPeriod: retryMs,
    properties: { sessionExpiryInterval: absenceSeconds },
    ...login,
  })
}

async function entered(client: MqttClient): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  client.once('connect', () => resolve())
  client.once('error', reject)
  client.once('close', () => reject(new Error('the broker has cut the connection')))
  try {
    await promise
  } catch (error) {
    client.end(true)
    throw error
  }
}

function isRequest(type: string): type is RequestType {
  return Object.hasOwn(messages, type) && 'reply' in messages[type as RequestType]
}

function textOf({ reply, fault }: SimulatedOutcome, { subject = '' }: Message, now: number): string | null {
  const delivered = fault ? instead(fault, reply) : reply
  if (delivered === null || typeof delivered === 'string') return delivered
  const message: Message = {
    specversion: '1.0',
    id: randomUUID(),
    source: 'urn:pms:simulated',
    type: delivered.type,
    subject,
    time: new Date(now).toISOString(),
    datacontenttype: 'application/json',
    data: delivered.data,
  }
  const text = JSON.stringify(message)
  return fault?.does === 'half' ? text.slice(0, text.length / 2) : text
}

/** The reply of a fault, as text where it is no message; null for none. */
function instead({ does, retryAfterSeconds }: Fault, reply: PmsReply | null): PmsReply | string | null {
  const failed = (code: string, reason: string): PmsReply => ({
    type: 'pms.request.failed',
    data: { code, reason, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
  })
  const deeds: Record<Fault['does'], PmsReply | string | null> = {
    'cut-before': null,
    'cut-after': null,
    silence: null,
    half: reply,
    late: reply,
    garbage: '<html>Welcome!',
    huge: JSON.stringify({ padding: 'x'.repeat(does === 'huge' ? largestPage : 0) }),
    busy: failed('busy', 'The night audit is running.'),
    'too-many': failed('busy', 'It limits the rate of requests.'),
    unauthorized: failed('unauthorized', 'The house is not known here.'),
    forbidden: failed('unauthorized', 'Not for this house.'),
    fail: failed('failed', 'Something broke.'),
    redirect: failed('failed', 'It is elsewhere now.'),
  }
  return deeds[does]
}
