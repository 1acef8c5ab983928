import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import { Problem } from '../resource/problem.ts'
import { type Json, readJson } from './json-body.ts'
import { type Caller, mediaType, type Request, type Route } from './route.ts'

const nobody: Caller = { by: 'nobody', role: 'none', requestId: null, may: () => false }

/** Converts Koa's request for a route. Its caller has no rights until the server authenticates it. */
export function requestOf(ctx: Koa.ParameterizedContext, { largestBody, takes }: Route): Request {
  let json: Promise<Json | undefined> | undefined
  const read = () => (json ??= readJson(ctx.req, largestBody, takes))
  return {
    method: ctx.method,
    url: ctx.originalUrl,
    params: inNormalForm(ctx.params as Record<string, string>),
    query: new URLSearchParams(ctx.querystring),
    header: (name) => String(ctx.req.headers[name] ?? ''),
    caller: { ...nobody, requestId: ctx.state.requestId },
    remoteAddress: ctx.req.socket.remoteAddress ?? '',
    whenGone: (listener) => whenClosed(ctx.req, listener),
    body: async () => (await read())?.value,
    text: async () => (await read())?.text ?? '',
  }
}

function whenClosed({ socket }: IncomingMessage, listener: () => void): () => void {
  if (socket.destroyed) setImmediate(listener)
  else socket.once('close', listener)
  return () => socket.off('close', listener)
}

/** The client's X-Request-Id when it is valid; otherwise a new id. */
export function requestIdOf(message: IncomingMessage): string {
  const given = message.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID()
}

/**
 * Checks the Accept header. A media range with an `ext` parameter is ignored, because the server supports no
 * extension. `also` are further media types of the operation. Throws not-acceptable.
 */
export function refuseUnacceptable(accept = '', also: readonly string[] = []): void {
  if (accept === '' || accept === mediaType) return
  const ranges = accept.split(',').filter((range) => !/;\s*ext\s*=/i.test(range))
  if (/\*\/\*|application\/(\*|json|vnd\.api\+json)/i.test(ranges.join())) return
  if (ranges.some((range) => also.includes(range.split(';')[0]!.trim().toLowerCase()))) return
  throw new Problem('not-acceptable', `The answer is ${mediaType}.`, { header: 'Accept' })
}

/** Texts are stored in Unicode normal form C, so path parameters are normalized for the lookup. */
function inNormalForm(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.normalize('NFC')]))
}
