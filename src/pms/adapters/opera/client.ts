import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../host/clock.ts'
import { type HttpAnswer, httpClient } from '../http/exchange.ts'
import { faultOf, faultOfSilence, objectIn } from '../http/faults.ts'
import { requestedPause } from '../http/retry-after.ts'
import { clientCredentials, unlessAborted } from '../http/token.ts'
import type { OperaSettings } from './connection.ts'

/** A client of the REST interfaces of one property. */
export interface OperaClient {
  /**
   * Sends one request. Resolves with the body of its answer, or with null where OPERA has nothing (204). Rejects with
   * OperaRefusal when OPERA refuses the request, and with DeviceFault for a failure.
   */
  ask(request: OperaRequest, call: OperaCall): Promise<Record<string, unknown> | null>
  /** A current access token, for the stream. Rejects with DeviceFault. */
  accessToken(signal: AbortSignal): Promise<string>
  close(): void
}

export interface OperaRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As it is published, such as `/rsv/v1/hotels/{hotelId}/reservations/{reservationId}`. */
  path: string
  /** The values of its placeholders, without the hotel. */
  ids?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  body?: Record<string, unknown>
}

export interface OperaCall {
  signal: AbortSignal
}

interface ClientOptions {
  settings: OperaSettings
  clock: Clock
  timeoutMs: number
}

/** OPERA refuses the request: a rule of the property forbids it, or it does not know a name or a code. */
export class OperaRefusal extends Error {
  status: number
  /** OPERA's code of the error, such as FOF00241; null without one. */
  code: string | null

  constructor(status: number, message: string, code: string | null = null) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
  }
}

const largest = 16 * 1024 * 1024
const largestToken = 64 * 1024
const longestSentence = 300
/** 403 is a wrong key, hotel or permission: that is no answer to the one request. */
const refusals = [400, 404, 409]

/** Sends requests to the gateway of OPERA Cloud, with a token of its own. Rejects with a `DeviceFault`. */
export function operaClient({ settings, clock, timeoutMs }: ClientOptions): OperaClient {
  const { gatewayUrl, hotelId, applicationKey, clientId, clientSecret, scope } = settings
  const base = gatewayUrl.replace(/\/+$/, '')
  const { exchange, close } = httpClient({})
  const closing = new AbortController()
  const pause = requestedPause(clock.now)
  const authentication = clientCredentials({
    clientId,
    clientSecret,
    ...(scope && { scope }),
    now: clock.now,
    post: requestToken,
  })

  /** Several callers share this request, so it has a deadline of its own. */
  async function requestToken(form: string, authorization: string): Promise<HttpAnswer> {
    const { enterpriseId } = settings
    try {
      return await exchange({
        method: 'POST',
        url: new URL(`${base}/oauth/v1/tokens`),
        headers: {
          authorization,
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
          'x-app-key': applicationKey,
          ...(enterpriseId && { enterpriseId }),
        },
        body: form,
        signal: AbortSignal.any([closing.signal, clock.timeout(timeoutMs)]),
        largest: largestToken,
        mayRepeat: true,
      })
    } catch (error) {
      throw faultOfSilence(error, { what: 'the token URL', changes: false })
    }
  }

  async function ask(request: OperaRequest, { signal }: OperaCall): Promise<Record<string, unknown> | null> {
    const { method, path, body } = request
    const changes = method !== 'GET'
    const what = `${method} ${path}`
    pause.expectOver(what)
    const send = (authorization: string | null) =>
      exchange({
        method,
        url: urlOf(base, hotelId, request),
        headers: headersOf(settings, authorization ?? '', body !== undefined),
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, closing.signal]),
        largest,
        mayRepeat: !changes,
      })
    try {
      const authorization = await unlessAborted(authentication.header(), signal)
      let answer = await send(authorization)
      if (answer.status === 401)
        answer = await send(await unlessAborted(authentication.instead(authorization), signal))
      pause.observe(answer)
      if (answer.status === 204) return null
      if (answer.status === 200 || answer.status === 201)
        return answer.body.length === 0 ? {} : objectIn(answer.body)
      throw refusals.includes(answer.status) ? refusalOf(answer, what) : faultOf(answer, { what, changes })
    } catch (error) {
      throw faultOfSilence(error, { what, changes })
    }
  }

  return {
    ask,
    accessToken: async (signal) =>
      ((await unlessAborted(authentication.header(), signal)) ?? '').replace(/^Bearer /, ''),
    close() {
      closing.abort()
      close()
    },
  }
}

function urlOf(base: string, hotelId: string, { path, ids = {}, query = {} }: OperaRequest): URL {
  const named: Record<string, string> = { hotelId, ...ids }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named[name] ?? ''))
  const url = new URL(`${base}${filled}`)
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each))
  }
  return url
}

function headersOf(
  { applicationKey, hotelId, externalSystem }: ClientOptions['settings'],
  authorization: string,
  hasBody: boolean,
): Record<string, string> {
  return {
    accept: 'application/json',
    authorization,
    'x-app-key': applicationKey,
    'x-hotelid': hotelId,
    'x-request-id': randomUUID(),
    ...(externalSystem && { 'x-externalsystem': externalSystem }),
    ...(hasBody && { 'content-type': 'application/json' }),
  }
}

function refusalOf({ status, body }: HttpAnswer, what: string): OperaRefusal {
  const { sentence, code } = reasonIn(body)
  return new OperaRefusal(status, sentence ?? `OPERA refused ${what} with ${status}.`, code)
}

interface OperaProblem {
  title?: unknown
  detail?: unknown
  'o:errorCode'?: unknown
  'o:errorDetails'?: unknown
}

/** OPERA's sentence and code: those of the first detail are the more exact ones. */
function reasonIn(body: Buffer): { sentence: string | null; code: string | null } {
  try {
    const problem = JSON.parse(body.toString()) as OperaProblem | null
    const [first] = listOf<OperaProblem>(problem?.['o:errorDetails'])
    const texts = [first?.detail, first?.title, problem?.detail, problem?.title]
    const sentence = texts.find((each) => typeof each === 'string' && each !== '') as string | undefined
    const code = first?.['o:errorCode'] ?? problem?.['o:errorCode']
    return {
      sentence: sentence ? plain(sentence) : null,
      code: typeof code === 'string' ? plain(code) : null,
    }
  } catch {
    return { sentence: null, code: null }
  }
}

/** OPERA's warnings in an answer, as one sentence; null without any. */
export function warningIn(answer: Record<string, unknown> | null): string | null {
  const warnings = listOf<{ shortText?: unknown; value?: unknown }>(answer?.warnings)
  const texts = warnings
    .map(({ shortText, value }) => shortText ?? value)
    .filter((each) => typeof each === 'string')
  return texts.length === 0 ? null : plain(texts.join(' '))
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, longestSentence)
}

/** OPERA writes some lists of one item as that item. */
export function listOf<T>(value: unknown): T[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]) as T[]
}
