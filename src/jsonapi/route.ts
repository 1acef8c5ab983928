import type { Readable } from 'node:stream'
import type { Actor, IdempotencyMark } from '../resource/change.ts'
import type { WhenGone } from '../resource/keeper.ts'
import type { Description } from './description.ts'

/** Who is asking, as far as the gate knows. */
export interface Caller extends Actor {
  role: string
  may(scope: string): boolean
}

export interface Request {
  method: string
  /** Path with query, as the client sent it. */
  url: string
  params: Record<string, string>
  query: URLSearchParams
  header(name: string): string
  caller: Caller
  remoteAddress: string
  /** Tells of a client that hangs up: an answer would go nowhere. */
  whenGone: WhenGone
  /** Set when the client sent an Idempotency-Key; it says what was answered to it before, if anything was. */
  idempotency?: IdempotencyMark
  /** The JSON of the body; throws unsupported-media-type, body-too-large and malformed-json. Undefined without one. */
  body(): Promise<unknown>
  /** The same as it was sent, for whoever passes it on; empty without one. */
  text(): Promise<string>
}

export interface Answer {
  status: number
  /** JSON text; absent for 204. */
  text?: string
  /** Instead of a text what is too long for one. */
  stream?: Readable
  headers?: Record<string, string>
  /** The media type, when it is not that of JSON:API. */
  type?: string
  /** It says more than its revision does: who has seen the revision is answered in full. */
  saysMore?: true
}

/** One operation of an interface. Without a scope it does not type-check: null is for what the world may ask. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base, with `:name` for parameters. */
  path: string
  base: '/api/v2' | '/api/config/v1' | ''
  scope: string | null
  handle(request: Request): Promise<Answer> | Answer
  /** What replaces it; such an operation still answers, and says so in its headers. */
  deprecated?: string
  /** The most bytes of a body; 128 KiB unless said otherwise. */
  largestBody?: number
  /** Media types of a body that it takes besides that of JSON:API and plain JSON. */
  takes?: readonly string[]
  /** Media types that it answers in besides that of JSON:API, for who accepts nothing else. */
  speaks?: readonly string[]
  /** May change without a new version of the path. */
  beta?: boolean
  /** A narrower quota than that of its method: for looking for people, or for showing who one is. */
  quota?: 'search' | 'auth'
  /** What the OpenAPI document says of it. */
  description: Description
}

/** Of what holds many things, or a document: a megabyte is as long to read as the box can be kept from others. */
export const largeBody = 1_048_576

/** What is spoken unless an answer says otherwise. */
export const mediaType = 'application/vnd.api+json'

/** The mark of a revision, as a strong entity tag. */
export function etag(revision: number): string {
  return `"${revision}"`
}

export const noContent = (revision?: number): Answer =>
  revision === undefined ? { status: 204 } : { status: 204, headers: { ETag: etag(revision) } }
