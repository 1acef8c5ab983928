import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Config, ConfigRefused } from './config.ts'
import { isLoopback } from './gate/asked-here.ts'
import type { Clock } from './host/clock.ts'
import { secured } from './tls-files.ts'

const answersEndWithinMs = 2_000
/** Longer than clients keep a connection they do not use: whoever closes first must be the one who asks. */
const idleMs = 75_000

/** How long a client may take to say what it wants, in milliseconds. */
interface Deadlines {
  /** For the TLS handshake, and for the headers of a request. */
  headers: number
  /** For a request with its body. */
  request: number
}

const deadlines: Deadlines = { headers: 10_000, request: 30_000 }
/** So late, at the most, is it noticed that a deadline has passed. */
const lookEveryMs = 500

/** Throws ConfigRefused: beyond this machine nothing is spoken in clear. */
export function expectSafe({ host, tls }: Config): void {
  if (isLoopback(host) || tls) return
  throw new ConfigRefused(
    `${host} is not this machine alone, so TLS is needed: give --tls-cert FILE and --tls-key FILE, or listen on 127.0.0.1.`,
  )
}

/** Resolves once the port is open, with what `watch` has done to the server before; rejects with ConfigRefused or the system's error. */
export async function listen(
  handler: RequestListener,
  { host, port, tls }: Config,
  { watch, within = deadlines }: { watch?(server: Server): void; within?: Deadlines } = {},
): Promise<Server> {
  const options = {
    keepAliveTimeout: idleMs,
    headersTimeout: within.headers,
    requestTimeout: within.request,
    connectionsCheckingInterval: lookEveryMs,
  }
  const server = tls
    ? createHttpsServer({ ...options, ...secured(tls), handshakeTimeout: within.headers }, handler)
    : createHttpServer(options, handler)
  watch?.(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return server
}

/** Where the server is reached. */
export function urlOf(server: Server, { tls }: Config): string {
  const { address, family, port } = server.address() as AddressInfo
  return `${tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Takes no more requests while `work` is done, and lets those under way end; after that, whatever is still open goes. */
export async function closing(server: Server, clock: Clock, work: () => Promise<void>): Promise<void> {
  const drained = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  await work()
  const force = clock.setTimeout(() => server.closeAllConnections(), answersEndWithinMs)
  await drained
  force.cancel()
}
