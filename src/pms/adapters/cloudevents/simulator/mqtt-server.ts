import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import mqtt, { type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt'
import type { CloudEvent } from '../../../../events/cloud-event.ts'
import type { Clock } from '../../../../host/clock.ts'
import { largestPage, type Message } from '../messages/envelope.ts'
import { messages, type RequestType } from '../messages/messages.ts'
import type { Fault } from './misbehaviour.ts'
import type { Outcome, PmsReply, SimulatedPms } from './simulated-pms.ts'

export interface MqttServerOptions {
  /** `mqtt://HOST:PORT` or `mqtts://HOST:PORT`. */
  url: string
  /** Of the topics, with `+` for the houses. */
  prefix?: string
  /** Several PMS of one group share out what is asked. */
  group?: string
  clientId?: string
  login?: Pick<IClientOptions, 'username' | 'password' | 'ca' | 'cert' | 'key' | 'servername'>
  /** The PMS of a house, by what stands before its topics; called once for each. */
  pmsOf(house: string): SimulatedPms
  clock: Clock
  /** How soon it comes back to the broker after a cut. */
  retryMs?: number
}

export interface MqttPms {
  /** What stands before the topics of the houses that were heard of. */
  houses(): string[]
  close(): Promise<void>
}

type Handler = (pms: SimulatedPms, house: string, packet: IPublishPacket) => Promise<void>

/** How long the broker keeps what is for a PMS that is away. */
const absenceSeconds = 3_600
/** Houses of one broker; more are not heard. */
const mostHouses = 10_000

/** Simulated PMS at a broker, one for each house. Resolves when it hears them; rejects when the broker is not there or refuses. */
export async function serveMqtt(options: MqttServerOptions): Promise<MqttPms> {
  const { url, prefix = 'nightporter/v1/+', group = 'pms', clientId = 'simulated-pms' } = options
  const houses = new Map<string, { pms: SimulatedPms; stop: () => void }>()
  const depth = prefix.split('/').length

  /** By the first word after the prefix. */
  const handlers: Record<string, Handler> = { requests: answer, events: take, state: async () => {} }

  function heard(packet: IPublishPacket): void {
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
    // A house says where its reply goes; it is not told to anybody else for that.
    if (!responseTopic.startsWith(`${house}/replies/`) || !isRequest(request.type)) return
    const outcome = await pms.answer({ type: request.type, data: request.data })
    if (outcome.deed === 'cut-before' || outcome.deed === 'cut-after') client.stream.destroy()
    const text = textOf(outcome, request)
    if (text !== null) send(responseTopic, text, correlationData && { correlationData })
  }

  async function take(pms: SimulatedPms, _house: string, { payload }: IPublishPacket): Promise<void> {
    await pms.take([JSON.parse(payload.toString()) as CloudEvent])
  }

  function textOf({ reply, fault }: Outcome, { subject = '' }: Message): string | null {
    const said = fault ? instead(fault, reply) : reply
    if (said === null || typeof said === 'string') return said
    const message: Message = {
      specversion: '1.0',
      id: randomUUID(),
      source: 'urn:pms:simulated',
      type: said.type,
      subject,
      time: new Date(options.clock.now()).toISOString(),
      datacontenttype: 'application/json',
      data: said.data,
    }
    const text = JSON.stringify(message)
    return fault?.does === 'half' ? text.slice(0, text.length / 2) : text
  }

  function send(topic: string, text: string, properties: IPublishPacket['properties'] = {}): void {
    const of = { payloadFormatIndicator: true, contentType: 'application/cloudevents+json', ...properties }
    client.publish(topic, text, { qos: 1, properties: of })
  }

  const client: MqttClient = mqtt.connect(url, {
    protocolVersion: 5,
    clientId,
    clean: false,
    resubscribe: false,
    reconnectPeriod: options.retryMs ?? 1_000,
    properties: { sessionExpiryInterval: absenceSeconds },
    ...options.login,
  })
  client.on('message', (_topic, _payload, packet) => heard(packet))
  client.on('connect', () => {
    // Otherwise an acknowledgement would hold back the reply after it for 40 ms.
    ;(client.stream as Socket).setNoDelay?.(true)
    // A broker that was killed may remember a session and have lost that it shares.
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
      // Whoever is away and in the group would still be given his share of what is asked.
      await client.endAsync(false, { properties: { sessionExpiryInterval: 0 } })
    },
  }
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

/** What is said in place of a reply, as text where it is no message; null for nothing. */
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
    'too-many': failed('busy', 'It is asked too often.'),
    unauthorized: failed('unauthorized', 'The house is not known here.'),
    forbidden: failed('unauthorized', 'Not for this house.'),
    fail: failed('failed', 'Something broke.'),
    redirect: failed('failed', 'It is elsewhere now.'),
  }
  return deeds[does]
}
