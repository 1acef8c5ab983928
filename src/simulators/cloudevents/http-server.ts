import { createHash } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Clock } from '../../host/clock.ts'
import { largestPage } from '../../pms/adapters/cloudevents/messages/envelope.ts'
import { closed, listening } from '../listening.ts'
import { postToCallbacks } from './callbacks.ts'
import { type HttpPmsRequest, httpReply, pmsRequestIn } from './http-requests.ts'
import { type Fault, takeFault } from './misbehaviour.ts'
import type { SimulatedOutcome, SimulatedPms } from './simulated-pms.ts'

/** Where and how a simulated PMS is served over HTTP. */
export interface HttpServerOptions {
  host?: string
  /** 0 for any free port. */
  port: number
  /** PEM texts; with `ca` the client must present a certificate of this authority. */
  tls?: { key: string; cert: string; ca?: string }
  /** The required access: a fixed token, or a token for a client id and secret. Default: none. */
  access?: { token: string } | { clientId: string; clientSecret: string; seconds: number }
  clock: Clock
}

/** A simulated PMS that is served over HTTP. */
export interface HttpPms {
  /** The `connection.baseUrl` of a configuration. */
  baseUrl: string
  tokenUrl: string
  /** The valid tokens; a removed one is refused. */
  tokens: Set<string>
  /** The number of answers 304. */
  unchanged: number
  close(): Promise<void>
}

/** Serves a simulated PMS over HTTP. Rejects with the system's error when the port is not available. */
export async function serveHttp(pms: SimulatedPms, options: HttpServerOptions): Promise<HttpPms> {
  const { host = '127.0.0.1', port, tls, access, clock } = options
  const tokens = new Set<string>(access && 'token' in access ? [access.token] : [])
  let made = 0

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://pms')
    const body = await textOf(request)
    if (url.pathname === '/token') return giveToken(request, body, response)
    if (access && !tokens.has(request.headers.authorization?.replace(/^Bearer /, '') ?? '')) {
      return send(response, 401, { title: 'A token is required' })
    }
    const { method = '', headers } = request
    const pmsRequest = pmsRequestIn({ method, url, headers, body })
    if (!pmsRequest) return send(response, 404, nowhere)
    const outcome = await (pmsRequest.type === 'events'
      ? pms.take(pmsRequest.events)
      : pms.answer(pmsRequest))
    answer(outcome, pmsRequest, request, response)
  }

  function giveToken(request: IncomingMessage, body: string, response: ServerResponse): void {
    const fault = takeFault(pms.misbehaviour, 'token')
    pms.requests.push({ type: 'token', data: body })
    if (fault) misbehave(fault, response, '{}')
    else if (!access || !('clientId' in access)) send(response, 404, nowhere)
    else if (request.headers.authorization !== basic(access)) send(response, 401, { error: 'invalid_client' })
    else {
      const token = `token-${++made}`
      tokens.add(token)
      send(response, 200, { access_token: token, token_type: 'Bearer', expires_in: access.seconds })
    }
  }

  function answer(
    { reply, fault }: SimulatedOutcome,
    pmsRequest: HttpPmsRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const { status, body } = reply ? httpReply(reply, pmsRequest) : { status: 500, body: {} }
    const text = JSON.stringify(body)
    if (fault && fault.does !== 'late') return misbehave(fault, response, text)
    const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`
    if (request.headers['if-none-match'] === etag) {
      served.unchanged++
      return void response.writeHead(304, { etag }).end()
    }
    if (status === 204) return void response.writeHead(204).end()
    response.writeHead(status, { 'content-type': 'application/json', etag }).end(text)
  }

  const stopCallbacks = postToCallbacks(pms, clock)
  const server = serverOf(tls, (request, response) =>
    handle(request, response).catch((error) => {
      if (!response.headersSent) send(response, 400, { title: String(error) })
      else response.destroy()
    }),
  )
  const origin = `${tls ? 'https' : 'http'}://${await listening(server, host, port)}`
  const served: HttpPms = {
    baseUrl: origin,
    tokenUrl: `${origin}/token`,
    tokens,
    unchanged: 0,
    close() {
      stopCallbacks()
      return closed(server)
    },
  }
  return served
}

const nowhere = { title: 'There is nothing here' }

function basic({ clientId, clientSecret }: { clientId: string; clientSecret: string }): string {
  const pair = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(':')
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** A server with TLS where it has a certificate. */
function serverOf(tls: HttpServerOptions['tls'], listener: RequestListener): Server {
  if (!tls) return createServer(listener)
  const isAsked = tls.ca !== undefined
  return createTlsServer({ ...tls, requestCert: isAsked, rejectUnauthorized: isAsked }, listener)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestPage) throw new RangeError(`more than ${largestPage} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Delivers an answer with a fault, or the fault instead of it. */
function misbehave({ does, retryAfterSeconds }: Fault, response: ServerResponse, text: string): void {
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  const deeds: Record<Fault['does'], () => void> = {
    'cut-before': () => response.destroy(),
    'cut-after': () => response.destroy(),
    half: () => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      response.write(text.slice(0, text.length / 2), () => response.destroy())
    },
    silence: () => {},
    late: () => {},
    garbage: () => void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>Welcome!'),
    huge: () => void response.writeHead(200).end(`{"changes":[],"padding":"${'x'.repeat(largestPage)}"}`),
    busy: () => send(response, 503, { title: 'The night audit is running' }, wait),
    'too-many': () => send(response, 429, { title: 'Too many requests' }, wait),
    unauthorized: () => send(response, 401, { title: 'The token is over' }),
    forbidden: () => send(response, 403, { title: 'Not for you' }),
    fail: () => send(response, 500, { detail: 'Something broke' }),
    redirect: () => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  }
  deeds[does]()
}
