import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type Koa from 'koa'
import { type Answer, mediaType } from '../route.ts'

/** Sends an answer. No cache may store it, unless the answer's own headers allow that. */
export function send(
  ctx: Koa.ParameterizedContext,
  { status, text, bytes, stream, headers, cookies, type, describesMore }: Answer,
): void {
  const { req, res } = ctx
  leaveUnread(req, res)
  res.setHeader('Cache-Control', 'no-store')
  for (const name in headers) res.setHeader(name, headers[name]!)
  if (cookies) res.setHeader('Set-Cookie', cookies)
  ctx.status = status
  if (stream) {
    res.setHeader('Content-Type', type ?? mediaType)
    ctx.body = stream
    return
  }
  const body = text ?? bytes
  if (body === undefined) {
    ctx.body = null
    ctx.status = status
    return
  }
  if (
    !describesMore &&
    isSeen(req.headers['if-none-match'], headers?.ETag) &&
    (ctx.method === 'GET' || ctx.method === 'HEAD')
  ) {
    ctx.status = 304
    return
  }
  // The type is set before the body, because Koa guesses the type of a body without one.
  res.setHeader('Content-Type', type ?? mediaType)
  ctx.body = body
}

/** Resolves when a stream has its first bytes or its end. Rejects with its error before, which can still be answered. */
export function hasBegun(stream: Readable): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  stream.once('readable', resolve)
  stream.once('error', reject)
  return promise.finally(() => stream.off('readable', resolve).off('error', reject))
}

/** Whether If-None-Match contains this revision, by weak comparison. The answer is then 304. */
function isSeen(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return false
  const seen = header.split(',').map((each) => each.trim().replace(/^W\//, ''))
  return seen.includes(etag) || seen.includes('*')
}

/**
 * A body of at most this many bytes is read to its end after the answer, because the connection can then be
 * reused.
 */
const mostDrained = 131_072
/** How long the client may read the answer before the server closes the connection, in milliseconds. */
const readWithinMs = 1_000

/**
 * Closes the connection after an answer that is sent before the whole body has arrived, so that the rest is
 * not read. The server first closes its writing side, and destroys the connection after a second: an
 * immediate reset could discard the answer.
 */
function leaveUnread(message: IncomingMessage, response: ServerResponse): void {
  const { socket } = response
  if (!socket || message.complete || isShort(message) || response.headersSent) return
  response.setHeader('Connection', 'close')
  // Node calls this function when the answer has been written.
  socket.destroySoon = () => {
    socket.end()
    socket.setTimeout(readWithinMs, () => socket.destroy())
    // Node starts to read the rest in the next tick, so the pause comes after it.
    setImmediate(() => socket.pause())
  }
}

function isShort({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= mostDrained
}

const day = 86_400_000

/** Removal is announced at least twelve months ahead. */
const deprecatedSince = Date.UTC(2026, 10, 1)

/**
 * Sets the headers that name the successor of a deprecated operation. `successor` is the method and path of a
 * route, such as `PUT /api/v2/stays/:stayId`; the header has the ids of the request, which are `params`.
 */
export function deprecate(response: ServerResponse, successor: string, params: Record<string, string>): void {
  const path = successor
    .replace(/^\w+ /, '')
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  response.setHeader('Deprecation', `@${deprecatedSince / 1000}`)
  response.setHeader('Sunset', new Date(deprecatedSince + 365 * day).toUTCString())
  response.setHeader('Link', `<${path}>; rel="successor-version"`)
}
