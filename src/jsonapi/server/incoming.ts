import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import { Problem } from '../../resource/problem.ts'
import { noGuests } from '../guests.ts'
import { type Caller, mediaType, type Request, type Route } from '../route.ts'
import { bodyBounds, exceededBound } from './body-bounds.ts'

const anonymous: Caller = {
  by: 'nobody',
  client: 'nobody',
  role: 'none',
  requestId: null,
  may: () => false,
  expectRecentSecret: () => {},
  isLet: () => false,
  guests: noGuests,
}

/** Converts Koa's request for a route. Its caller has no rights until the server authenticates it. */
export function requestOf(
  ctx: Koa.Context,
  { largestBody, takes }: Route,
  params: Request['params'],
): Request {
  let json: Promise<Json | undefined> | undefined
  const read = () => (json ??= readJson(ctx.req, largestBody, takes))
  return {
    method: ctx.method,
    url: ctx.originalUrl,
    params,
    query: new URLSearchParams(ctx.querystring),
    header: (name) => String(ctx.req.headers[name] ?? ''),
    caller: { ...anonymous, requestId: ctx.state.requestId },
    message: ctx.req,
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
  const requestId = message.headers['x-request-id']
  return typeof requestId === 'string' && /^[\w.:-]{1,64}$/.test(requestId) ? requestId : randomUUID()
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
  throw new Problem(
    'not-acceptable',
    `The answer has the media type ${mediaType}, which Accept does not allow.`,
    { header: 'Accept' },
  )
}

const largestBody = 131_072

/** A body as it was sent, and its parsed value. */
interface Json {
  text: string
  value: unknown
}

/**
 * Reads the JSON body of a request, of at most `largest` bytes (default 128 KiB). Returns undefined without a
 * body. `also` are further media types that are accepted. Any charset parameter is accepted; the bytes are
 * read as UTF-8. Throws unsupported-media-type, body-too-large, malformed-json, and malformed-request for an
 * incomplete body.
 */
export async function readJson(
  message: IncomingMessage,
  largest = largestBody,
  also: readonly string[] = [],
): Promise<Json | undefined> {
  const length = Number(message.headers['content-length'] ?? Number.NaN)
  const chunked = message.headers['transfer-encoding'] !== undefined
  if (length === 0 || (Number.isNaN(length) && !chunked)) return undefined
  refuseMediaType(message.headers['content-type'], also)
  if (length > largest) throw tooLarge(largest)
  const bytes = await bytesOf(message, largest)
  return bytes.length === 0 ? undefined : parsed(bytes)
}

async function bytesOf(message: IncomingMessage, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    // The request stays open, so that the answer can be sent; `leaveUnread` handles the rest of the body.
    for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > largest) throw tooLarge(largest)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('malformed-request', 'The request body is incomplete: the connection ended early.', {
      cause: error,
    })
  }
  return Buffer.concat(chunks)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parsed(bytes: Buffer): Json {
  const malformed = (detail: string, cause?: unknown) =>
    new Problem('malformed-json', detail, { pointer: '', cause })
  const exceeded = exceededBound(bytes)
  // Functions that walk an accepted body by recursion cannot overflow the stack.
  if (exceeded === 'depth') throw malformed(`A body nests at most ${bodyBounds.depth} levels.`)
  if (exceeded) throw tooMany(bodyBounds[exceeded], exceeded)
  try {
    const text = utf8.decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch (cause) {
    throw malformed('The body is not JSON in UTF-8.', cause)
  }
}

/** Only the parameter `ext` changes the meaning of a body, and the server supports no extension. */
function refuseMediaType(header = '', also: readonly string[] = []): void {
  const [type, ...parameters] = header.split(';')
  const isExtended = parameters.some((each) => /^\s*ext\s*=/i.test(each))
  if (also.includes(type?.trim().toLowerCase() ?? '')) return
  if (!isExtended && /^\s*application\/(vnd\.api\+)?json\s*$/i.test(type ?? '')) return
  throw new Problem(
    'unsupported-media-type',
    `Send application/vnd.api+json, not ${header.slice(0, 100) || 'nothing'}.`,
    {
      header: 'Content-Type',
    },
  )
}

/** A body with more values than any operation takes, or an object with more members. */
function tooMany(limit: number, exceeded: 'values' | 'members'): Problem {
  const detail =
    exceeded === 'values'
      ? `A body has at most ${limit} values. Nothing was written. A list of many things can be sent in several requests.`
      : `An object in a body has at most ${limit} members. Nothing was written.`
  return new Problem('body-too-large', detail, { meta: { limit, exceeded } })
}

function tooLarge(limit: number): Problem {
  const split = limit > largestBody ? ' A list of many things can be sent in several requests.' : ''
  const detail = `A body has at most ${limit} bytes here. Nothing was written.${split}`
  return new Problem('body-too-large', detail, { meta: { limit } })
}
