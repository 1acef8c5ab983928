import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { closed, listening } from '../listening.ts'

/** The body of a request. */
export type Body = Record<string, unknown>

/** A request for one operation. */
export interface Asked {
  /** Method and path as published, such as `GET /rsv/v1/hotels/{hotelId}/reservations`. */
  operation: string
  ids: Record<string, string>
  query: URLSearchParams
  body: Body
}

/** Answers a request: a status, and the body where there is one. */
export type Operation = (asked: Asked) => [status: number, body?: unknown]

/** A fault of the next request of an operation; it strikes once. */
export interface OperaFault {
  at: string
  /**
   * `silence`: no answer; `cut-before`, `cut-after`: the connection ends before or after the execution; `warn`: 201 with a
   * warning, and nothing is done; a number is a status.
   */
  does: 'silence' | 'cut-before' | 'cut-after' | 'warn' | number
  message?: string
  /** The body that comes with the status, instead of a refusal. */
  answer?: unknown
  headers?: Record<string, string>
  /** Called when it strikes. */
  taken?(): void
}

/** A refusal in OPERA's form. */
export function refusal(code: string, title: string, status = 400): [number, unknown] {
  const problem = { type: 'about:blank', title, status, 'o:errorCode': code }
  return [status, { ...problem, 'o:errorDetails': [problem] }]
}

interface Keys {
  hotelId: string
  applicationKey: string
  clientId: string
  clientSecret: string
}

/** A served gateway, which a test or a person changes. */
export interface SimulatedGateway extends Keys {
  gatewayUrl: string
  faults: OperaFault[]
  /** The requests and their answers, in the order of arrival. */
  asked: (Asked & { status: number; answer: unknown })[]
  /** The tokens that were handed out. */
  tokens: { token: string; until: number }[]
  /** How many requests one second may have; null for any number. */
  mostPerSecond: number | null
  /** Awaited before each answer, when set. */
  slow?: () => Promise<void>
  server: Server
  close(): Promise<void>
}

/** How a gateway is served. */
export interface GatewayOptions {
  host?: string
  /** Default: any free port. */
  port?: number
  startMs: number
  now?(): number
  keys: Keys
  /** Called for each request that changes something, with its status. */
  answered?(asked: Asked, status: number): void
}

/** The maximum number of remembered requests. */
const mostRemembered = 10_000
const tokenSeconds = 3_600

/** Serves operations as OHIP's gateway does: with tokens, application keys, hotels and a limit. */
export async function gateway(
  operations: Readonly<Record<string, Operation>>,
  { host = '127.0.0.1', port = 0, keys, now = () => 0, answered = () => {} }: GatewayOptions,
): Promise<SimulatedGateway> {
  const askedIn = askedOf(Object.keys(operations))
  const second = { at: 0, count: 0 }
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.destroy(error))
  })
  const served: SimulatedGateway = {
    ...keys,
    gatewayUrl: '',
    faults: [],
    asked: [],
    tokens: [],
    mostPerSecond: null,
    server,
    close: () => closed(server),
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://opera')
    const raw = await text(request)
    if (url.pathname === '/oauth/v1/tokens') return send(response, tokenFor(served, now(), request, raw))
    const asked = askedIn(request, url, raw)
    const refused = refusedAccess(served, now(), request, asked) ?? overLimit(response)
    if (refused) return send(response, refused)
    await served.slow?.()
    const fault = faultAt(asked)
    if (fault?.does === 'silence') return
    if (fault?.does === 'cut-before') return void response.destroy()
    if (typeof fault?.does === 'number') {
      for (const [name, value] of Object.entries(fault.headers ?? {})) response.setHeader(name, value)
      const { does, message = 'As ordered.', answer } = fault
      return send(response, answer === undefined ? refusal('OPERAWS-00001', message, does) : [does, answer])
    }
    const done = fault?.does === 'warn' ? warned(fault) : run(asked)
    served.asked.push({ ...asked, status: done[0], answer: done[1] })
    if (served.asked.length > mostRemembered) served.asked.shift()
    if (request.method !== 'GET') answered(asked, done[0])
    if (fault?.does === 'cut-after') return void response.destroy()
    send(response, done)
  }

  function run(asked: Asked): [number, unknown?] {
    return operations[asked.operation]?.(asked) ?? refusal('GEN00001', 'There is no such operation.', 404)
  }

  function faultAt({ operation }: Asked): OperaFault | undefined {
    const at = served.faults.findIndex((fault) => operation.endsWith(fault.at))
    const [fault] = at < 0 ? [] : served.faults.splice(at, 1)
    fault?.taken?.()
    return fault
  }

  function overLimit(response: ServerResponse): [number, unknown] | null {
    const at = Math.floor(now() / 1_000)
    second.count = second.at === at ? second.count + 1 : 1
    second.at = at
    if (served.mostPerSecond === null || second.count <= served.mostPerSecond) return null
    response.setHeader('retry-after', '1')
    return refusal('OHIP-0429', 'Too many requests', 429)
  }

  served.gatewayUrl = `http://${await listening(server, host, port)}`
  return served
}

function tokenFor(
  served: SimulatedGateway,
  now: number,
  { headers }: IncomingMessage,
  raw: string,
): [number, unknown] {
  const pair = Buffer.from(`${served.clientId}:${served.clientSecret}`).toString('base64')
  const isKnown = headers.authorization === `Basic ${pair}` && headers['x-app-key'] === served.applicationKey
  const form = new URLSearchParams(raw)
  if (!isKnown) return [401, { error: 'invalid_client' }]
  if (form.get('grant_type') !== 'client_credentials') return [400, { error: 'unsupported_grant_type' }]
  const token = `token-${served.tokens.length + 1}`
  served.tokens.push({ token, until: now + tokenSeconds * 1_000 })
  return [200, { access_token: token, expires_in: tokenSeconds, token_type: 'Bearer' }]
}

function refusedAccess(
  served: SimulatedGateway,
  now: number,
  { headers }: IncomingMessage,
  { ids }: Asked,
): [number, unknown] | null {
  const token = served.tokens.find((each) => `Bearer ${each.token}` === headers.authorization)
  if (!token || now >= token.until) return refusal('OHIP-0401', 'Invalid or expired token', 401)
  if (headers['x-app-key'] !== served.applicationKey)
    return refusal('OHIP-0401', 'Invalid application key', 401)
  const isOurs = headers['x-hotelid'] === served.hotelId && (ids.hotelId ?? served.hotelId) === served.hotelId
  return isOurs ? null : refusal('OHIP-0403', 'Access to this hotel is not allowed', 403)
}

function warned({ message = 'The room is not ready.' }: OperaFault): [number, unknown] {
  return [201, { warnings: [{ shortText: message }], links: [] }]
}

/** Returns a function that finds the operation of a request. */
function askedOf(operations: readonly string[]) {
  const matchers = operations.map((operation) => ({ operation, match: matcherOf(operation) }))
  return ({ method }: IncomingMessage, { pathname, searchParams: query }: URL, raw: string): Asked => {
    for (const { operation, match } of matchers) {
      const ids = match(`${method} ${pathname}`)
      if (ids) return { operation, ids, query, body: raw === '' ? {} : (JSON.parse(raw) as Body) }
    }
    return { operation: `${method} ${pathname}`, ids: {}, query, body: {} }
  }
}

/** Matches a request with an operation, and returns the values of its placeholders. */
function matcherOf(operation: string): (line: string) => Record<string, string> | null {
  const names = [...operation.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pattern = new RegExp(`^${operation.replace(/\{\w+\}/g, '([^/]+)')}$`)
  return (line) => {
    const [, ...values] = pattern.exec(line) ?? []
    if (!pattern.test(line)) return null
    return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')]))
  }
}

function send(response: ServerResponse, [status, body]: [number, unknown?]): void {
  if (body === undefined) return void response.writeHead(status).end()
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
