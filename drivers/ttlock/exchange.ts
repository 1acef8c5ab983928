import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { troubleText } from '../../src/devices/network/line-trouble.ts'
import { AddressRefused, guarded, peerPolicies } from '../../src/devices/network/peer-address.ts'
import { https } from '../../src/devices/network/tls.ts'

interface HttpRequest {
  method: 'GET' | 'POST' | 'HEAD'
  url: URL
  /** A form, already encoded; null for none. */
  form: string | null
}

/** A whole answer, or the reason why there is none and whether a part of the request may have been sent. */
export type HttpOutcome =
  | { kind: 'answer'; status: number; date: number | null; body: string }
  | { kind: 'none'; why: string; left: boolean }

/** The longest accepted body, in bytes. A page of a hundred locks is shorter. */
const longestBody = 1_048_576

/**
 * Makes one request on a connection of its own, and never rejects. The signal covers all of it, from the look-up of the
 * name to the last byte. Redirects are not followed.
 *
 * `fetch` is not used, because it does not report whether any part of a failed request was sent: only then may the cloud
 * have executed it. Here nothing is written before the connection is established. No connection is reused, because the
 * other end may be closing an idle one at that moment.
 */
export function exchange({ method, url, form }: HttpRequest, signal: AbortSignal): Promise<HttpOutcome> {
  if (signal.aborted) return Promise.resolve({ kind: 'none', why: 'was given up', left: false })
  const { promise, resolve } = Promise.withResolvers<HttpOutcome>()
  let left = false
  const fail = (why: string) => resolve({ kind: 'none', why, left })
  const secure = url.protocol === 'https:'
  const guard = guardFor(url)
  if (guard instanceof AddressRefused) return Promise.resolve({ kind: 'none', why: reason(guard), left })
  const options = { method, agent: false, signal, headers: headersOf(form), ...guard }
  const outgoing = (secure ? https() : http).request(url, options)
  const ended = (error: Error) => {
    if (!signal.aborted) fail(reason(error))
    else if (!timeIsUp(signal)) fail('was given up')
    else fail(left ? 'gave no answer in time' : 'was not reached in time')
  }
  outgoing.on('error', ended)
  outgoing.once('close', () => fail('closed the connection'))
  outgoing.once('response', (response) => {
    collect(outgoing, response, (body) => {
      const date = Date.parse(response.headers.date ?? '')
      resolve({
        kind: 'answer',
        status: response.statusCode ?? 0,
        date: Number.isNaN(date) ? null : date,
        body,
      })
    })
    response.on('error', ended)
  })
  outgoing.once('socket', (socket) => {
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      if (signal.aborted) return
      left = true
      outgoing.end(form ?? undefined)
    })
  })
  return promise
}

/** Whether the deadline ended it, and not its caller. */
export function timeIsUp({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.name === 'TimeoutError'
}

function headersOf(form: string | null): Record<string, string | number> {
  const headers = { accept: 'application/json', 'accept-encoding': 'identity' }
  if (form === null) return headers
  return {
    ...headers,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(form),
  }
}

/** Calls `whole` with a complete body. Ends the request when the body is too long. */
function collect(outgoing: ClientRequest, response: IncomingMessage, whole: (body: string) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  response.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > longestBody) outgoing.destroy(new Error(`answered with more than ${longestBody} bytes`))
    else chunks.push(chunk)
  })
  response.once('end', () => {
    if (response.complete) whole(Buffer.concat(chunks).toString())
  })
}

/** A name is resolved and checked for each connection: the account's password must not reach a wrong host. */
function guardFor(url: URL): { lookup: LookupFunction } | AddressRefused {
  try {
    return guarded(url, peerPolicies.lockCloud)
  } catch (error) {
    if (error instanceof AddressRefused) return error
    throw error
  }
}

/** The text of an error. */
function reason(error: Error): string {
  if (error instanceof AddressRefused) return `is not contacted: ${error.message}`
  if (!('code' in error)) return error.message
  return `cannot be reached: ${troubleText(error)}`
}
