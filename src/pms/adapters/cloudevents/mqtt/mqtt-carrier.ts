import { randomUUID } from 'node:crypto'
import type { IPublishPacket } from 'mqtt'
import type { CloudEvent } from '../../../../events/cloud-event.ts'
import type { Call } from '../../../call.ts'
import type { Carrier, CarrierKind, CarrierNews, CarrierSetup } from '../carrier.ts'
import type { Message } from '../messages/envelope.ts'
import type { Exchanges, RequestType } from '../messages/messages.ts'
import type { Connection, Outgoing } from './connection.ts'
import { keepLine, type Pace, usualPace } from './line.ts'
import { asFault, lineFault } from './reasons.ts'
import { mayChange, requests } from './requests.ts'
import { checkMqtt, mqttConnection, mqttCredentials, mqttSettings } from './settings.ts'
import { type HouseState, houseState } from './state.ts'
import { channels } from './topics.ts'

/** Messages over an MQTT 5 broker. */
export const mqttCarrierKind: CarrierKind = {
  connection: mqttConnection,
  required: ['broker'],
  credentials: mqttCredentials,
  check: checkMqtt,
  open: (setup) => mqttCarrier(setup),
}

export interface MqttCarrier extends Carrier {
  /**
   * The number of dropped messages: replies that came too late or were not requested, and topics without a
   * subscription.
   */
  ignored(): { replies: number; topics: number }
}

export function mqttCarrier(setup: CarrierSetup, pace: Pace = usualPace): MqttCarrier {
  const { clock } = setup
  const settings = mqttSettings(setup)
  const { topics, clientId, patienceMs } = settings
  const listeners = new Set<CarrierNews>()
  const ignored = { replies: 0, topics: 0 }
  const waiting = requests(clock, patienceMs)
  let state: Parameters<CarrierNews['line']> | null = null

  const line = keepLine({
    settings,
    clock,
    pace,
    subscriptions: [topics.replies, topics.changes],
    will: { ...stateMessage('offline', null), qos: 1, retain: true },
    received,
    async opened(connection) {
      if (!connection.sessionPresent) waiting.sessionLost()
      if (connection.retains) await connection.publish(stateMessage('online', clock.now()), never)
    },
    leaving(connection) {
      if (connection.retains) connection.publish(stateMessage('offline', clock.now()), never).catch(() => {})
    },
    state(...told) {
      if (state?.[0] === told[0] && state[1] === told[1]) return
      state = told
      for (const news of listeners) news.line(...told)
    },
  })

  function stateMessage(state: HouseState['state'], at: number | null): Outgoing & { retain: boolean } {
    return { ...outgoing(topics.state, houseState(setup, { state, clientId }, at)), retain: true }
  }

  function received(packet: IPublishPacket): void {
    if (packet.topic === topics.changes) {
      for (const news of listeners) news.message(Buffer.from(packet.payload))
    } else if (packet.topic !== topics.replies) {
      ignored.topics++
    } else if (!waiting.replied(packet)) {
      ignored.replies++
    }
  }

  async function request<Type extends RequestType>(type: Type, data: Exchanges[Type]['data'], call: Call) {
    const connection = await standing(call.signal)
    const { topic, payload, properties } = outgoing(topics.request(type), messageOf(type, data))
    const expiry = { responseTopic: topics.replies, messageExpiryInterval: Math.ceil(patienceMs / 1000) }
    const message = { topic, payload, properties: { ...properties, ...expiry } }
    return waiting.send({ type, mayChange: mayChange(type, data), message }, connection, call)
  }

  function messageOf<Type extends RequestType>(type: Type, data: Exchanges[Type]['data']): Message {
    return {
      specversion: '1.0',
      id: randomUUID(),
      source: setup.source(),
      type,
      subject: `pms/${setup.configurationId}`,
      time: new Date(clock.now()).toISOString(),
      datacontenttype: 'application/json',
      data,
    }
  }

  /**
   * Publishes the events in order, with many in flight. When one fails, those without an acknowledgement may be
   * published again.
   */
  async function publish(events: readonly CloudEvent[], { signal }: Call): Promise<void> {
    const connection = await standing(signal)
    const messageExpiryInterval = channels.events.expirySeconds
    const sent = events.map((event) => {
      const message = outgoing(topics.event(event.type), event)
      return connection.publish(
        { ...message, properties: { ...message.properties, messageExpiryInterval } },
        signal,
      )
    })
    try {
      await Promise.all(sent)
    } catch (error) {
      throw asFault(error, false)
    }
  }

  /** The current connection, until the signal is aborted. */
  async function standing(signal: AbortSignal): Promise<Connection> {
    const aborted = Promise.withResolvers<never>()
    const stop = () => aborted.reject(lineFault('none stands yet'))
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      return await Promise.race([line.connection(), aborted.promise])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  return {
    request,
    publish,
    follow(news) {
      listeners.add(news)
      if (state) news.line(...state)
      return () => void listeners.delete(news)
    },
    ignored: () => ({ ...ignored }),
    async close() {
      waiting.close()
      await line.close()
    },
  }
}

const never = new AbortController().signal

function outgoing(topic: string, message: Message | CloudEvent) {
  const properties = { payloadFormatIndicator: true, contentType: 'application/cloudevents+json' }
  return { topic, payload: JSON.stringify(message), properties }
}
