import { createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface ListeningWire {
  /** Resolves with the wire that somebody opens to us next. Rejects with the signal's reason, or once it is closed. */
  next(signal: AbortSignal): Promise<Duplex>
  /** The port that is listened at. */
  readonly port: number
  /** Ends the wire in use too. Resolves when the port is free. */
  close(): Promise<void>
}

/**
 * A TCP port that others connect to, of whom one is served at a time: who comes later takes the place of who was there,
 * whose wire is closed. Rejects with an Error in words when the port cannot be had.
 */
export async function listenForWire({ host, port }: { host: string; port: number }): Promise<ListeningWire> {
  /** Has come, and was not yet asked for. */
  let arrived: Socket | null = null
  let latest: Socket | null = null
  let taker: ((wire: Duplex) => void) | null = null
  const closed = new AbortController()

  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }, (socket) => {
    // An `error` nobody listens to ends the process.
    socket.on('error', () => {})
    latest?.destroy()
    latest = socket
    if (taker) taker(socket)
    else arrived = socket
  })
  await listening(server, host, port)

  return {
    get port() {
      return portOf(server)
    },
    next(signal) {
      const waiting = arrived
      arrived = null
      if (waiting && !waiting.destroyed && !signal.aborted) return Promise.resolve(waiting)
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
          resolve(wire)
        }
      })
    },
    async close() {
      closed.abort(new Error('is closed'))
      latest?.destroy()
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
      // From here on an error concerns one connection that could not be accepted.
      server.on('error', () => {})
      resolve()
    })
  })
}

const reasons: Partial<Record<string, string>> = {
  EADDRINUSE: 'another program has the port',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EACCES: 'ports below 1024 are for the system',
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
