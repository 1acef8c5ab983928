import { createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { plainAddress } from './networks.ts'

export interface ListeningOptions {
  /** The local address and port to listen on. */
  host: string
  port: number
  /** Whether a peer at this address may connect. All others are disconnected before a byte is read. */
  isPeer(address: string): boolean
  /**
   * Asks the peer of the open wire whether it is still there. Resolves with true when it has answered. When it has not
   * answered, the implementation must close the wire by then or soon after.
   */
  isThere(): Promise<boolean>
  /**
   * Called for a refused connection. stranger: its address may not connect. second: another peer is connected and
   * answers.
   */
  refused(why: 'stranger' | 'second', address: string): void
}

export type ListeningWire = Awaited<ReturnType<typeof listenForWire>>

/** The state of a listener. */
interface Listener {
  options: ListeningOptions
  /** The newest connected peer that is not served. */
  waiting: Socket | null
  served: Socket | null
  isChecking: boolean
  /** Takes the next peer, while a caller waits for one. */
  taker: ((wire: Socket) => void) | null
  /** Aborted once the listener is closed. */
  closed: AbortController
}

/**
 * A TCP port that serves one peer at a time. A second peer does not displace the first: the first is probed whether it
 * is still there, and is replaced only when it does not answer (for example, its power was cut and nothing closed its
 * connection). Rejects with an Error whose message is a sentence when the port cannot be bound.
 */
export async function listenForWire(options: ListeningOptions) {
  const { host, port } = options
  const closed = new AbortController()
  const listener: Listener = { options, waiting: null, served: null, isChecking: false, taker: null, closed }
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }, (socket) =>
    admit(listener, socket),
  )
  await listening(server, host, port)
  return {
    /** The port on which it listens. */
    get port(): number {
      return portOf(server)
    },
    /**
     * Resolves with the next wire that a peer opens. Rejects with the signal's reason, or once the listener is closed.
     */
    next: (signal: AbortSignal): Promise<Duplex> => next(listener, signal),
    /** Closes the listener and the wire in use. Resolves when the port is free. */
    async close(): Promise<void> {
      closed.abort(new Error('is closed'))
      for (const socket of [listener.served, listener.waiting]) socket?.destroy()
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function admit(listener: Listener, socket: Socket): void {
  const { options, served, taker } = listener
  // Without a listener, an `error` event ends the process.
  socket.on('error', () => {})
  // The address is undefined when the other side has disconnected already.
  if (socket.remoteAddress === undefined) return void socket.destroy()
  const address = plainAddress(socket.remoteAddress)
  if (!options.isPeer(address)) {
    socket.resetAndDestroy()
    options.refused('stranger', address)
  } else if (taker) taker(socket)
  else {
    // A peer that connects again no longer uses its earlier connection.
    listener.waiting?.destroy()
    listener.waiting = socket
    if (served && !served.destroyed) void askServed(listener)
  }
}

/** Refuses the waiting peer when the served one answers. */
async function askServed(listener: Listener): Promise<void> {
  const { isThere, refused } = listener.options
  if (listener.isChecking) return
  listener.isChecking = true
  const answers = await isThere().catch(() => false)
  listener.isChecking = false
  const { waiting, served } = listener
  if (!answers || !waiting || served?.destroyed) return
  refused('second', plainAddress(waiting.remoteAddress ?? ''))
  waiting.destroy()
  listener.waiting = null
}

async function next(listener: Listener, signal: AbortSignal): Promise<Duplex> {
  const { waiting, closed } = listener
  if (waiting && !signal.aborted) {
    listener.waiting = null
    if (!waiting.destroyed) return serve(listener, waiting)
  }
  const either = AbortSignal.any([signal, closed.signal])
  either.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const stop = () => {
    listener.taker = null
    reject(either.reason)
  }
  either.addEventListener('abort', stop, { once: true })
  listener.taker = (wire) => {
    listener.taker = null
    either.removeEventListener('abort', stop)
    resolve(serve(listener, wire))
  }
  return promise
}

function serve(listener: Listener, socket: Socket): Socket {
  listener.served = socket
  return socket
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = reasons[error.code ?? ''] ?? error.message
      reject(new Error(`${host}:${port} cannot be listened at: ${why}`, { cause: error }))
    })
    server.listen(port, host, () => {
      // An error after this point concerns one connection that could not be accepted.
      server.on('error', () => {})
      resolve()
    })
  })
}

const reasons: Partial<Record<string, string>> = {
  EADDRINUSE: 'another program uses the port',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EACCES: 'ports below 1024 are reserved for the system; choose a higher one',
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
