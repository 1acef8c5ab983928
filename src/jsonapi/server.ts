import type { IncomingMessage, ServerResponse } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { IdempotencyMark } from '../resource/command.ts'
import { Problem } from '../resource/problem.ts'
import { crossOrigin } from './cross-origin.ts'
import { asProblem, errorAnswer } from './errors.ts'
import { refuseUnacceptable, requestIdOf, requestOf } from './incoming.ts'
import { idLists, type Nearest, nearestRoutes } from './nearest-routes.ts'
import { deprecate, send } from './outgoing.ts'
import { prefersRepresentation, readingOf, represented } from './preference.ts'
import type { Answer, Caller, Request, Route } from './route.ts'

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
  /** Runs the work of a request in a context that knows the request id. */
  within?<T>(requestId: string, work: () => T): T
}

interface Storage {
  problem(error: unknown): Problem | null
  /** Returns the outcome of `work`, or rejects with a Problem while `work` continues. */
  within<T>(work: Promise<T>): Promise<T>
}

/** Creates the Koa application that serves the interfaces. All errors are answered in one place. */
export function application({
  interfaces,
  doorkeeper,
  allowedOrigins,
  failed,
  unknown = () => {},
  storage,
  within = (_requestId, work) => work(),
}: ServerOptions): Koa {
  const app = new Koa()
  const all = interfaces.flatMap(({ routes }) => routes)
  const nearest = nearestRoutes(all)
  const lists = idLists(all)
  const routers = new Map<string, Router>()
  const versions = new Map<string, string>()
  /** The methods of each path without parameters. `dispensers/reset-all-cache` is no id of a dispenser. */
  const fixedPaths = new Map<string, string[]>()
  for (const { version, routes } of interfaces) {
    for (const route of routes) {
      const path = route.base === '' ? `/${route.path}` : `${route.base}/${route.path}`
      versions.set(collectionOf(path), version)
      const reading = readingOf(routes, route)
      const isFixed = !path.includes(':')
      if (isFixed) fixedPaths.set(path, [...(fixedPaths.get(path) ?? []), ...methodsOf(route)])
      routerOf(path).register(path, [route.method.toLowerCase()], (ctx) =>
        !isFixed && fixedPaths.has(ctx.path) ? nowhere(ctx) : answer(ctx, { route, version, reading }),
      )
    }
  }
  app.use(async (ctx, next) => {
    const requestId = requestIdOf(ctx.req)
    ctx.state.requestId = requestId
    ctx.res.setHeader('X-Request-Id', requestId)
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff')
    try {
      await within(requestId, next)
      if (ctx.status === 404 && ctx.body === undefined) nowhere(ctx)
    } catch (error) {
      const problem = storage?.problem(error) ?? asProblem(error)
      const { remoteAddress } = ctx.req.socket
      // A client that has disconnected did not receive the 401, and its address is no longer known.
      if (problem.status === 401 && remoteAddress) unknown(remoteAddress)
      if (problem.status === 500)
        failed(problem.options.cause ?? error, { method: ctx.method, path: ctx.path, requestId })
      if (problem.status === 404 && ctx.state.route) nameLists(problem, lists(ctx.state.route))
      send(ctx, errorAnswer(problem, { language: ctx.req.headers['accept-language'] }))
    }
  })
  if (allowedOrigins.length > 0) app.use(crossOrigin(allowedOrigins))
  app.use((ctx, next) => routers.get(collectionOf(ctx.path))?.routes()(ctx as never, next) ?? next())
  app.on('error', (error, ctx?: Koa.Context) => {
    if (isHangUp(error)) return
    failed(error, { method: ctx?.method ?? '', path: ctx?.path ?? '', requestId: ctx?.state.requestId ?? '' })
  })
  return app

  /** A Koa router tests its routes one after another, so each collection has a router of its own. */
  function routerOf(path: string): Router {
    const collection = collectionOf(path)
    const router = routers.get(collection) ?? new Router()
    routers.set(collection, router)
    return router
  }

  async function answer(
    ctx: Koa.ParameterizedContext,
    { route, version, reading }: { route: Route; version: string; reading: Route | undefined },
  ): Promise<void> {
    const { req, res } = ctx
    ctx.state.route = route
    res.setHeader('X-API-Version', version)
    if (route.beta) res.setHeader('X-Stability', 'beta')
    if (route.deprecated) deprecate(ctx, route.deprecated)
    const request = requestOf(ctx, route)
    if (route.scope === null) doorkeeper.pass(req, res, route.quota)
    else request.caller = doorkeeper.enter(req, res, route, ctx.state.requestId)
    // Routes without a token serve browsers and probes with any Accept header.
    if (route.base !== '') refuseUnacceptable(req.headers.accept, route.speaks)
    const key = req.headers['idempotency-key']
    // An idempotency key belongs to a token. Without a token, all callers would share the keys.
    const isOnce = route.method === 'POST' && route.scope !== null && typeof key === 'string'
    if (!isOnce) {
      const answered = await bounded(route.handle(request))
      const isShown = reading && prefersRepresentation(request.header('prefer'))
      return send(ctx, isShown ? await represented(answered, request, reading) : answered)
    }
    const work = (idempotency: IdempotencyMark) => route.handle({ ...request, idempotency })
    send(ctx, await bounded(doorkeeper.once(key, request, work)))
  }

  function bounded(work: Answer | Promise<Answer>): Answer | Promise<Answer> {
    return storage && work instanceof Promise ? storage.within(work) : work
  }

  /** Throws not-found, or method-not-allowed when the path exists for other methods. */
  function nowhere({ req, res, method, path }: Koa.ParameterizedContext): never {
    res.setHeader('X-API-Version', versions.get(collectionOf(path)) ?? interfaces[0]!.version)
    doorkeeper.pass(req, res)
    const layers = routers.get(collectionOf(path))?.match(path, method).path ?? []
    if (layers.length === 0) throw noSuchPath(nearest(path, method))
    const allowed = fixedPaths.get(path) ?? [...new Set(layers.flatMap((layer) => layer.methods))]
    throw new Problem(
      'method-not-allowed',
      `This path does not allow ${method}. The header Allow lists its methods.`,
      { meta: { allowed } },
    )
  }
}

/**
 * The refusal of a path that the appliance does not have, with the nearest that it has. It is the same for every caller:
 * the OpenAPI document names the paths to everybody.
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

/** Adds to the refusal of an unknown id where the ids are listed. It depends on the path only. */
function nameLists(problem: Problem, lists: string[]): void {
  if (lists.length > 0) problem.options.meta = { ...problem.options.meta, lists }
}

function methodsOf({ method }: Route): string[] {
  return method === 'GET' ? ['HEAD', 'GET'] : [method]
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

/** Returns the base and the first segment below it: `/api/v2/units` for `/api/v2/units/1`. */
function collectionOf(path: string): string {
  return /^(?:\/api\/(?:v2|config\/v1))?\/[^/]*/.exec(path)?.[0] ?? ''
}
