import type { IPublishPacket } from 'mqtt'
import type { CloudEvent } from '../../../../events/cloud-event.ts'
import type { Message } from '../../../../jsonapi/locales/message.ts'
import type { Call } from '../../../call.ts'
import type { Carrier, CarrierKind, CarrierSetup } from '../carrier.ts'
import type { Exchanges, RequestType } from '../messages/messages.ts'
import type { MqttConnection } from './connection.ts'
import { carrierFollowers } from './followers.ts'
import { type BrokerLine, defaultPace, keepLine, type Pace } from './line.ts'
import { eventMessage, requestMessage, stateMessage } from './outgoing.ts'
import { asFault, lineFault } from './reasons.ts'
import { mayChange, pendingRequests } from './requests.ts'
import { checkMqtt, mqttConnection, mqttCredentials, mqttSettings } from './settings.ts'

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

/** How often the state of the box is compared with the published one. */
const comparesEveryMs = 30_000

/** Two clients of one id meet again within the longest pause between attempts, which is a minute. */
const notedForMs = 600_000

/** Carries messages to a PMS over a broker. Connects at once, and again without end. */
export function mqttCarrier(setup: CarrierSetup, pace: Pace = defaultPace): MqttCarrier {
  const { clock } = setup
  const settings = mqttSettings(setup)
  const { topics, patienceMs } = settings
  const ignored = { replies: 0, topics: 0 }
  const followers = carrierFollowers()
  const pending = pendingRequests(clock, patienceMs)

  /** The connection whose broker has the state, and the state of the box in it. */
  let open: MqttConnection | null = null
  let published = ''
  const comparing = clock
    .setInterval(() => {
      if (open?.retains && JSON.stringify(setup.box?.()) !== published) publishState(open).catch(() => {})
    }, comparesEveryMs)
    .unref()

  function publishState(connection: MqttConnection): Promise<unknown> {
    published = JSON.stringify(setup.box?.())
    return connection.publish(stateNow('online'), never)
  }

  /** When another client took the client id over, by the monotonic clock; null for never. */
  let takenOver: { at: number; note: Message } | null = null
  const line = keepLine({
    settings,
    clock,
    pace,
    subscriptions: [topics.replies, topics.changes],
    will: { ...stateMessage(setup, settings, 'offline', null), qos: 1, retain: true },
    received,
    async opened(connection) {
      if (!connection.sessionPresent) pending.sessionLost()
      if (connection.retains) await publishState(connection)
      open = connection
    },
    leaving(connection) {
      open = null
      if (connection.retains) connection.publish(stateNow('offline'), never).catch(() => {})
    },
    state: followers.line,
    takenOver(isCertain) {
      const code = isCertain ? 'pms-other-box' : 'pms-perhaps-other-box'
      takenOver = { at: clock.monotonic(), note: { code } }
    },
  })

  function stateNow(state: 'online' | 'offline') {
    return stateMessage(setup, settings, state, clock.now())
  }

  function received(packet: IPublishPacket): void {
    if (packet.topic === topics.changes) followers.message(Buffer.from(packet.payload))
    else if (packet.topic !== topics.replies) ignored.topics++
    else if (!pending.replied(packet)) ignored.replies++
  }

  async function request<Type extends RequestType>(type: Type, data: Exchanges[Type]['data'], call: Call) {
    const connection = await connectionOf(line, call.signal)
    const message = requestMessage(setup, settings, type, data)
    return pending.send({ type, mayChange: mayChange(type, data), message }, connection, call)
  }

  /**
   * Publishes the events in order, with many in flight. When one fails, those without an acknowledgement may be
   * published again.
   */
  async function publish(events: readonly CloudEvent[], { signal }: Call): Promise<void> {
    const connection = await connectionOf(line, signal)
    const sent = events.map((event) => connection.publish(eventMessage(settings, event), signal))
    try {
      await Promise.all(sent)
    } catch (error) {
      throw asFault(error, false)
    }
  }

  return {
    request,
    publish,
    follow: followers.follow,
    notes: () => (takenOver && clock.monotonic() - takenOver.at < notedForMs ? [takenOver.note] : []),
    ignored: () => ({ ...ignored }),
    async close() {
      comparing.cancel()
      pending.close()
      await line.close()
    },
  }
}

const never = new AbortController().signal

/** The connection of the line. Rejects with a DeviceFault when there is none before the signal is aborted. */
async function connectionOf(line: BrokerLine, signal: AbortSignal): Promise<MqttConnection> {
  const aborted = Promise.withResolvers<never>()
  const stop = () => aborted.reject(lineFault('it has not been opened yet'))
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await Promise.race([line.connection(), aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
