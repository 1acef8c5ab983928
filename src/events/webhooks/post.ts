import { type ClientRequest, type IncomingMessage, request as requestInClear } from 'node:http'
import { request as requestOverTls } from 'node:https'
import type { LookupFunction } from 'node:net'
import { AddressRefused, guarded, peerPolicies } from '../../devices/peer-address.ts'
import type { Clock } from '../../host/clock.ts'

/** What became of one delivery. */
export type Outcome =
  | { is: 'taken'; status: number }
  /** Something answered, or a connection stood and nothing came of it. */
  | { is: 'refused'; status: number | null; reason: string; retryAfterMs?: number }
  /** Nobody was reached. */
  | { is: 'unreached'; reason: string }

interface Posting {
  url: string
  headers: Record<string, string>
  body: string
  clock: Clock
  /** Gives it up. */
  signal?: AbortSignal
  deadlineMs?: number
}

/** By when a receiver must have answered. */
const answersWithinMs = 10_000
/** What the answer's body is worth: it is read so that its receiver is not cut off in the middle, and thrown away. */
const mostReadBytes = 65_536
const readsForMs = 1_000

/**
 * Posts a body; never throws, and leaves no connection behind. A redirect is not followed, and an address that must not be
 * spoken to is not.
 */
export function post(posting: Posting): Promise<Outcome> {
  const target = targetOf(posting.url)
  if (typeof target === 'string') return Promise.resolve({ is: 'refused', status: null, reason: target })
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const sent = begin(target, posting)
  follow(sent, posting, resolve)
  sent.end(posting.body)
  return promise
}

function begin({ url, lookup }: Target, { headers, body, signal }: Posting): ClientRequest {
  const send = url.protocol === 'https:' ? requestOverTls : requestInClear
  return send(url, {
    method: 'POST',
    // A connection of its own: what the name leads to is checked each time.
    agent: false,
    lookup,
    headers: {
      'Content-Type': 'application/cloudevents+json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'nightporter',
      Connection: 'close',
      ...headers,
    },
    ...(signal && { signal }),
  })
}

/** Tells `over` once what became of it: by its answer, or by what went wrong before there was one. */
function follow(
  sent: ClientRequest,
  { clock, deadlineMs = answersWithinMs }: Posting,
  over: (outcome: Outcome) => void,
): void {
  let isConnected = false
  let answered: Outcome | null = null
  const failed = (text: string) => {
    const reason = short(text)
    over(isConnected ? { is: 'refused', status: null, reason } : { is: 'unreached', reason })
  }
  let deadline = clock.setTimeout(() => {
    failed(`no answer within ${deadlineMs / 1000} s`)
    sent.destroy()
  }, deadlineMs)
  sent.on('socket', (socket) => {
    socket.once('connect', () => {
      isConnected = true
    })
  })
  sent.on('error', (error: NodeJS.ErrnoException) => {
    // It is the receiver's own name that leads where it must not: waiting for a line would not help.
    if (answered) over(answered)
    else if (error instanceof AddressRefused) over({ is: 'refused', status: null, reason: error.message })
    else failed(error.code ?? error.message)
  })
  sent.on('response', (response) => {
    answered = outcomeOf(response)
    deadline.cancel()
    deadline = clock.setTimeout(() => sent.destroy(), readsForMs)
    throwAway(response, sent)
  })
  sent.on('close', () => {
    deadline.cancel()
    if (answered) over(answered)
    else failed('the connection was closed')
  })
}

/** Reads the body to its end, or to the most that it is worth. */
function throwAway(response: IncomingMessage, sent: ClientRequest): void {
  let read = 0
  response.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > mostReadBytes) sent.destroy()
  })
  response.on('error', () => {})
  response.on('end', () => sent.destroy())
}

interface Target {
  url: URL
  lookup: LookupFunction
}

/** Where a URL leads, and how its name is looked up; what is wrong with one that must not be spoken to. */
function targetOf(text: string): Target | string {
  const url = URL.parse(text)
  if (!url) return 'no URL'
  try {
    return { url, ...guarded(url, peerPolicies.webhook) }
  } catch (error) {
    if (error instanceof AddressRefused) return error.message
    throw error
  }
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): Outcome {
  if (status >= 200 && status < 300) return { is: 'taken', status }
  const retryAfterMs = waitAsked(headers['retry-after'], headers.date)
  return {
    is: 'refused',
    status,
    reason:
      status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`,
    ...(retryAfterMs !== null && { retryAfterMs }),
  }
}

/** Milliseconds that Retry-After asks for; as a moment it is held against the receiver's own clock. */
function waitAsked(retryAfter: string | undefined, date: string | undefined): number | null {
  if (retryAfter === undefined) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const wait = Date.parse(retryAfter) - Date.parse(date ?? '')
  return Number.isNaN(wait) || wait < 0 ? null : wait
}

function short(reason: string): string {
  return reason.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 200)
}
