import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { IdempotencyMark } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { asProblem, errorAnswer } from './errors.ts'
import { type Json, readJson } from './json-body.ts'
import type { Answer, Caller, Request, Route } from './route.ts'

/** Who lets requests in: the gate, as the server needs it. */
export interface Doorkeeper {
  enter(message: IncomingMessage, requestId: string): Caller
  admit(caller: Caller, scope: string): void
  once(
    caller: Caller,
    key: string,
    request: { method: string; url: string; body: unknown },
  ): { mark: IdempotencyMark; over(): void }
}

export interface Interface {
  /** Said in X-API-Version. */
  version: string
  routes: readonly Route[]
}

export interface ServerOptions {
  interfaces: readonly Interface[]
  doorkeeper: Doorkeeper
  /** Told of everything that is answered with a 500, and of nothing else. */
  failed(error: unknown, request: { method: string; path: string; requestId: string }): void
}

const mediaType = 'application/vnd.api+json'
const day = 86_400_000

/** The interfaces as one Koa application. Every answer is a string, and every error goes through one place. */
export function application({ interfaces, doorkeeper, failed }: ServerOptions): Koa {
  const app = new Koa()
  const routers = new Map<string, Router>()
  for (const { version, routes } of interfaces) {
    for (const route of routes) {
      const path = route.base === '' ? `/${route.path}` : `${route.base}/${route.path}`
      routerOf(path).register(path, [route.method.toLowerCase()], (ctx) => answer(ctx, route, version))
    }
  }
  app.use(async (ctx, next) => {
    const requestId = requestIdOf(ctx.req)
    ctx.state.requestId = requestId
    ctx.set('X-Request-Id', requestId)
    try {
      await next()
      if (ctx.status === 404 && ctx.body === undefined)
        throw nothingHere(routers.get(collectionOf(ctx.path)), ctx.method, ctx.path)
    } catch (error) {
      const problem = asProblem(error)
      if (problem.status === 500)
        failed(problem.options.cause ?? error, { method: ctx.method, path: ctx.path, requestId })
      send(ctx, errorAnswer(problem))
    }
  })
  app.use((ctx, next) => routers.get(collectionOf(ctx.path))?.routes()(ctx as never, next) ?? next())
  app.on('error', (error) => failed(error, { method: '', path: '', requestId: '' }))
  return app

  /** A router looks at each of its routes in turn, so each collection has its own. */
  function routerOf(path: string): Router {
    const collection = collectionOf(path)
    const router = routers.get(collection) ?? new Router()
    routers.set(collection, router)
    return router
  }

  async function answer(ctx: Koa.ParameterizedContext, route: Route, version: string): Promise<void> {
    ctx.set('X-API-Version', version)
    if (route.beta) ctx.set('X-Stability', 'beta')
    if (route.deprecated) deprecate(ctx, route.deprecated)
    const request = requestOf(ctx, route)
    if (route.scope !== null) {
      request.caller = doorkeeper.enter(ctx.req, ctx.state.requestId)
      doorkeeper.admit(request.caller, route.scope)
    }
    refuseUnacceptable(ctx.req.headers.accept)
    const key = ctx.req.headers['idempotency-key']
    if (route.method !== 'POST' || typeof key !== 'string') return send(ctx, await route.handle(request))
    const { mark, over } = doorkeeper.once(request.caller, key, {
      method: ctx.method,
      url: ctx.path + ctx.search,
      body: await request.body(),
    })
    try {
      const given = await route.handle({ ...request, idempotency: mark })
      if (mark.answered) ctx.set('Idempotency-Replayed', 'true')
      send(ctx, given)
    } finally {
      over()
    }
  }
}

/** The base and the first segment below it: `/api/v2/units` of `/api/v2/units/1`. */
function collectionOf(path: string): string {
  return /^(?:\/api\/(?:v2|config\/v1))?\/[^/]*/.exec(path)?.[0] ?? ''
}

const parameters = new Map<string, URLSearchParams>()
const mostParameters = 100

/** Screens ask the same again and again: the same query string is the same object, for whoever remembers by it. */
function parametersOf(querystring: string): URLSearchParams {
  const known = parameters.get(querystring)
  if (known) return known
  if (parameters.size >= mostParameters) parameters.clear()
  const made = new URLSearchParams(querystring)
  parameters.set(querystring, made)
  return made
}

const nobody: Caller = { by: 'nobody', role: 'none', requestId: null, may: () => false }

function requestOf(ctx: Koa.ParameterizedContext, { largestBody }: Route): Request {
  let json: Promise<Json | undefined> | undefined
  const read = () => (json ??= readJson(ctx.req, largestBody))
  return {
    method: ctx.method,
    url: ctx.originalUrl,
    params: inNormalForm(ctx.params as Record<string, string>),
    query: parametersOf(ctx.querystring),
    header: (name) => String(ctx.req.headers[name] ?? ''),
    caller: { ...nobody, requestId: ctx.state.requestId },
    remoteAddress: ctx.req.socket.remoteAddress ?? '',
    body: async () => (await read())?.value,
    text: async () => (await read())?.text ?? '',
  }
}

/** What is kept is in normal form C, so a code in a path is looked up in it as well. */
function inNormalForm(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.normalize('NFC')]))
}

function send(ctx: Koa.ParameterizedContext, { status, text, headers = {}, type = mediaType }: Answer): void {
  ctx.status = status
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
  ctx.set('Cache-Control', 'no-store')
  if (text === undefined) {
    ctx.body = null
    ctx.status = status
    return
  }
  if (ctx.method === 'GET' && isSeen(ctx.req.headers['if-none-match'], headers.ETag)) {
    ctx.status = 304
    return
  }
  // Before the body: Koa looks into a body of no type to guess one.
  ctx.set('Content-Type', type)
  ctx.body = text
}

/** Whether If-None-Match names this revision, weakly compared: what the client has seen is not sent again. */
function isSeen(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return false
  const seen = header.split(',').map((each) => each.trim().replace(/^W\//, ''))
  return seen.includes(etag) || seen.includes('*')
}

/** The client's own id, when it is one; otherwise a new one. */
function requestIdOf(message: IncomingMessage): string {
  const given = message.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID()
}

/** A media range with an extension asks for what is not spoken here, and counts for nothing. */
function refuseUnacceptable(accept = ''): void {
  const ranges = accept.split(',').filter((range) => !/;\s*ext\s*=/i.test(range))
  if (accept === '' || /\*\/\*|application\/(\*|json|vnd\.api\+json)/i.test(ranges.join())) return
  throw new Problem('not-acceptable', `The answer is ${mediaType}.`, { header: 'Accept' })
}

function nothingHere(router: Router | undefined, method: string, path: string): Problem {
  const layers = router?.match(path, method).path ?? []
  if (layers.length === 0) return new Problem('not-found', 'There is nothing here.')
  const allowed = [...new Set(layers.flatMap((layer) => layer.methods))]
  return new Problem('method-not-allowed', `${method} is not allowed here.`, { meta: { allowed } })
}

/** Removal is announced at least twelve months before. */
const deprecatedSince = Date.UTC(2026, 10, 1)

/** The successor is a route's method and path, such as `PUT /api/v2/stays/:stayId`; here it has its ids. */
function deprecate(ctx: Koa.ParameterizedContext, successor: string): void {
  const path = successor
    .replace(/^\w+ /, '')
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent(ctx.params[name]))
  ctx.set('Deprecation', `@${deprecatedSince / 1000}`)
  ctx.set('Sunset', new Date(deprecatedSince + 365 * day).toUTCString())
  ctx.set('Link', `<${path}>; rel="successor-version"`)
}
