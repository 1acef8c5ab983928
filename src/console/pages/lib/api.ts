import { language } from './language.ts'

/** A resource of a JSON:API document. `A` are its attributes. */
export interface Resource<A = object> {
  type: string
  id: string
  attributes: A
  relationships?: Record<string, { data: Reference | Reference[] | null }>
  meta?: Record<string, unknown>
}

export interface Reference {
  type: string
  id: string
}

export interface Document<D> {
  data: D
  included?: Resource[]
  links?: { next?: string; self?: string }
  meta?: Record<string, unknown>
}

/** The answer with its document, and its ETag for a later write. */
export interface Answered<D> extends Document<D> {
  etag: string | null
}

interface ErrorMember {
  code: string
  title: string
  detail: string
  source?: { pointer?: string; parameter?: string; header?: string }
  meta?: Record<string, unknown>
}

/** A refusal by the box, or a missing answer (`code` `no-line`, `status` 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly meta: Record<string, unknown>
  /** The attribute that was refused, such as `startDate`; null when no attribute was. */
  readonly field: string | null
  readonly errors: readonly ErrorMember[]
  /** The seconds before a retry; null when the box names none. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, errors: readonly ErrorMember[], retryAfter: string | null) {
    const first = errors[0] ?? { code: 'unknown', title: `HTTP ${status}`, detail: `HTTP ${status}` }
    super(first.detail)
    this.status = status
    this.code = first.code
    this.title = first.title
    this.meta = first.meta ?? {}
    this.field = /\/([^/]+)$/.exec(first.source?.pointer ?? '')?.[1] ?? null
    this.errors = errors
    const wait = this.meta.retryAfterSeconds ?? (retryAfter && Number(retryAfter))
    this.retryAfterSeconds = typeof wait === 'number' && Number.isFinite(wait) ? wait : null
  }
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

/** Sends a request to the box. Throws ApiError; an aborted request throws the signal's reason. */
export async function send<D = unknown>(
  method: string,
  path: string,
  { body, ifMatch, idempotencyKey, prefer, signal, ahead, timeoutMs = 15_000 }: SendOptions = {},
): Promise<Answered<D>> {
  const deadline = AbortSignal.timeout(timeoutMs)
  const sent =
    ahead ??
    fetch(path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
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
  const response = await sent.catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw noLine()
  })
  const text = await response.text().catch(() => {
    throw noLine()
  })
  if (response.ok) {
    const document = text === '' ? { data: null } : JSON.parse(text)
    return { ...document, etag: response.headers.get('etag') }
  }
  const error = new ApiError(response.status, errorsIn(text), response.headers.get('retry-after'))
  refused(error)
  throw error
}

export const get = <D>(path: string, options: SendOptions = {}) => send<D>('GET', path, options)

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
    const page: Answered<Resource<A>[]> = await get<Resource<A>[]>(next, signal ? { signal } : {})
    data.push(...page.data)
    for (const each of page.included ?? []) included.set(`${each.type}/${each.id}`, each)
    next = page.links?.next
  }
  return { data, included: [...included.values()], isCut: next !== undefined }
}

function noLine(): ApiError {
  return new ApiError(0, [{ code: 'no-line', title: 'No line', detail: 'The box does not answer.' }], null)
}

function errorsIn(text: string): ErrorMember[] {
  try {
    return (JSON.parse(text) as { errors?: ErrorMember[] }).errors ?? []
  } catch {
    return []
  }
}
