import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import type { Config } from '../config.ts'
import { https } from '../devices/network/tls.ts'
import { isLoopback, urlHost } from '../host/machine/reachable.ts'
import { acceptPlain, orRedirect } from './plain-requests.ts'
import { secured } from './tls-files.ts'

/**
 * Longer than clients keep idle connections: if the server closed first, a request could be lost on the way.
 */
const idleMs = 75_000

/** How long a client may take to send a request, in milliseconds. */
interface Deadlines {
  /** The deadline for the TLS handshake, and for the headers of a request. */
  headers: number
  /** The deadline for a request with its body. */
  request: number
}

const deadlines: Deadlines = { headers: 10_000, request: 30_000 }
/** The period in which deadlines are checked. */
const lookEveryMs = 500

/** Whether the server uses TLS: with the files of the settings, or because other machines can reach it. */
export function isSecured({ host, tls }: Pick<Config, 'host' | 'tls'>): boolean {
  return tls !== null || !isLoopback(host)
}

/**
 * Resolves with the server when the port is open. `watch` is called with the server before. `secure` are the TLS settings;
 * null without TLS; default those of the files in the settings. Rejects with ConfigRefused or the system's error.
 */
export async function listen(
  handler: RequestListener,
  { host, port, socket, tls }: Config,
  {
    watch,
    within = deadlines,
    secure = tls && secured(tls),
  }: { watch?(server: Server): void; within?: Deadlines; secure?: SecureContextOptions | null } = {},
): Promise<Server> {
  const options = {
    keepAliveTimeout: idleMs,
    headersTimeout: within.headers,
    requestTimeout: within.request,
    connectionsCheckingInterval: lookEveryMs,
  }
  const server = secure
    ? https().createServer(
        // A request without TLS may lack the header, and gets the address.
        { ...options, ...secure, handshakeTimeout: within.headers, requireHostHeader: false },
        orRedirect(handler),
      )
    : createServer(options, handler)
  if (secure) acceptPlain(server, within.headers)
  watch?.(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    if (socket === null) server.listen(port, host, resolve)
    else server.listen({ fd: socket }, resolve)
  })
  return server
}

/** Returns the URL of the server. */
export function urlOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo
  const scheme = 'setSecureContext' in server ? 'https' : 'http'
  return `${scheme}://${urlHost(address)}:${port}`
}

/**
 * Where other machines can reach the appliance, listens at 127.0.0.1 without TLS as well: the screen of a kiosk on this
 * machine needs no certificate. Resolves with null when it is not wanted.
 */
export async function listenLocally(
  handler: RequestListener,
  config: Config,
  watch: (server: Server) => void,
): Promise<Server | null> {
  const { host, port, localPort } = config
  if (isLoopback(host) || localPort === null) return null
  const local = { ...config, host: '127.0.0.1', port: port === 0 ? 0 : localPort, tls: null, socket: null }
  return listen(handler, local, { watch, secure: null })
}

/** Closes all connections at once. */
export function closeConnections(servers: readonly Server[]): void {
  for (const server of servers) server.closeAllConnections()
}
