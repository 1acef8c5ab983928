import type { Clock } from '../../../../host/clock.ts'
import type { Message } from '../messages/envelope.ts'
import { LineLost, reasonOf } from './reasons.ts'
import type { MqttSettings } from './settings.ts'
import { mqttSocket } from './socket.ts'
import { type HouseState, houseStateType } from './state.ts'
import { defaultPrefix } from './topics.ts'

/** A box as its retained message describes it. */
export interface FleetBox {
  propertyId: string
  /** When it published the message, ISO 8601; null for the will, whose time is not known. */
  at: string | null
  state: HouseState
}

/** The largest message that is accepted, and the largest number of boxes. */
const largestPacket = 65_536
const mostBoxes = 10_000
/** A broker sends its retained messages at once; after this silence it has sent all. */
const silenceMs = 1_000
const longestMs = 30_000

/**
 * Reads the retained state of each box at a broker, in the order of their ids. `prefix` is the topic prefix of the
 * configurations. Rejects with a LineLost when the broker cannot be used.
 */
export async function readFleet(
  settings: MqttSettings,
  { prefix = defaultPrefix, clock }: { prefix?: string | undefined; clock: Clock },
): Promise<FleetBox[]> {
  const found = new Map<string, FleetBox>()
  let heardAt = 0
  const { MqttClient } = (await import('mqtt')).default
  const client = new MqttClient(() => mqttSocket(settings, largestPacket), {
    protocolVersion: 5,
    clientId: settings.clientId,
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: settings.patienceMs,
    ...(settings.username !== undefined && { username: settings.username }),
    ...(settings.password !== undefined && { password: settings.password }),
  })
  client.on('message', (_topic, payload, { retain }) => {
    heardAt = clock.monotonic()
    const box = boxIn(payload.toString())
    if (retain && box && found.size < mostBoxes) found.set(box.propertyId, box)
  })
  try {
    await subscribed(client, `${prefix.replaceAll('{propertyId}', '+')}/state`)
    heardAt = clock.monotonic()
    const until = heardAt + longestMs
    while (clock.monotonic() < Math.min(until, heardAt + silenceMs)) await clock.sleep(50)
  } finally {
    client.end(true)
  }
  return [...found.values()].sort((one, other) => one.propertyId.localeCompare(other.propertyId))
}

function subscribed(client: InstanceType<typeof import('mqtt').MqttClient>, topic: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const lost = (why: string) => reject(new LineLost(why, { sent: false }))
    // An error after the subscription ends the connection, and what has arrived until then counts.
    client.on('error', (error) => lost(reasonOf(error)))
    client.once('close', () => lost('the connection was cut'))
    client.once('connect', () =>
      client.subscribe(topic, { qos: 1 }, (error) => (error ? lost(reasonOf(error)) : resolve())),
    )
  })
}

/** Returns the box of a message; null for a message of another kind, which anybody may have left at the broker. */
function boxIn(text: string): FleetBox | null {
  try {
    const { source, type, time = null, data } = JSON.parse(text) as Partial<Message<HouseState>>
    const [, propertyId] = /^urn:property:([\w-]{1,100})$/.exec(source ?? '') ?? []
    if (!propertyId || type !== houseStateType || typeof data?.state !== 'string') return null
    return { propertyId, at: time, state: data }
  } catch {
    return null
  }
}
