import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { troubleText } from '../../devices/network/line-trouble.ts'
import { AddressRefused, guarded, peerPolicies } from '../../devices/network/peer-address.ts'
import { https } from '../../devices/network/tls.ts'
import type { Clock } from '../../host/clock.ts'

/** The outcome of one delivery. */
export type DeliveryOutcome =
  | { is: 'taken'; status: number }
  /** The receiver answered with an error, or a connection was made without an answer. */
  | { is: 'refused'; status: number | null; reason: string; retryAfterMs?: number }
  /** No connection was made. */
  | { is: 'unreached'; reason: string }

interface Posting {
  url: string
  headers: Record<string, string>
  body: string
  clock: Clock
  /** Cancels the delivery. */
  signal?: AbortSignal
  deadlineMs?: number
}

/** The deadline for the receiver's answer. */
const answersWithinMs = 10_000
/**
 * The limits for reading the answer's body. It is read, so that the receiver is not cut off, and discarded.
 */
const mostReadBytes = 65_536
const readsForMs = 1_000

/**
 * Posts a body. Never rejects, and leaves no connection open. It follows no redirect, and refuses forbidden
 * addresses.
 */
export function post(posting: Posting): Promise<DeliveryOutcome> {
  const target = targetOf(posting.url)
  if (typeof target === 'string') return Promise.resolve({ is: 'refused', status: null, reason: target })
  const { promise, resolve } = Promise.withResolvers<DeliveryOutcome>()
  const sent = begin(target, posting)
  follow(sent, posting, resolve)
  sent.end(posting.body)
  return promise
}

function begin({ url, lookup }: Target, { headers, body, signal }: Posting): ClientRequest {
  const { request } = url.protocol === 'https:' ? https() : http
  return request(url, {
    method: 'POST',
    // No connection is reused, so the resolved address is checked each time.
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

/** Calls `over` once with the outcome: that of the answer, or the error before it. */
function follow(
  sent: ClientRequest,
  { clock, deadlineMs = answersWithinMs }: Posting,
  over: (outcome: DeliveryOutcome) => void,
): void {
  let isConnected = false
  let answered: DeliveryOutcome | null = null
  const failed = (text: string) => {
    const reason = text.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 200)
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
    // The receiver's own name resolves to a forbidden address, so waiting for the network would not help.
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

/** Reads the body to its end, or to the limits. */
function throwAway(response: IncomingMessage, sent: ClientRequest): void {
  let read = 0
  response.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > mostReadBytes) sent.destroy()
  })
  response.on('error', () => {})
  response.on('end', () => sent.destroy())
}

/** Returns the reason of a failed delivery as words for a person, where they are known; a reason may be the code of an error. */
export function wordsOf(reason: string): string {
  return troubleText({ code: reason, message: reason })
}

interface Target {
  url: URL
  lookup: LookupFunction
}

/** Returns the target of a URL and its guarded lookup, or the reason why the URL is refused. */
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

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): DeliveryOutcome {
  if (status >= 200 && status < 300) return { is: 'taken', status }
  const retryAfterMs = requestedWaitMs(headers['retry-after'], headers.date)
  return {
    is: 'refused',
    status,
    reason:
      status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`,
    ...(retryAfterMs !== null && { retryAfterMs }),
  }
}

/**
 * Returns the wait that Retry-After requests, in milliseconds. A date is compared with the receiver's own
 * clock.
 */
function requestedWaitMs(retryAfter: string | undefined, date: string | undefined): number | null {
  if (retryAfter === undefined) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const wait = Date.parse(retryAfter) - Date.parse(date ?? '')
  return Number.isNaN(wait) || wait < 0 ? null : wait
}
