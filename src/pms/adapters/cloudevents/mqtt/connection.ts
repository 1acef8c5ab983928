import type { IClientOptions, IClientPublishOptions, IConnackPacket, IPublishPacket, MqttClient } from 'mqtt'
import type { Clock } from '../../../../host/clock.ts'
import { largestPage } from '../messages/envelope.ts'
import { type InFlight, inFlight } from './in-flight.ts'
import { BrokerRefused, LineLost, reasonOf } from './reasons.ts'
import type { MqttSettings } from './settings.ts'
import { mqttSocket } from './socket.ts'

/** One connection to a broker, from its CONNACK to its end. It never reconnects; a new connection replaces it. */
export interface MqttConnection {
  /** True when the broker has kept the session: it delivers the messages that arrived meanwhile. */
  sessionPresent: boolean
  /** Whether the broker supports retained messages. */
  retains: boolean
  /**
   * Publishes with QoS 1. Resolves when the broker has acknowledged the message: `nobody` when it reports that there is
   * no subscriber. Rejects with a BrokerRefused, or with a LineLost when the connection ended first or the signal was
   * aborted before the sending.
   */
  publish(message: Outgoing, signal: AbortSignal): Promise<'taken' | 'nobody'>
  /** Resolves with the reason when the connection has ended. */
  ended: Promise<string>
  /** How it has ended: another client with the same client id has connected, it was cut without a word, or in another way. */
  ending(): 'taken-over' | 'cut' | 'other'
  /** Disconnects in order: the broker does not publish the will. */
  disconnect(): Promise<void>
}

export interface Outgoing {
  topic: string
  payload: string
  retain?: boolean
  properties?: NonNullable<IClientPublishOptions['properties']>
}

export interface ConnectionOptions {
  settings: MqttSettings
  clock: Clock
  will: NonNullable<IClientOptions['will']>
  /** Subscribed before any message is published. */
  subscriptions: readonly string[]
  received(packet: IPublishPacket): void
  /** Aborted when the connection is no longer needed. */
  signal: AbortSignal
}

/** More than a page, so that a reply slightly above the limit is reported and not dropped silently. */
const largestPacket = largestPage + 1024 * 1024
/** The maximum number of messages in flight, in each direction. */
const maxInFlight = 100
/** Bytes of a packet beside its topic and its payload. */
const overhead = 512
const maxDisconnectMs = 1_000
const week = 7 * 24 * 3600
const noSubscribers = 16
/** The reason code with which a broker ends a connection whose client id another client uses now. */
const sessionTakenOver = 142
/** The lowest reason code that means a refusal. */
const firstRefusal = 128

/** Resolves when the broker has accepted the connection and the subscriptions; rejects with a LineLost. */
export async function openConnection(options: ConnectionOptions): Promise<MqttConnection> {
  const { settings, clock, signal } = options
  // The default export: in a bundle, a CommonJS package has no named exports.
  const { MqttClient } = (await import('mqtt')).default
  const client: MqttClient = new MqttClient(() => mqttSocket(settings, largestPacket), clientOptions(options))
  const { gone, drop, ending } = lifetimeOf(client, signal)
  client.on('message', (_topic, _payload, packet) => options.received(packet))
  const { sessionPresent, properties: may = {} } = await connected(client, gone)
  const flight = inFlight({
    clock,
    most: Math.min(may.receiveMaximum ?? maxInFlight, maxInFlight),
    patienceMs: settings.patienceMs,
    silent: () => drop(`the broker has acknowledged nothing for ${settings.patienceMs / 1000} s`),
  })
  void gone.then(flight.lose)
  if (may.maximumQoS === 0) drop('the broker accepts only QoS 0, which it does not acknowledge')
  if (may.receiveMaximum === 0) drop('the broker accepts no messages: its Receive Maximum is 0')
  try {
    await subscribe(client, flight, options)
  } catch (error) {
    drop(reasonOf(error))
    throw new LineLost(await gone, { sent: false })
  }

  async function disconnect(): Promise<void> {
    const late = clock.setTimeout(
      () => client.stream.destroy(),
      Math.min(maxDisconnectMs, settings.patienceMs),
    )
    client.end(false, { reasonCode: 0 })
    await gone
    late.cancel()
  }

  return {
    sessionPresent,
    retains: may.retainAvailable !== false,
    publish: publisher(client, flight, may.maximumPacketSize ?? largestPacket),
    ended: gone,
    ending,
    disconnect,
  }
}

/**
 * The options of a client for one connection. The client never reconnects: the messages that it still holds are
 * dropped, and their owner sends them again, so that only one queue exists. Of the session, only the broker's part
 * continues.
 */
function clientOptions({ settings, will }: ConnectionOptions): IClientOptions {
  const { clientId, username, password, keepaliveSeconds, patienceMs } = settings
  return {
    protocolVersion: 5,
    clientId,
    clean: false,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    will,
    keepalive: keepaliveSeconds,
    connectTimeout: patienceMs,
    reconnectPeriod: 0,
    resubscribe: false,
    autoAssignTopicAlias: true,
    properties: {
      sessionExpiryInterval: week,
      receiveMaximum: maxInFlight,
      maximumPacketSize: largestPacket,
      requestProblemInformation: true,
    },
    // Without these, the library caches a buffer for each of 65,536 numbers, and logs packets when DEBUG is set.
    writeCache: false,
    log: () => {},
  }
}

/** Resolves with the first reason for which a client ended; later ones are consequences. */
function lifetimeOf(client: MqttClient, signal: AbortSignal) {
  const gone = Promise.withResolvers<string>()
  let reason: string | null = null
  let ending: ReturnType<MqttConnection['ending']> = 'other'
  function drop(why: string): void {
    if (reason !== null) return
    reason = why
    client.end(true)
  }
  const unwanted = () => drop('it was closed')
  client.on('error', (error) => drop(reasonOf(error)))
  client.on('disconnect', ({ reasonCode = 0, properties }) => {
    const words = properties?.reasonString?.slice(0, 200) ?? 'the broker has ended the connection'
    if (reason === null && reasonCode === sessionTakenOver) ending = 'taken-over'
    drop(`${words} (reason ${reasonCode})`)
  })
  client.on('close', () => {
    if (reason === null) ending = 'cut'
    reason ??= 'the connection was cut'
    signal.removeEventListener('abort', unwanted)
    gone.resolve(reason)
  })
  signal.addEventListener('abort', unwanted)
  if (signal.aborted) unwanted()
  return { gone: gone.promise, drop, ending: () => ending }
}

async function connected(client: MqttClient, gone: Promise<string>): Promise<IConnackPacket> {
  const connected = new Promise<IConnackPacket>((resolve) => client.once('connect', resolve))
  const first = await Promise.race([connected, gone])
  if (typeof first === 'string') throw new LineLost(first, { sent: false })
  return first
}

/** Subscribes, even in a kept session: the broker checks its current permissions. */
function subscribe(client: MqttClient, flight: InFlight, { subscriptions, signal }: ConnectionOptions) {
  return flight.send<void>((done) => {
    client.subscribe([...subscriptions], { qos: 1 }, (error, _, packet) => {
      const codes = packet?.granted.map(Number) ?? []
      const at = codes.findIndex((code) => code >= firstRefusal)
      if (at === -1) done(error)
      else done(new BrokerRefused(`${error?.message}: ${subscriptions[at]}`, codes[at] ?? 0))
    })
  }, signal)
}

function publisher(client: MqttClient, flight: InFlight, largest: number): MqttConnection['publish'] {
  let acknowledgement = 0
  client.on('packetreceive', (packet) => {
    // The callback of `publish` follows in the same turn, and does not receive the reason code.
    if (packet.cmd === 'puback') acknowledgement = packet.reasonCode ?? 0
  })
  return ({ topic, payload, retain = false, properties = {} }, signal) =>
    flight.send((done) => {
      if (client.disconnecting) {
        done(new LineLost('it is being closed', { sent: false }))
        return
      }
      const size = Buffer.byteLength(payload) + Buffer.byteLength(topic) + overhead
      if (size > largest) {
        done(new BrokerRefused(`it has ${size} bytes; the broker accepts ${largest}`, 149))
        return
      }
      client.publish(topic, payload, { qos: 1, retain, properties }, (error) => {
        if (!error) done(null, acknowledgement === noSubscribers ? 'nobody' : 'taken')
        else done(refusalIn(error) ?? new LineLost(error.message, { sent: true }))
      })
    }, signal)
}

/** A refusal by the broker has a reason code; any other error is a failure of the line. */
function refusalIn(error: Error): BrokerRefused | null {
  const { code } = error as { code?: unknown }
  return typeof code === 'number' ? new BrokerRefused(error.message, code) : null
}
