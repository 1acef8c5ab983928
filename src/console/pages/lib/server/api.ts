import { language } from '../language/language.ts'
import { ApiError, type Document, documentOf, noLine, type Resource, type Shape } from './answer.ts'

export { ApiError, type Reference, type Resource } from './answer.ts'

/** The answer with its document, and its ETag for a later write. */
export interface Answered<D> extends Document<D> {
  etag: string | null
}

interface SendOptions {
  body?: unknown
  /** The ETag on which the change is based. */
  ifMatch?: string | null
  /** The idempotency key. A repeat with the same key returns the same answer and never makes a second card. */
  idempotencyKey?: string
  /** The value of Prefer, such as `respond-async`. */
  prefer?: string
  signal?: AbortSignal
  /** The answer, if the request was already sent. */
  ahead?: Promise<Response> | undefined
  /** The deadline of the answer, in milliseconds; default 15 s, and two minutes for card and device operations. */
  timeoutMs?: number
}

/** Called for each 401, and for each refusal that requires the secret again. */
let refused: (error: ApiError) => void = () => {}

/** Hears each 401, and each refusal that requires the secret again. There is one listener. */
export function onRefused(listener: (error: ApiError) => void): void {
  refused = listener
}

const mediaType = 'application/vnd.api+json'

/** The page of the kiosk has a session of its own in the same browser as the staff's session. */
const isKiosk = document.body.classList.contains('kiosk')

/** A request without a person's action, such as a refreshed list. It does not delay the lock of a station. */
const attendedMs = 20_000
let touchedAt = 0
for (const type of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(type, () => (touchedAt = performance.now()), { capture: true, passive: true })
const isUnattended = () => touchedAt === 0 || performance.now() - touchedAt > attendedMs

/** Sends a request to the box whose answer the caller does not read. Throws as `sendFor`. */
export const send = (method: string, path: string, options: SendOptions = {}) =>
  sendFor<unknown>('done', method, path, options)

/** The attributes that the caller cannot do without. An answer without them is none. */
type Needs<A> = SendOptions & { needs?: readonly (keyof A & string)[] }

/** Sends a request that is answered with one resource. Throws as `sendFor`. */
export const sendOne = <A = object>(method: string, path: string, options: Needs<A> = {}) =>
  sendFor<Resource<A>>('one', method, path, options)

/** Sends a request that is answered with one resource or none. Throws as `sendFor`. */
export const sendMaybe = <A = object>(method: string, path: string, options: Needs<A> = {}) =>
  sendFor<Resource<A> | null>('maybe', method, path, options)

/** Sends a request that is answered with a list. Throws as `sendFor`. */
export const sendList = <A = object>(method: string, path: string, options: Needs<A> = {}) =>
  sendFor<Resource<A>[]>('list', method, path, options)

/** Reads one resource. Throws as `sendFor`. */
export const getOne = <A = object>(path: string, options: Needs<A> = {}) => sendOne<A>('GET', path, options)

/** Reads one resource or none. Throws as `sendFor`. */
export const getMaybe = <A = object>(path: string, options: Needs<A> = {}) =>
  sendMaybe<A>('GET', path, options)

/** Reads a list, or a page of it. Throws as `sendFor`. */
export const getList = <A = object>(path: string, options: Needs<A> = {}) => sendList<A>('GET', path, options)

/**
 * Sends a request to the box. Throws ApiError for a refusal, for an answer that has not the shape, and without an answer before
 * the deadline; an aborted request throws the signal's reason.
 */
async function sendFor<D>(
  shape: Shape,
  method: string,
  path: string,
  {
    body,
    ifMatch,
    idempotencyKey,
    prefer,
    signal,
    ahead,
    timeoutMs = 15_000,
    needs,
  }: SendOptions & { needs?: readonly string[] },
): Promise<Answered<D>> {
  const ending = new AbortController()
  const sent =
    ahead ??
    fetch(path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, ending.signal]) : ending.signal,
      headers: {
        Accept: mediaType,
        'Accept-Language': language.value,
        ...(isKiosk && { 'X-Kiosk': 'true' }),
        ...(isUnattended() && { 'X-Unattended': 'true' }),
        ...(body !== undefined && { 'Content-Type': mediaType }),
        ...(ifMatch && { 'If-Match': ifMatch }),
        ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
        ...(prefer && { Prefer: prefer }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  try {
    const reply = await before(timeoutMs, sent.then(replyOf), ending)
    return { ...documentOf<D>(reply, shape, needs), etag: reply.headers.get('etag') }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof ApiError)) throw noLine()
    if (error.status !== 0) refused(error)
    throw error
  }
}

/** Returns what `documentOf` reads of a response. */
export async function replyOf(response: Response) {
  const { status, headers } = response
  return { status, headers, retryAfter: headers.get('retry-after'), text: await response.text() }
}

/** Rejects when the reply has not come in time, and aborts its request then. */
function before<T>(ms: number, reply: Promise<T>, ending: AbortController): Promise<T> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      ending.abort()
      fail(ending.signal.reason)
    }, ms)
    reply.then(done, fail).finally(() => clearTimeout(timer))
  })
}

/** Reads all pages of a list, at most `most` resources. `isCut` is true when the box has more. */
export async function getAll<A>(
  path: string,
  most = 500,
  signal?: AbortSignal,
): Promise<{ data: Resource<A>[]; included: Resource[]; isCut: boolean }> {
  const data: Resource<A>[] = []
  const included = new Map<string, Resource>()
  let next: string | undefined = path
  while (next !== undefined && data.length < most) {
    const page: Answered<Resource<A>[]> = await getList<A>(next, signal ? { signal } : {})
    data.push(...page.data)
    for (const each of page.included ?? []) included.set(`${each.type}/${each.id}`, each)
    next = page.links?.next
  }
  return { data, included: [...included.values()], isCut: next !== undefined }
}
