import type { IClientOptions, IClientPublishOptions, IConnackPacket, IPublishPacket, MqttClient } from 'mqtt'
import type { Clock } from '../../host/clock.ts'
import { largestPage } from './envelope.ts'
import { BrokerRefused, LineLost, reasonOf } from './mqtt-reasons.ts'
import type { MqttSettings } from './mqtt-settings.ts'
import { mqttSocket } from './mqtt-socket.ts'
import { type UnderWay, underWay } from './under-way.ts'

/** One connection to a broker, from its CONNACK until it is gone. It never comes back; another takes its place. */
export interface Connection {
  /** The broker has kept our session: what was for us meanwhile comes now. */
  sessionPresent: boolean
  /** Whether the broker keeps messages for who comes later. */
  retains: boolean
  /**
   * Sends with QoS 1; resolves when the broker has acknowledged it, with whether it knows of anybody who wants it. Rejects
   * with a BrokerRefused, or with a LineLost when the connection is gone before or the signal has fired before it was sent.
   */
  publish(message: Outgoing, signal: AbortSignal): Promise<'taken' | 'nobody'>
  /** Resolves with the reason when it is gone. */
  gone: Promise<string>
  /** Ends it with a goodbye: the will is not told. */
  leave(): Promise<void>
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
  /** Asked for before anything is published. */
  subscriptions: readonly string[]
  received(packet: IPublishPacket): void
  /** Fires when nobody wants the connection any more. */
  signal: AbortSignal
}

/** More than a page: one that is a little too large is told from silence. */
const largestPacket = largestPage + 1024 * 1024
/** Messages without their acknowledgement, ours and the broker's. */
const mostUnderWay = 100
/** Bytes of a packet beside its topic and its payload. */
const overhead = 512
const longestGoodbyeMs = 1_000
const week = 7 * 24 * 3600
const noSubscribers = 16
/** The first of the reason codes that refuse. */
const firstRefusal = 128

/** Resolves when the broker has let us in and granted the subscriptions; rejects with a LineLost. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { settings, clock, signal } = options
  // By its default, because a bundle gives a CommonJS package no other name.
  const { MqttClient } = (await import('mqtt')).default
  const client: MqttClient = new MqttClient(() => mqttSocket(settings, largestPacket), clientOptions(options))
  const { gone, drop } = lifeOf(client, signal)
  client.on('message', (_topic, _payload, packet) => options.received(packet))
  const { sessionPresent, properties: may = {} } = await entered(client, gone)
  const flight = underWay({
    clock,
    most: Math.min(may.receiveMaximum ?? mostUnderWay, mostUnderWay),
    patienceMs: settings.patienceMs,
    silent: () => drop(`the broker has acknowledged nothing for ${settings.patienceMs / 1000} s`),
  })
  void gone.then(flight.lose)
  if (may.maximumQoS === 0) drop('the broker takes nothing but QoS 0, which it does not acknowledge')
  if (may.receiveMaximum === 0) drop('the broker takes no message at all: its Receive Maximum is 0')
  try {
    await subscribe(client, flight, options)
  } catch (error) {
    drop(reasonOf(error))
    throw new LineLost(await gone, { sent: false })
  }

  async function leave(): Promise<void> {
    const late = clock.setTimeout(
      () => client.stream.destroy(),
      Math.min(longestGoodbyeMs, settings.patienceMs),
    )
    client.end(false, { reasonCode: 0 })
    await gone
    late.cancel()
  }

  return {
    sessionPresent,
    retains: may.retainAvailable !== false,
    publish: publisher(client, flight, may.maximumPacketSize ?? largestPacket),
    gone,
    leave,
  }
}

/**
 * Each connection is a client of its own, which never connects again: what it still holds is gone with it and told by whoever
 * kept it, so that nothing is sent from two memories. Of the session only what the broker keeps for us goes on.
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
      receiveMaximum: mostUnderWay,
      maximumPacketSize: largestPacket,
      requestProblemInformation: true,
    },
    // The library would make a buffer of every number there is, and say what is sent to whoever sets a variable.
    writeCache: false,
    log: () => {},
  }
}

/** When a client is gone and why: the first reason counts, what follows from it does not. */
function lifeOf(client: MqttClient, signal: AbortSignal) {
  const gone = Promise.withResolvers<string>()
  let reason: string | null = null
  function drop(why: string): void {
    if (reason !== null) return
    reason = why
    client.end(true)
  }
  const unwanted = () => drop('it was closed')
  client.on('error', (error) => drop(reasonOf(error)))
  client.on('disconnect', ({ reasonCode = 0, properties }) => {
    const words = properties?.reasonString?.slice(0, 200) ?? 'the broker has ended the connection'
    drop(`${words} (reason ${reasonCode})`)
  })
  client.on('close', () => {
    reason ??= 'the connection was cut'
    signal.removeEventListener('abort', unwanted)
    gone.resolve(reason)
  })
  signal.addEventListener('abort', unwanted)
  if (signal.aborted) unwanted()
  return { gone: gone.promise, drop }
}

async function entered(client: MqttClient, gone: Promise<string>): Promise<IConnackPacket> {
  const connected = new Promise<IConnackPacket>((resolve) => client.once('connect', resolve))
  const first = await Promise.race([connected, gone])
  if (typeof first === 'string') throw new LineLost(first, { sent: false })
  return first
}

/** Also where the session was kept: what is granted is asked of the broker as it is now. */
function subscribe(client: MqttClient, flight: UnderWay, { subscriptions, signal }: ConnectionOptions) {
  return flight.send<void>((done) => {
    client.subscribe([...subscriptions], { qos: 1 }, (error, _, packet) => {
      const codes = packet?.granted.map(Number) ?? []
      const at = codes.findIndex((code) => code >= firstRefusal)
      if (at === -1) done(error)
      else done(new BrokerRefused(`${error?.message}: ${subscriptions[at]}`, codes[at] ?? 0))
    })
  }, signal)
}

function publisher(client: MqttClient, flight: UnderWay, largest: number): Connection['publish'] {
  let acknowledgement = 0
  client.on('packetreceive', (packet) => {
    // The publisher is told in the same breath that it was taken, but not with which reason.
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
        done(new BrokerRefused(`it has ${size} bytes, and the broker takes ${largest}`, 149))
        return
      }
      client.publish(topic, payload, { qos: 1, retain, properties }, (error) => {
        if (!error) done(null, acknowledgement === noSubscribers ? 'nobody' : 'taken')
        else done(refusalIn(error) ?? new LineLost(error.message, { sent: true }))
      })
    }, signal)
}

/** The broker's own no has a reason code; whatever else fails is the line. */
function refusalIn(error: Error): BrokerRefused | null {
  const { code } = error as { code?: unknown }
  return typeof code === 'number' ? new BrokerRefused(error.message, code) : null
}
