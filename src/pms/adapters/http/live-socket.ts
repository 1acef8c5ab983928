import type { WebSocket } from 'ws'
import { guarded, peerPolicies } from '../../../devices/network/peer-address.ts'
import type { Clock, Timer } from '../../../host/clock.ts'

interface LiveSocketOptions {
  /** With `wss:`, or `ws:` to an address of the local network. */
  url: string
  headers?: Record<string, string>
  /** The subprotocol. */
  protocol?: string
  clock: Clock
  /** The shortest time between two connections; a second without it. */
  restMs?: number
  /** The connection is open. What was said while it was not open is not repeated. */
  opened(connection: LiveConnection): void
  heard(text: string): void
  /** The connection was lost, or could not be opened; a sentence. It is opened again without end. */
  lost(reason: string): void
}

/** An open connection. Both do nothing once it is lost. */
export interface LiveConnection {
  send(text: string): void
  /** Closes it; another is opened. */
  end(): void
}

const pingMs = 30_000
const handshakeMs = 10_000
const largestMessage = 1024 * 1024
const [usualRestMs, longestWaitMs] = [1_000, 60_000]

/** Keeps a WebSocket to a PMS open until the returned function is called. */
export function liveSocket(options: LiveSocketOptions): () => void {
  const { url, headers = {}, protocol, clock, restMs = usualRestMs, opened, heard, lost } = options
  let isClosed = false
  let socket: WebSocket | null = null
  let timer: Timer | null = null
  let failures = 0
  let isAnswered = true

  async function connect(): Promise<void> {
    try {
      // The check of addresses knows the protocols of HTTP, which a WebSocket begins with.
      const guard = guarded(new URL(url.replace(/^ws/, 'http')), peerPolicies.pms)
      const { WebSocket } = await import('ws')
      if (isClosed) return
      const limits = { maxPayload: largestMessage, perMessageDeflate: false }
      listen(new WebSocket(url, protocol ?? [], { headers, ...guard, ...limits }))
    } catch (error) {
      again((error as Error).message)
    }
  }

  function listen(mine: WebSocket): void {
    socket = mine
    let reason = 'the PMS closed it'
    after(handshakeMs, () => mine.terminate())
    mine.on('open', () => {
      failures = 0
      isAnswered = true
      after(pingMs, watch)
      opened({ send: (text) => mine.send(text, () => {}), end: () => mine.close() })
    })
    mine.on('message', (data, isBinary) => {
      if (!isBinary && socket === mine) heard(String(data))
    })
    mine.on('pong', () => {
      isAnswered = true
    })
    mine.on('error', (error) => {
      reason = error.message
    })
    mine.on('close', () => {
      if (socket !== mine) return
      socket = null
      again(reason)
    })
  }

  /** A connection whose other end is gone without a word is closed after a ping without an answer. */
  function watch(): void {
    if (!isAnswered) {
      socket?.terminate()
      return
    }
    isAnswered = false
    socket?.ping()
    after(pingMs, watch)
  }

  function again(reason: string): void {
    if (isClosed) return
    after(Math.min(longestWaitMs, restMs * 2 ** failures++), () => void connect())
    lost(`The WebSocket of the PMS is not open: ${reason}.`)
  }

  function after(ms: number, run: () => void): void {
    timer?.cancel()
    timer = clock.setTimeout(run, ms).unref()
  }

  void connect()
  return () => {
    isClosed = true
    timer?.cancel()
    const last = socket
    socket = null
    last?.terminate()
  }
}
