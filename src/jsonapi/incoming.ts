import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import { Problem } from '../resource/problem.ts'
import { type Json, readJson } from './json-body.ts'
import { type Caller, mediaType, type Request, type Route } from './route.ts'

const nobody: Caller = { by: 'nobody', role: 'none', requestId: null, may: () => false }

/** What a route is given of a request. Its caller is nobody, until the gate says who. */
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

/** The client's own id, when it is one; otherwise a new one. */
export function requestIdOf(message: IncomingMessage): string {
  const given = message.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID()
}

/**
 * A media range with an extension asks for what is not spoken here, and counts for nothing. `also` is what an operation
 * speaks besides. Throws not-acceptable.
 */
export function refuseUnacceptable(accept = '', also: readonly string[] = []): void {
  if (accept === '' || accept === mediaType) return
  const ranges = accept.split(',').filter((range) => !/;\s*ext\s*=/i.test(range))
  if (/\*\/\*|application\/(\*|json|vnd\.api\+json)/i.test(ranges.join())) return
  if (ranges.some((range) => also.includes(range.split(';')[0]!.trim().toLowerCase()))) return
  throw new Problem('not-acceptable', `The answer is ${mediaType}.`, { header: 'Accept' })
}

/** What is kept is in normal form C, so a code in a path is looked up in it as well. */
function inNormalForm(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.normalize('NFC')]))
}
