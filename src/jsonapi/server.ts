import type { IncomingMessage, ServerResponse } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { IdempotencyMark } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { crossOrigin } from './cross-origin.ts'
import { asProblem, errorAnswer } from './errors.ts'
import { refuseUnacceptable, requestIdOf, requestOf } from './incoming.ts'
import { deprecate, send } from './outgoing.ts'
import { prefersRepresentation, readingOf, represented } from './preference.ts'
import type { Answer, Caller, Request, Route } from './route.ts'

/** Who lets requests in: the gate, as the server needs it. Both say in the answer's headers how many more there may be. */
export interface Doorkeeper {
  enter(message: IncomingMessage, response: ServerResponse, route: Route, requestId: string): Caller
  /** For what needs no token. */
  pass(message: IncomingMessage, response: ServerResponse, quota?: Route['quota']): void
  /** Carries out a request with an idempotency key, or answers as it was answered before. */
  once(
    key: string,
    request: Request,
    work: (mark: IdempotencyMark) => Promise<Answer> | Answer,
  ): Promise<Answer>
}

export interface Interface {
  /** What people call it: `Reservations`. */
  name: string
  /** Said in X-API-Version. */
  version: string
  routes: readonly Route[]
}

interface ServerOptions {
  interfaces: readonly Interface[]
  doorkeeper: Doorkeeper
  /** Origins of web pages whose scripts may ask. */
  allowedOrigins: readonly string[]
  /** Told of everything that is answered with a 500, and of nothing else. */
  failed(error: unknown, request: { method: string; path: string; requestId: string }): void
  /** Told of everybody who is refused because nobody knows who he is. */
  unknown?(address: string): void
  /** What is known of the disk: an error that is of it is answered by a problem, and nobody waits for it without end. */
  storage?: Storage
  /** Does the work of a request, for whoever has to know later on whose behalf something was done. */
  within?<T>(requestId: string, work: () => T): T
}

interface Storage {
  problem(error: unknown): Problem | null
  /** Gives the outcome of `work`, or rejects with a Problem while it goes on. */
  within<T>(work: Promise<T>): Promise<T>
}

/** The interfaces as one Koa application. Every answer is a string, and every error goes through one place. */
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
  const routers = new Map<string, Router>()
  const versions = new Map<string, string>()
  for (const { version, routes } of interfaces) {
    for (const route of routes) {
      const path = route.base === '' ? `/${route.path}` : `${route.base}/${route.path}`
      versions.set(collectionOf(path), version)
      const reading = readingOf(routes, route)
      routerOf(path).register(path, [route.method.toLowerCase()], (ctx) =>
        answer(ctx, { route, version, reading }),
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
      // Who has hung up by now has learned nothing, and has no address any more.
      if (problem.status === 401 && remoteAddress) unknown(remoteAddress)
      if (problem.status === 500)
        failed(problem.options.cause ?? error, { method: ctx.method, path: ctx.path, requestId })
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

  /** A router looks at each of its routes in turn, so each collection has its own. */
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
    res.setHeader('X-API-Version', version)
    if (route.beta) res.setHeader('X-Stability', 'beta')
    if (route.deprecated) deprecate(ctx, route.deprecated)
    const request = requestOf(ctx, route)
    if (route.scope === null) doorkeeper.pass(req, res, route.quota)
    else request.caller = doorkeeper.enter(req, res, route, ctx.state.requestId)
    // What needs no token is for machines and people of all kinds.
    if (route.base !== '') refuseUnacceptable(req.headers.accept, route.speaks)
    const key = req.headers['idempotency-key']
    // Who has no token has no name either: a key of his would be one for everybody.
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

  /** Throws not-found, or method-not-allowed where there is something for other methods. */
  function nowhere({ req, res, method, path }: Koa.ParameterizedContext): never {
    res.setHeader('X-API-Version', versions.get(collectionOf(path)) ?? interfaces[0]!.version)
    doorkeeper.pass(req, res)
    const layers = routers.get(collectionOf(path))?.match(path, method).path ?? []
    if (layers.length === 0) throw new Problem('not-found', 'There is nothing here.')
    const allowed = [...new Set(layers.flatMap((layer) => layer.methods))]
    throw new Problem('method-not-allowed', `${method} is not allowed here.`, { meta: { allowed } })
  }
}

/** Whether the client has ended the connection, or has sent what is no HTTP: neither was answered with a 500. */
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

/** The base and the first segment below it: `/api/v2/units` of `/api/v2/units/1`. */
function collectionOf(path: string): string {
  return /^(?:\/api\/(?:v2|config\/v1))?\/[^/]*/.exec(path)?.[0] ?? ''
}
