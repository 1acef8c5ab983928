import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Actor, IdempotencyMark } from '../resource/command.ts'
import type { WhenGone } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import type { Description } from './description.ts'
import type { Guests } from './guests.ts'

/** The authenticated caller of a request. */
export interface Caller extends Actor {
  /** The id of the token or of the session. Quotas and other state of one client use it. */
  client: string
  role: string
  /**
   * Returns whether the caller has a scope. Throws reauthentication-required for a scope that needs a recently entered
   * secret.
   */
  may(scope: string): boolean
  /** Throws reauthentication-required when the person has not entered a secret lately. Nothing for a token. */
  expectRecentSecret(scope: string): void
  /** Returns whether the client's token or session is still valid, with the same scopes. A stream checks this repeatedly. */
  isLet(): boolean
  /** The guests who have found their stays at this client. */
  guests: Guests
}

export interface Request {
  method: string
  /** Path with query, as the client sent it. */
  url: string
  params: Record<string, string>
  query: URLSearchParams
  header(name: string): string
  caller: Caller
  /** The HTTP message, for code that depends on the connection. */
  message: IncomingMessage
  remoteAddress: string
  /** Registers a listener for the client's disconnection; an answer would not reach it. */
  whenGone: WhenGone
  /** Set when the client sent an Idempotency-Key. Contains the previous answer, if there is one. */
  idempotency?: IdempotencyMark
  /**
   * Returns the parsed JSON body; undefined without one. Throws unsupported-media-type, body-too-large and
   * malformed-json.
   */
  body(): Promise<unknown>
  /** Returns the body's text unchanged, for a route that forwards it; empty without a body. */
  text(): Promise<string>
}

export interface Answer {
  status: number
  /** JSON text; absent for an empty answer. `textOf` reads it whether it is here or in `bytes`. */
  text?: string
  /** The body as bytes, for a file and for a list that was sent before; instead of a text. */
  bytes?: Buffer
  /** The body as a stream, when it is too long for a text. */
  stream?: Readable
  headers?: Record<string, string>
  /** The values of Set-Cookie. */
  cookies?: readonly string[]
  /** The media type, when it is not the JSON:API media type. */
  type?: string
  /** The content depends on more than the revision, so If-None-Match never leads to a 304. */
  describesMore?: true
}

/**
 * One operation of an interface. `scope` is required by the type checker; null means that the operation needs
 * no token.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the base, with `:name` for parameters. */
  path: string
  base: '/api/v2' | '/api/config/v1' | ''
  scope: string | null
  handle(request: Request): Promise<Answer> | Answer
  /**
   * The successor of a deprecated operation. The operation still works, and its headers name the successor.
   */
  deprecated?: string
  /** The largest body in bytes; default 128 KiB. */
  largestBody?: number
  /** Accepted media types of the body, in addition to JSON:API and plain JSON. */
  takes?: readonly string[]
  /** Media types of the answer in addition to JSON:API, for clients whose Accept header names them. */
  speaks?: readonly string[]
  /** The operation may change without a new version of the path. */
  beta?: boolean
  /** A session needs a recently entered secret. */
  asksAgain?: true
  /**
   * A quota other than the method's: a stricter one for searching guests and for authentication, and a larger one for
   * files that need no token and can be cached.
   */
  quota?: 'search' | 'auth' | 'file'
  /** The description for the OpenAPI document. */
  description: Description
}

/** Throws scope-required, naming the scope, and reauthentication-required, unless the caller may call this route. */
export function expectAdmitted(
  caller: Caller,
  { scope, asksAgain }: Pick<Route, 'scope' | 'asksAgain'>,
): void {
  if (scope === null) return
  if (!caller.may(scope))
    throw new Problem('scope-required', `The token lacks the scope ${scope}.`, { meta: { scope } })
  if (asksAgain) caller.expectRecentSecret(scope)
}

/** Returns the body of an answer; undefined for an empty one. */
export function textOf({ text, bytes }: Answer): string | undefined {
  return text ?? bytes?.toString()
}

/** Returns a function that makes a route below a base. */
export function routesAt(base: Route['base']) {
  return (
    method: Route['method'],
    path: string,
    scope: Route['scope'],
    description: Description,
    handle: Route['handle'],
  ): Route => ({ method, path, base, scope, description, handle })
}

/**
 * The limit for bodies with many items or a document: 1 MiB. Parsing more would block other requests for too
 * long.
 */
export const largeBody = 1_048_576

/** The default media type of an answer. */
export const mediaType = 'application/vnd.api+json'
/** The media type of a stream of events, which begins with the first event. */
export const eventStreamType = 'text/event-stream'
