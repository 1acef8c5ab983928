import { createHash } from 'node:crypto'
import type { Clock, Timer } from '../../../host/clock.ts'
import { type LiveConnection, liveSocket } from '../http/live-socket.ts'
import type { OperaClient } from './client.ts'
import type { OperaSettings } from './connection.ts'
import type { Hints } from './hints.ts'

interface StreamOptions {
  client: Pick<OperaClient, 'accessToken'>
  settings: Pick<OperaSettings, 'gatewayUrl' | 'applicationKey' | 'hotelId'>
  chainCode: string
  clock: Clock
  hints: Pick<Hints, 'add' | 'offset' | 'reached'>
  /** Something has changed: poll for it. */
  poke(): void
}

interface StreamEvent {
  metadata?: { offset?: unknown }
  moduleName?: unknown
  primaryKey?: unknown
  hotelId?: unknown
}

interface Message {
  type?: unknown
  payload?: {
    data?: { newEvent?: StreamEvent }
  }
}

/** OHIP wants ten seconds between the end of one subscription and the next. */
const restMs = 10_000
/** OHIP wants a ping at least every 15 s. */
const pingMs = 14_000
/** OHIP closes a connection on which nothing was said for five seconds. */
const tokenMs = 4_000

const events = `subscription { newEvent(input: {chainCode: "CHAIN", hotelCode: "HOTEL"OFFSET}) {
  metadata { offset uniqueEventId } moduleName eventName primaryKey hotelId
} }`

/** An offset is a text that is repeated in a query. */
const isOffset = /^[\w.:-]{1,100}$/

/**
 * Listens to the stream of business events until the returned function is called. It is replayed from the last known offset: OHIP
 * keeps events for seven days, and the place of a consumer only for one. An event is only a hint: its reservation is fetched.
 */
export function operaStream(options: StreamOptions): () => void {
  const { client, chainCode, clock, hints, poke } = options
  const { gatewayUrl, applicationKey, hotelId } = options.settings
  const key = createHash('sha256').update(applicationKey).digest('hex')
  const url = `${gatewayUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/subscriptions?key=${key}`
  let connection: LiveConnection | null = null
  let pings: Timer | null = null

  async function begin(mine: LiveConnection): Promise<void> {
    try {
      const token = await client.accessToken(clock.timeout(tokenMs))
      say(mine, {
        type: 'connection_init',
        payload: { Authorization: `Bearer ${token}`, 'x-app-key': applicationKey },
      })
    } catch {
      // The same fault keeps the reservations from being fetched, which reports it.
      mine.end()
    }
  }

  function heard(text: string): void {
    const { type, payload } = messageIn(text)
    if (connection === null) return
    if (type === 'ping') say(connection, { type: 'pong' })
    if (type === 'connection_ack') subscribe(connection)
    // An offset that OHIP refuses is not sent again.
    if (type === 'error') hints.reached(null)
    if (type === 'error' || type === 'complete') connection.end()
    const event = type === 'next' ? payload?.data?.newEvent : undefined
    const offset = event?.metadata?.offset
    if (typeof offset === 'string' && isOffset.test(offset)) hints.reached(offset)
    if (event?.hotelId !== hotelId) return
    if (event.moduleName === 'RESERVATION') hints.add(String(event.primaryKey))
    poke()
  }

  function subscribe(mine: LiveConnection): void {
    const offset = hints.offset()
    const query = events
      .replace('CHAIN', chainCode)
      .replace('HOTEL', hotelId)
      .replace('OFFSET', offset === null ? '' : `, offset: "${offset}"`)
    say(mine, { id: '1', type: 'subscribe', payload: { query } })
    pings = clock.setInterval(() => say(mine, { type: 'ping' }), pingMs).unref()
    poke()
  }

  const stop = liveSocket({
    url,
    protocol: 'graphql-transport-ws',
    clock,
    restMs,
    opened(mine) {
      connection = mine
      void begin(mine)
    },
    heard,
    // Everything is polled for as well.
    lost() {
      connection = null
      pings?.cancel()
    },
  })
  return () => {
    pings?.cancel()
    stop()
  }
}

function say(connection: LiveConnection, message: object): void {
  connection.send(JSON.stringify(message))
}

/** An empty message for one that is not understood. */
function messageIn(text: string): Message {
  try {
    const said: unknown = JSON.parse(text)
    return typeof said === 'object' && said !== null ? said : {}
  } catch {
    return {}
  }
}
