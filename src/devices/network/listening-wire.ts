import { createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { plainAddress } from './networks.ts'
import type { IsPeer } from './peers.ts'

export interface ListeningOptions {
  /** The local address and port to listen on. */
  host: string
  port: number
  /** Which peers may connect. All others are disconnected before a byte is read. */
  isPeer: IsPeer
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

export interface ListeningWire {
  /**
   * Resolves with the next wire that a peer opens. Rejects with the signal's reason, or once the listener is closed.
   */
  next(signal: AbortSignal): Promise<Duplex>
  /** The port on which it listens. */
  readonly port: number
  /** Closes the listener and the wire in use. Resolves when the port is free. */
  close(): Promise<void>
}

/**
 * A TCP port that serves one peer at a time. A second peer does not displace the first: the first is probed whether it
 * is still there, and is replaced only when it does not answer (for example, its power was cut and nothing closed its
 * connection). Rejects with an Error whose message is a sentence when the port cannot be bound.
 */
export async function listenForWire(options: ListeningOptions): Promise<ListeningWire> {
  const { host, port, isPeer, isThere, refused } = options
  /** The newest connected peer that is not served. */
  let waiting: Socket | null = null
  let served: Socket | null = null
  let isChecking = false
  let taker: ((wire: Socket) => void) | null = null
  const closed = new AbortController()

  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }, (socket) => {
    // Without a listener, an `error` event ends the process.
    socket.on('error', () => {})
    // The address is undefined when the other side has disconnected already.
    if (socket.remoteAddress === undefined) return void socket.destroy()
    const address = plainAddress(socket.remoteAddress)
    if (!isPeer(address)) {
      socket.resetAndDestroy()
      return refused('stranger', address)
    }
    if (taker) return taker(socket)
    // A peer that connects again no longer uses its earlier connection.
    waiting?.destroy()
    waiting = socket
    if (served && !served.destroyed) void askServed()
  })
  await listening(server, host, port)

  async function askServed(): Promise<void> {
    if (isChecking) return
    isChecking = true
    const answers = await isThere().catch(() => false)
    isChecking = false
    if (!answers || !waiting || served?.destroyed) return
    refused('second', plainAddress(waiting.remoteAddress ?? ''))
    waiting.destroy()
    waiting = null
  }

  function serve(socket: Socket): Socket {
    served = socket
    return socket
  }

  return {
    get port() {
      return portOf(server)
    },
    next(signal) {
      const arrived = waiting
      if (arrived && !signal.aborted) {
        waiting = null
        if (!arrived.destroyed) return Promise.resolve(serve(arrived))
      }
      return new Promise((resolve, reject) => {
        const either = AbortSignal.any([signal, closed.signal])
        const stop = () => {
          taker = null
          reject(either.reason)
        }
        if (either.aborted) return stop()
        either.addEventListener('abort', stop, { once: true })
        taker = (wire) => {
          taker = null
          either.removeEventListener('abort', stop)
          resolve(serve(wire))
        }
      })
    },
    async close() {
      closed.abort(new Error('is closed'))
      for (const socket of [served, waiting]) socket?.destroy()
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
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
