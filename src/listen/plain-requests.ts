import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { plainAddress } from '../devices/network/networks.ts'
import { urlHost } from '../host/machine/reachable.ts'

/** The first byte of a TLS connection: the type of a handshake record (RFC 8446, 5.1). No HTTP method begins with it. */
const tlsHandshake = 0x16

/**
 * Makes an HTTPS server answer requests that come without TLS, such as `http://box.example:8443/desk`. Each connection is
 * looked at once, at its first byte: TLS goes on as without this, and everything else is read as HTTP and gets only the
 * redirect of `orRedirect`. Call it before the server listens, with `orRedirect` around its handler. A connection without
 * a byte ends after `withinMs`; the deadlines of the server hold for the request.
 */
export function acceptPlain(server: Server, withinMs: number): void {
  const [startTls] = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    // A client that resets the connection before its first byte must not end the program.
    socket.on('error', () => {})
    socket.setTimeout(withinMs, () => socket.destroy())
    socket.once('data', (bytes) => {
      socket.pause()
      socket.setTimeout(0).removeAllListeners('timeout')
      socket.unshift(bytes)
      if (bytes[0] === tlsHandshake) startTls?.call(server, socket)
      else {
        // HTTP on a connection that needs no TLS: the server reads it as it reads a decrypted one.
        server.emit('secureConnection', socket)
        socket.resume()
      }
    })
  })
}

/** Wraps the handler of an HTTPS server: it sees no request that came without TLS, or names no host. */
export function orRedirect(handler: RequestListener): RequestListener {
  return (request, response) => {
    const isEncrypted = (request.socket as Partial<TLSSocket>).encrypted === true
    const isWhole = request.headers.host !== undefined || request.httpVersion === '1.0'
    if (isEncrypted && isWhole) handler(request, response)
    else redirect(request, response)
  }
}

/** A host with or without a port, as a URL may have it. */
const hostForm = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/**
 * Answers with 308 to the same host and path by HTTPS; where the request names no host, with 400 and the address that it was
 * sent to.
 */
function redirect({ headers, socket, url = '/' }: IncomingMessage, response: ServerResponse): void {
  const { host = '' } = headers
  const isNamed = hostForm.test(host)
  // A client that takes the box for a proxy sends the whole URL.
  const rest = url.replace(/^http:\/\/[^/?]*/i, '')
  const path = rest.startsWith('/') ? rest : '/'
  const { localAddress = '', localPort } = socket
  const to = `https://${isNamed ? host : `${urlHost(plainAddress(localAddress))}:${localPort}`}${path}`
  const what = isNamed ? 'This port is reached by HTTPS only.' : 'The request names no host that can be used.'
  const body = `${what} Nothing was done. Use ${to}\n`
  response.writeHead(isNamed ? 308 : 400, {
    ...(isNamed && { Location: to }),
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close',
  })
  response.end(body)
}
