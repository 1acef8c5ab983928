import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../host/clock.ts'
import { networkOf } from './network.ts'

/** How many connections there may be at once. */
interface Room {
  most: number
  /** Of them, those of one address. */
  share: number
}

/**
 * Strangers have room of their own: however many of them there are, an address from which a token was used is let in. A
 * share holds a page of screens, or some kiosks behind one router.
 */
export const connectionLimits = {
  known: { most: 600, share: 200 },
  stranger: { most: 400, share: 64 },
} satisfies Record<string, Room>

type Kind = keyof typeof connectionLimits

/** An answer that its client does not take is cut off after once to twice this time. */
const patienceMs = 30_000
const mostKnown = 2_000

interface Connection {
  socket: Socket
  kind: Kind
  /** Who shares the room: the address of a known client, the network of a stranger. */
  sharer: string
  /** Requests with a token that are not answered yet. */
  underWay: number
}

/**
 * Shares the connections among those who want them. Where a share or the whole room is full, a new connection takes the place of the one
 * that has waited longest without a request of a known token; where all have one, the new one is closed.
 */
export function connections({ clock }: { clock: Clock }) {
  const open = new Map<string, Connection>()
  /** Addresses from which a token was used, the latest last. */
  const known = new Set<string>()

  /** Watches a server from before it listens. */
  function watch(server: Server): void {
    server.maxConnections = connectionLimits.known.most + connectionLimits.stranger.most
    server.on('connection', take)
    server.on('request', (_message: IncomingMessage, response: ServerResponse) => cutSlowReader(response))
  }

  function take(socket: Socket): void {
    const key = keyOf(socket)
    const address = socket.remoteAddress ?? ''
    const kind = known.has(address) ? 'known' : 'stranger'
    const sharer = kind === 'known' ? address : networkOf(address)
    if (!hasRoom(kind, sharer)) {
      socket.destroy()
      return
    }
    const connection = { socket, kind, sharer, underWay: 0 } satisfies Connection
    open.set(key, connection)
    socket.once('close', () => {
      if (open.get(key) === connection) open.delete(key)
    })
  }

  function hasRoom(kind: Kind, sharer: string): boolean {
    const { most, share } = connectionLimits[kind]
    const all = [...open].filter(([, each]) => each.kind === kind)
    const own = all.filter(([, each]) => each.sharer === sharer)
    if (own.length >= share) return closeOne(own)
    return all.length < most || closeOne(largestShare(all)) || closeOne(all)
  }

  /** Closes the one that has waited longest; false where all are at work. */
  function closeOne(among: [key: string, Connection][]): boolean {
    const [key, idle] = among.find(([, { underWay }]) => underWay === 0) ?? []
    if (key === undefined) return false
    open.delete(key)
    idle?.socket.destroy()
    return true
  }

  /** A request has come with a token: its connection is kept until it is answered, and its address is known from now on. */
  function letIn({ socket }: IncomingMessage, response: ServerResponse): void {
    const key = keyOf(socket)
    const connection = open.get(key)
    if (!connection) return
    const address = socket.remoteAddress ?? ''
    remember(address)
    Object.assign(connection, { kind: 'known', sharer: address })
    connection.underWay++
    response.once('close', () => {
      connection.underWay--
      // It begins to wait now: others have waited longer.
      if (open.get(key) !== connection) return
      open.delete(key)
      open.set(key, connection)
    })
  }

  function remember(address: string): void {
    known.delete(address)
    known.add(address)
    for (const oldest of known) {
      if (known.size <= mostKnown) break
      known.delete(oldest)
    }
  }

  function cutSlowReader(response: ServerResponse): void {
    let wasStuck = false
    const looking = clock.setInterval(() => {
      const isStuck = isWaitingForReader(response)
      if (isStuck && wasStuck) response.destroy()
      wasStuck = isStuck
    }, patienceMs)
    looking.unref()
    response.once('close', looking.cancel)
  }

  return { watch, letIn }
}

/** Whether what was written lies here because nobody reads it. An answer behind another one has no socket yet. */
function isWaitingForReader(response: ServerResponse): boolean {
  const { socket, writableNeedDrain, writableEnded, writableFinished } = response
  return socket !== null && (writableNeedDrain || (writableEnded && !writableFinished))
}

function largestShare(all: [key: string, Connection][]): [key: string, Connection][] {
  const shares = Map.groupBy(all, ([, { sharer }]) => sharer)
  return [...shares.values()].reduce((most, each) => (each.length > most.length ? each : most), [])
}

/** The same for the socket in clear that a connection begins with, and for the one that speaks TLS over it. */
function keyOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`
}
