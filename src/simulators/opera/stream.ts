import { createHash } from 'node:crypto'
import { type WebSocket, WebSocketServer } from 'ws'
import type { SimulatedGateway } from './gateway.ts'

interface Said {
  type?: string
  payload?: { Authorization?: string; 'x-app-key'?: string; query?: string }
}

/** The stream of business events. It keeps its place without a consumer, replays events from an offset, and has one consumer. */
export interface SimulatedStream {
  /** Forgets the place of the consumer, as after a day without one. */
  forgetPlace(): void
  /** Reports a change of a reservation. */
  send(reservationId: string, eventName: string): void
  /** True: events wait until it is false again. */
  hold(isHeld: boolean): void
  /** Whether a consumer has subscribed. */
  hasConsumer(): boolean
  /** The codes with which connections were refused. */
  refusals: number[]
  /** How many pings the consumer has sent. */
  pings(): number
  /** Closes the connection, as at the end of a token. */
  cut(): void
}

const mostKept = 1_000

/** The stream of events over a WebSocket, for one consumer at a time. */
export function simulatedStream(gateway: SimulatedGateway): SimulatedStream {
  const sockets = new WebSocketServer({ noServer: true })
  const key = createHash('sha256').update(gateway.applicationKey).digest('hex')
  let consumer: WebSocket | null = null
  let pings = 0
  let isHeld = false
  /** The newest events by their offsets. */
  const kept = new Map<number, string>()
  /** The offset of the next event to come, and of the next one to deliver. */
  let [next, place] = [0, 0]
  const refusals: number[] = []
  const refuse = (open: WebSocket, code: number) => {
    refusals.push(code)
    open.close(code)
  }

  gateway.server.on('upgrade', (request, socket, head) => {
    const isOurs = request.headers['sec-websocket-protocol'] === 'graphql-transport-ws'
    if (request.url !== `/subscriptions?key=${key}` || !isOurs) {
      socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (open) => {
      open.on('error', () => open.terminate())
      open.on('message', (data) => hear(open, JSON.parse(String(data)) as Said))
      open.on('close', () => {
        if (consumer === open) consumer = null
      })
    })
  })

  function hear(open: WebSocket, { type, payload }: Said) {
    if (type === 'ping') pings++
    if (type === 'connection_init') {
      const token = gateway.tokens.find((each) => `Bearer ${each.token}` === payload?.Authorization)
      if (!token || payload?.['x-app-key'] !== gateway.applicationKey) return refuse(open, 4401)
      open.send(JSON.stringify({ type: 'connection_ack' }))
    }
    if (type !== 'subscribe') return
    if (consumer) return refuse(open, 4409)
    if (!payload?.query?.includes(`hotelCode: "${gateway.hotelId}"`)) return refuse(open, 4403)
    const offset = /offset: "(\d+)"/.exec(payload.query)?.[1]
    if (offset !== undefined) place = Number(offset)
    consumer = open
    deliver()
  }

  function deliver(): void {
    if (!consumer || isHeld) return
    for (place = Math.max(place, next - kept.size); place < next; place++) consumer.send(kept.get(place)!)
  }

  return {
    forgetPlace() {
      place = next
    },
    refusals,
    send(primaryKey, eventName) {
      const { hotelId } = gateway
      const metadata = { offset: String(next), uniqueEventId: `event-${next}` }
      const newEvent = { metadata, moduleName: 'RESERVATION', eventName, primaryKey, hotelId }
      kept.set(next++, JSON.stringify({ id: '1', type: 'next', payload: { data: { newEvent } } }))
      kept.delete(next - mostKept - 1)
      deliver()
    },
    hold(wanted) {
      isHeld = wanted
      deliver()
    },
    hasConsumer: () => consumer !== null,
    pings: () => pings,
    cut: () => consumer?.close(4504),
  }
}
