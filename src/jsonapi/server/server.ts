import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import Koa from 'koa'
import type { IdempotencyMark } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { asProblem, errorAnswer } from '../errors.ts'
import { type Answer, type Caller, eventStreamType, type Request, type Route } from '../route.ts'
import { crossOrigin } from './cross-origin.ts'
import { refuseUnacceptable, requestIdOf, requestOf } from './incoming.ts'
import type { Nearest } from './nearest-paths.ts'
import { deprecate, hasBegun, send } from './outgoing.ts'
import { collectionOf, type PathIndex, pathIndex, pathOf } from './path-index.ts'
import { prefersRepresentation, readingOf, represented } from './preference.ts'

/** Authentication as the server needs it. `enter` and `pass` set the rate limit headers of the answer. */
export interface Doorkeeper {
  enter(message: IncomingMessage, response: ServerResponse, route: Route, requestId: string): Caller
  /** Applies the rate limits to a request that needs no token. */
  pass(message: IncomingMessage, response: ServerResponse, quota?: Route['quota']): void
  /** Runs a request with an idempotency key, or returns the previous answer. */
  once(
    key: string,
    request: Request,
    work: (mark: IdempotencyMark) => Promise<Answer> | Answer,
  ): Promise<Answer>
}

export interface Interface {
  /** The name that people use, such as `Reservations`. */
  name: string
  /** The value of X-API-Version. */
  version: string
  routes: readonly Route[]
}

interface ServerOptions {
  interfaces: readonly Interface[]
  doorkeeper: Doorkeeper
  /** Origins of web pages whose scripts may call the interfaces. */
  allowedOrigins: readonly string[]
  /** Called with each error that is answered with a 500, and with no other. */
  failed(error: unknown, request: { method: string; path: string; requestId: string }): void
  /** Called with the client address of each 401. */
  unknown?(address: string): void
  /**
   * The state of the disk. An error of the disk becomes a Problem, and no request waits for a hanging disk.
   */
  storage?: Storage
  /** Called with each answer: the path of its route, null where no route matched, and how long its work took. */
  answered?(route: string | null, method: string, status: number, ms: number): void
  /** Milliseconds for these durations; they never go back. */
  monotonic(): number
  /** Runs the work of a request in a context that knows the request id. */
  within?<T>(requestId: string, work: () => T): T
}

interface Storage {
  problem(error: unknown): Problem | null
  /** Resolves or rejects as `work` does, or rejects with a Problem when the disk hangs, while `work` continues. */
  within<T>(work: Promise<T>): Promise<T>
}

/** A route with the data that its answers need. */
interface Operation {
  route: Route
  /** The value of X-API-Version. */
  version: string
  /** All routes of its interface. */
  routes: readonly Route[]
}

/** The dependencies of answering a request. */
interface Serving extends ServerOptions {
  paths: PathIndex<Operation>
  /** The version of each collection. */
  versions: Map<string, string>
}

/** Creates the Koa application that serves the interfaces. All errors are answered in one place. */
export function application(options: ServerOptions): Koa {
  const { interfaces, allowedOrigins, failed, answered, monotonic } = options
  const { within = (_requestId, work) => work() } = options
  const app = new Koa()
  const operations = interfaces.flatMap(({ version, routes }) =>
    routes.map((route): Operation => ({ route, version, routes })),
  )
  const versions = new Map(operations.map(({ route, version }) => [collectionOf(pathOf(route)), version]))
  const serving: Serving = { ...options, paths: pathIndex(operations), versions }

  app.use(async (ctx, next) => {
    const began = monotonic()
    const requestId = requestIdOf(ctx.req)
    ctx.state.requestId = requestId
    ctx.res.setHeader('X-Request-Id', requestId)
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff')
    // HSTS: over TLS, browsers must not use plain HTTP for this host again.
    if (ctx.secure) ctx.res.setHeader('Strict-Transport-Security', 'max-age=31536000')
    try {
      await within(requestId, next)
    } catch (error) {
      refuse(serving, ctx, error)
    }
    const { route } = ctx.state as { route?: Route }
    answered?.(route ? pathOf(route) : null, ctx.method, ctx.status, monotonic() - began)
  })
  if (allowedOrigins.length > 0) app.use(crossOrigin(allowedOrigins))
  app.use((ctx) => {
    const found = serving.paths.find(ctx.path, ctx.method)
    if (!found?.operation) throw nowhere(serving, ctx, found?.methods)
    return answer(serving, ctx, found.operation, found.params)
  })
  app.on('error', (error, ctx?: Koa.Context) => {
    if (isHangUp(error)) return
    failed(error, {
      method: ctx?.method ?? '',
      path: ctx ? loggedPath(ctx) : '',
      requestId: ctx?.state.requestId ?? '',
    })
  })
  return app
}

async function answer(
  { doorkeeper, storage }: Serving,
  ctx: Koa.Context,
  { route, version, routes }: Operation,
  params: Request['params'],
): Promise<void> {
  const { req, res } = ctx
  ctx.state.route = route
  res.setHeader('X-API-Version', version)
  if (route.beta) res.setHeader('X-Stability', 'beta')
  if (route.deprecated) deprecate(res, route.deprecated, params)
  const request = requestOf(ctx, route, params)
  if (route.scope === null) doorkeeper.pass(req, res, route.quota)
  else request.caller = doorkeeper.enter(req, res, route, ctx.state.requestId)
  // Routes without a token serve browsers and probes with any Accept header.
  if (route.base !== '') refuseUnacceptable(req.headers.accept, route.speaks)
  const key = req.headers['idempotency-key']
  // An idempotency key belongs to a token. Without a token, all callers would share the keys.
  const isOnce = route.method === 'POST' && route.scope !== null && typeof key === 'string'
  const work = isOnce
    ? doorkeeper.once(key, request, (idempotency) => route.handle({ ...request, idempotency }))
    : route.handle(request)
  const answered = await (storage && work instanceof Promise ? storage.within(work) : work)
  // A stream of events begins when something happens.
  if (answered.stream && answered.type !== eventStreamType) await begun(answered.stream, storage)
  const reading = prefersRepresentation(request.header('prefer')) && readingOf(routes, route)
  send(ctx, reading ? await represented(answered, request, reading) : answered)
}

/** Resolves when a stream has begun. No request waits for the file of a disk that hangs, which may be another than that of the store. */
async function begun(stream: Readable, storage: Storage | undefined): Promise<void> {
  const beginning = hasBegun(stream)
  try {
    await (storage ? storage.within(beginning) : beginning)
  } catch (error) {
    stream.on('error', () => {}).destroy()
    throw error
  }
}

/** Returns not-found, or method-not-allowed when the path exists for other methods. Throws rate-limited. */
function nowhere(
  { doorkeeper, interfaces, paths, versions }: Serving,
  { req, res, method, path }: Koa.Context,
  allowed?: string[],
): Problem {
  res.setHeader('X-API-Version', versions.get(collectionOf(path)) ?? interfaces[0]!.version)
  doorkeeper.pass(req, res)
  if (!allowed) return noSuchPath(paths.nearest(path, method))
  const detail = `This path does not allow ${method}. The header Allow lists its methods.`
  return new Problem('method-not-allowed', detail, { meta: { allowed } })
}

/** Answers an error as a problem. Reports a failed authentication and an internal error to their listeners. */
function refuse({ storage, paths, failed, unknown }: Serving, ctx: Koa.Context, error: unknown): void {
  const { method, req } = ctx
  const { requestId, route } = ctx.state as { requestId: string; route?: Route }
  const problem = storage?.problem(error) ?? asProblem(error)
  const { remoteAddress } = req.socket
  // A client that has disconnected did not receive the 401, and its address is no longer known.
  // An ended session is no failed attempt.
  const isAttempt = problem.status === 401 && problem.options.header !== 'Cookie'
  if (isAttempt && remoteAddress) unknown?.(remoteAddress)
  if (problem.status === 500)
    failed(problem.options.cause ?? error, { method, path: loggedPath(ctx), requestId })
  if (problem.status === 404 && route) nameLists(problem, paths.idLists(route))
  send(ctx, errorAnswer(problem, { language: req.headers['accept-language'] }))
}

/** Returns the path for the log. An id in the path of a route without a scope authorises who knows it, so it is left out. */
function loggedPath({ path, state }: Koa.Context): string {
  const { route } = state as { route?: Route }
  return route?.scope === null ? pathOf(route) : path
}

/**
 * Returns the refusal of an unknown path, with the most similar paths. It is the same for every caller, because the
 * OpenAPI document lists the paths publicly.
 */
function noSuchPath({ paths, lists }: Nearest): Problem {
  const named = paths.map(({ path, methods }) => `${methods.join(', ')} ${path}`)
  const detail = [
    'There is no resource at this path.',
    named.length > 0 ? `The nearest: ${named.join('; ')}.` : 'GET /openapi.json lists all paths.',
    lists.length > 0 ? `Ids are listed by GET ${lists.join(' and GET ')}.` : [],
  ].flat()
  return new Problem('not-found', detail.join(' '), { meta: { nearest: paths, lists } })
}

/** Adds the path of the list with valid ids to the refusal of an unknown id. It depends only on the path. */
function nameLists(problem: Problem, lists: string[]): void {
  if (lists.length > 0) problem.options.meta = { ...problem.options.meta, lists }
}

/** Whether the client closed the connection or sent invalid HTTP. Neither is answered with a 500. */
function isHangUp({ code = '' }: { code?: string }): boolean {
  return hangUps.has(code) || code.startsWith('HPE_')
}

const hangUps = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_HTTP_REQUEST_TIMEOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
])
