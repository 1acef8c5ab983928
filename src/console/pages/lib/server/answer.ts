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

/** A JSON:API document with its primary data `D`. */
export interface Document<D> {
  data: D
  included?: Resource[]
  links?: { next?: string; self?: string }
  meta?: Record<string, unknown>
}

interface ErrorMember {
  code: string
  title: string
  detail: string
  source?: { pointer?: string; parameter?: string; header?: string }
  meta?: Record<string, unknown>
}

/**
 * A refusal by the box, or a missing answer (`status` 0): `code` is `no-line` when no answer came, and `bad-answer` when what
 * came is not an answer of the box, such as the HTML of a proxy. Whether the box did what was asked is unknown then.
 */
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

  constructor(status: number, errors: readonly [ErrorMember, ...ErrorMember[]], retryAfter: string | null) {
    const [first] = errors
    super(first.detail ?? first.code)
    this.status = status
    this.code = first.code
    this.title = first.title ?? first.code
    this.meta = isObject(first.meta) ? first.meta : {}
    this.field = /\/([^/]+)$/.exec(String(first.source?.pointer))?.[1] ?? null
    this.errors = errors
    const wait = this.meta.retryAfterSeconds ?? (retryAfter && Number(retryAfter))
    this.retryAfterSeconds = typeof wait === 'number' && wait >= 0 && wait < 3_600 ? wait : null
  }
}

const unanswered = (code: string, title: string, detail: string) =>
  new ApiError(0, [{ code, title, detail }], null)

/** No answer came in time. */
export const noLine = () => unanswered('no-line', 'No line', 'The box does not answer.')

/** What came is not an answer of the box. */
export const badAnswer = () => unanswered('bad-answer', 'Unreadable answer', 'The answer cannot be read.')

/**
 * Returns a failure as an ApiError. Any other failure of work that reads answers is a defect of the page, or comes from an
 * answer that it does not expect: it is written to the console of the browser, and is a bad answer for a person.
 */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  console.error(error)
  return badAnswer()
}

/** What an answer has as its `data`: a resource, a resource or null, or a list. `done`: the caller reads no resource. */
export type Shape = 'one' | 'maybe' | 'list' | 'done'

interface Reply {
  status: number
  text: string
  /** The header Retry-After. */
  retryAfter: string | null
}

/**
 * Returns the document of a reply of the box. `needs` are the attributes without which the caller cannot use a resource.
 * Throws ApiError: the refusal of the box, or `bad-answer` for a reply that has not the shape.
 */
export function documentOf<D>(
  { status, text, retryAfter }: Reply,
  shape: Shape,
  needs: readonly string[] = [],
): Document<D> {
  if (status === 204 && (shape === 'done' || shape === 'maybe')) return { data: null as D }
  const document = parsed(text)
  if (!isObject(document)) throw badAnswer()
  if (status < 200 || status > 299) {
    const { errors } = document
    throw isErrors(errors) ? new ApiError(status, errors, retryAfter) : badAnswer()
  }
  const { data, included = [], meta = {}, links = {} } = document
  const isUsable = (each: unknown) =>
    isResource(each) &&
    needs.every((name) => (each.attributes as Record<string, unknown>)[name] !== undefined)
  const fits = {
    one: () => isUsable(data),
    maybe: () => data === null || isUsable(data),
    list: () => isArrayOf(data, isUsable),
    done: () => 'data' in document || 'meta' in document,
  }[shape]
  if (!fits() || !isArrayOf(included, isResource) || !isObject(meta) || !isObject(links)) throw badAnswer()
  return document as unknown as Document<D>
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isArrayOf = (value: unknown, isOne: (each: unknown) => boolean) =>
  Array.isArray(value) && value.every(isOne)

const isResource = (value: unknown): value is Resource =>
  isObject(value) && typeof value.id === 'string' && isObject(value.attributes)

const isErrors = (value: unknown): value is [ErrorMember, ...ErrorMember[]] =>
  isArrayOf(value, (each) => isObject(each) && typeof each.code === 'string') &&
  (value as unknown[]).length > 0
