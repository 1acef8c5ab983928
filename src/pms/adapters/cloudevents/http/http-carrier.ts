import type { CloudEvent } from '../../../../events/cloud-event.ts'
import type { Call } from '../../../call.ts'
import { JsonText } from '../../../json-text.ts'
import { type HttpAnswer, httpClient } from '../../http/exchange.ts'
import { expectNoPage, faultOf, faultOfSilence } from '../../http/faults.ts'
import { requestedPause } from '../../http/retry-after.ts'
import { clientCredentials, type HttpAuthentication, staticToken, unlessAborted } from '../../http/token.ts'
import type { Carrier, CarrierKind, CarrierSetup } from '../carrier.ts'
import { largestPage } from '../messages/envelope.ts'
import { type HttpCall, httpCalls, keyOf } from './calls.ts'
import { checkHttp, type HttpSettings, httpConnection, httpCredentials, httpSettings } from './settings.ts'

/** Messages over HTTP: the appliance polls, and receives messages only through its callback. */
export const httpCarrierKind: CarrierKind = {
  connection: httpConnection,
  required: ['baseUrl'],
  credentials: httpCredentials,
  check: checkHttp,
  open: httpCarrier,
}

const largestToken = 64 * 1024
const json = 'application/json'
const batch = 'application/cloudevents-batch+json'

/** The last page without changes, for a conditional request. */
interface Tagged {
  path: string
  etag: string
  data: unknown
}

/** Carries messages to a PMS over HTTP, and asks it for changes. Opens nothing before the first request. */
export function httpCarrier({ connection, credentials, timeoutMs, clock }: CarrierSetup): Carrier {
  const { now } = clock
  const settings = httpSettings(connection, credentials)
  const base = settings.baseUrl.replace(/\/+$/, '')
  const closing = new AbortController()
  const { exchange, close } = httpClient(tlsOf(settings))
  const pauseOf = pausesByKind(now)
  /** Several callers share this request, so it has a deadline of its own. */
  const deadline = () => AbortSignal.any([closing.signal, clock.timeout(timeoutMs)])
  const access = accessOf(settings, now, (form, authorization) =>
    askForToken(exchange, settings.tokenUrl ?? '', form, authorization, deadline()),
  )
  let tagged: Tagged | null = null

  async function request(type: keyof typeof httpCalls, data: never, call: Call): Promise<unknown> {
    const http = httpCalls[type](data)
    const known = http.isTagged && tagged?.path === http.path ? tagged : null
    const answer = await answered(http, known ? { 'if-none-match': known.etag } : {}, call)
    if (answer.status === 304 && known) return known.data
    const reply = http.read(answer)
    if (http.isTagged) tagged = taggedBy(http, answer, reply)
    return reply
  }

  /** Resolves with a valid answer to this call. Rejects with a DeviceFault. */
  async function answered(
    http: HttpCall,
    more: Record<string, string>,
    { signal }: Call,
  ): Promise<HttpAnswer> {
    const described = { what: `${http.method} ${http.path.split('?')[0]}`, changes: http.changes }
    const pause = pauseOf(http)
    pause.expectOver(described.what)
    const headers = await headersOf(http, more)
    const send = async (authorization: string | null) =>
      exchange({
        method: http.method,
        url: new URL(`${base}/${http.path}`),
        headers: { ...headers, ...(authorization !== null && { authorization }) },
        ...(http.body !== undefined && {
          body: http.body instanceof JsonText ? http.body.text : JSON.stringify(http.body),
        }),
        signal: AbortSignal.any([signal, closing.signal]),
        largest: largestPage,
        mayRepeat: !http.changes || http.idempotencyKey !== undefined,
      })
    try {
      const authorization = await unlessAborted(access.header(), signal)
      let answer = await send(authorization)
      if (answer.status === 401) {
        const other = await unlessAborted(access.instead(authorization), signal)
        if (other !== null) answer = await send(other)
      }
      pause.observe(answer)
      const isAnswer = (answer.status >= 200 && answer.status < 300) || http.also?.includes(answer.status)
      if (isAnswer || (answer.status === 304 && more['if-none-match'])) return answer
      throw faultOf(answer, described)
    } catch (error) {
      throw faultOfSilence(error, described)
    }
  }

  async function publish(events: readonly CloudEvent[], call: Call): Promise<void> {
    const idempotencyKey = keyOf(events.map(({ id }) => id))
    const http: HttpCall = {
      method: 'POST',
      path: 'events',
      body: events,
      idempotencyKey,
      changes: true,
      read: ({ body }) => expectNoPage(body),
    }
    http.read(await answered(http, { 'content-type': batch }, call))
  }

  return {
    request: request as Carrier['request'],
    publish,
    close() {
      closing.abort()
      close()
    },
  }
}

async function askForToken(
  exchange: ReturnType<typeof httpClient>['exchange'],
  tokenUrl: string,
  form: string,
  authorization: string,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  try {
    return await exchange({
      method: 'POST',
      url: new URL(tokenUrl),
      headers: { authorization, accept: json, 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
      signal,
      largest: largestToken,
      mayRepeat: true,
    })
  } catch (error) {
    throw faultOfSilence(error, { what: 'the token URL', changes: false })
  }
}

/** Each kind of request has its own: a PMS that wants no requests for changes is still sent what happens here. */
function pausesByKind(now: () => number) {
  const pauses = new Map<string, ReturnType<typeof requestedPause>>()
  return ({ path }: HttpCall) => {
    const kind = path.split(/[/?]/)[0] ?? ''
    const pause = pauses.get(kind) ?? requestedPause(now)
    pauses.set(kind, pause)
    return pause
  }
}

function headersOf({ body, idempotencyKey }: HttpCall, more: Record<string, string>): Record<string, string> {
  return {
    accept: json,
    ...(body !== undefined && { 'content-type': json }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...more,
  }
}

/** Only a page without changes is kept: any other page is requested once, because the cursor moves on. */
function taggedBy({ path }: HttpCall, { headers: { etag } }: HttpAnswer, data: unknown): Tagged | null {
  const { changes, more } = data as { changes?: unknown; more?: unknown }
  const isNothing = Array.isArray(changes) && changes.length === 0 && more === false
  return etag && isNothing ? { path, etag, data } : null
}

function tlsOf({ serverCa, clientCertificate, clientKey }: HttpSettings) {
  return {
    ...(serverCa && { ca: serverCa }),
    ...(clientCertificate && { cert: clientCertificate }),
    ...(clientKey && { key: clientKey }),
  }
}

function accessOf(
  { token, clientId, clientSecret, scope }: HttpSettings,
  now: () => number,
  post: (form: string, authorization: string) => Promise<HttpAnswer>,
): HttpAuthentication {
  if (clientId === undefined || clientSecret === undefined) return staticToken(token)
  return clientCredentials({ clientId, clientSecret, ...(scope && { scope }), now, post })
}
