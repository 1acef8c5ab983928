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

/** All answers are looked at so often: one that its client does not take is cut off after once to twice this time. */
const patienceMs = 30_000
const mostKnown = 2_000

interface Connection {
  socket: Socket
  kind: Kind
  /** Who shares the room: the address of a known client, the network of a stranger. */
  sharer: string
  /** Requests with a token that are not answered yet. */
  underWay: number
  /** Its last answer to a request with a token, counted over all connections: the smallest has waited longest. */
  answered: number
  /** Whether a token was used on it. */
  isLetIn: boolean
}

/**
 * Shares the connections among those who want them. Where a share or the whole room is full, a new connection takes the place of the one
 * that has waited longest without a request of a known token; where all have one, the new one is closed.
 */
export function connections({ clock }: { clock: Clock }) {
  const open = new Map<string, Connection>()
  /** Addresses from which a token was used, those of the newest connection last. */
  const known = new Set<string>()
  /** Answers that are not whole at their client yet, and whether the last look found them stuck. */
  const answering = new Map<ServerResponse, boolean>()
  let answers = 0

  /** Watches a server from before it listens. */
  function watch(server: Server): void {
    server.maxConnections = connectionLimits.known.most + connectionLimits.stranger.most
    server.on('connection', take)
    server.on('request', (_message: IncomingMessage, response: ServerResponse) => {
      answering.set(response, false)
      response.once('close', () => answering.delete(response))
    })
    const looking = clock.setInterval(cutSlowReaders, patienceMs)
    looking.unref()
    server.once('close', looking.cancel)
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
    const connection: Connection = {
      socket,
      kind,
      sharer,
      underWay: 0,
      answered: ++answers,
      isLetIn: false,
    }
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
    let found: [key: string, Connection] | undefined
    for (const each of among)
      if (each[1].underWay === 0 && (!found || each[1].answered < found[1].answered)) found = each
    if (!found) return false
    open.delete(found[0])
    found[1].socket.destroy()
    return true
  }

  /** A request has come with a token: its connection is kept until it is answered, and its address is known from now on. */
  function letIn({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = open.get(keyOf(socket))
    if (!connection) return
    if (!connection.isLetIn) {
      const sharer = socket.remoteAddress ?? ''
      Object.assign(connection, { kind: 'known', sharer, isLetIn: true })
      remember(sharer)
    }
    connection.underWay++
    response.once('close', () => {
      connection.underWay--
      connection.answered = ++answers
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

  function cutSlowReaders(): void {
    for (const [response, wasStuck] of answering) {
      const isStuck = isWaitingForReader(response)
      answering.set(response, isStuck)
      if (isStuck && wasStuck) response.destroy()
    }
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
