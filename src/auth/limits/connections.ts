import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../host/clock.ts'
import { networkOf } from '../network.ts'
import { cutSlowReaders } from './slow-readers.ts'

/** Limits for the number of open connections. */
interface Room {
  most: number
  /** The limit for one address or network. */
  share: number
}

/**
 * Connections of unknown clients have a limit of their own, so they cannot keep out an address from which a
 * token was used. 64 connections suffice for a page of screens, or for some kiosks behind one router.
 */
export const connectionLimits = {
  known: { most: 600, share: 200 },
  stranger: { most: 400, share: 64 },
} satisfies Record<string, Room>

type Kind = keyof typeof connectionLimits

const mostKnown = 2_000

interface Connection {
  socket: Socket
  kind: Kind
  /** The key of the share: the address of a known client, the network of an unknown one. */
  sharer: string
  /** The number of unanswered requests with a token. */
  underWay: number
  /**
   * The number of its last answer to a request with a token, counted over all connections. The connection
   * with the smallest number has been idle longest.
   */
  answered: number
  /** Whether a token was used on this connection. */
  isLetIn: boolean
}

/** The open connections, and the addresses of known clients. */
interface State {
  open: Map<string, Connection>
  /** Addresses from which a token was used, in the order of their last use. */
  known: Set<string>
  answers: number
}

/**
 * Limits the open connections. When a share or the whole limit is reached, a new connection replaces the longest idle
 * connection that has no unanswered request with a token. If every connection has such a request, the new connection is
 * closed.
 */
export function connections({ clock }: { clock: Clock }) {
  const state: State = { open: new Map(), known: new Set(), answers: 0 }
  return {
    /** Watches a server. It must be called before the server listens. */
    watch(server: Server): void {
      server.maxConnections = connectionLimits.known.most + connectionLimits.stranger.most
      server.on('connection', (socket: Socket) => take(state, socket))
      cutSlowReaders(server, clock)
    },

    /**
     * Records a request with a token: its connection stays open until the answer is sent, and its address is
     * known from now on.
     */
    letIn({ socket }: IncomingMessage, response: ServerResponse): void {
      const connection = state.open.get(keyOf(socket))
      if (!connection) return
      if (!connection.isLetIn) welcome(state, connection)
      connection.underWay++
      response.once('close', () => {
        connection.underWay--
        connection.answered = ++state.answers
      })
    },
  }
}

function take(state: State, socket: Socket): void {
  const { open, known } = state
  const key = keyOf(socket)
  const address = socket.remoteAddress ?? ''
  const kind = known.has(address) ? 'known' : 'stranger'
  const sharer = kind === 'known' ? address : networkOf(address)
  if (!hasRoom(open, kind, sharer)) {
    socket.destroy()
    return
  }
  open.set(key, { socket, kind, sharer, underWay: 0, answered: ++state.answers, isLetIn: false })
  socket.once('close', () => {
    if (open.get(key)?.socket === socket) open.delete(key)
  })
}

function hasRoom(open: State['open'], kind: Kind, sharer: string): boolean {
  const { most, share } = connectionLimits[kind]
  const all = [...open].filter(([, each]) => each.kind === kind)
  const own = all.filter(([, each]) => each.sharer === sharer)
  if (own.length >= share) return closeOne(open, own)
  return all.length < most || closeOne(open, largestShare(all)) || closeOne(open, all)
}

/** Closes the connection that has been idle longest. Returns false when all have an unanswered request. */
function closeOne(open: State['open'], among: [key: string, Connection][]): boolean {
  let found: [key: string, Connection] | undefined
  for (const each of among)
    if (each[1].underWay === 0 && (!found || each[1].answered < found[1].answered)) found = each
  if (!found) return false
  open.delete(found[0])
  found[1].socket.destroy()
  return true
}

/** Marks a connection and its address as known, from the first request with a token on. */
function welcome({ known }: State, connection: Connection): void {
  const sharer = connection.socket.remoteAddress ?? ''
  Object.assign(connection, { kind: 'known', sharer, isLetIn: true })
  known.delete(sharer)
  known.add(sharer)
  for (const oldest of known) {
    if (known.size <= mostKnown) break
    known.delete(oldest)
  }
}

function largestShare(all: [key: string, Connection][]): [key: string, Connection][] {
  const shares = Map.groupBy(all, ([, { sharer }]) => sharer)
  return [...shares.values()].reduce((most, each) => (each.length > most.length ? each : most), [])
}

/** The key is the same for the TCP socket of a connection and for the TLS socket above it. */
function keyOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`
}
