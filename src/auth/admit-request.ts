import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Guests } from '../jsonapi/guests.ts'
import { type Caller, eventStreamType, expectAdmitted, type Route } from '../jsonapi/route.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import { isFromThisMachine } from './from-this-machine.ts'
import { type Holder, holders } from './holders.ts'
import type { RateLimiter } from './limits/rate-limits.ts'
import { networkOf } from './network.ts'
import { token } from './resources/token.ts'
import { grants, holdsWhole } from './scopes.ts'
import { noSession } from './sessions/no-session.ts'
import { type OpenSession, type OpenSessions, sessionLocked } from './sessions/open-sessions.ts'
import { expectSameOrigin, isSafe } from './sessions/same-origin.ts'
import { cookieIn } from './sessions/session-cookie.ts'
import { expectRecentSecret, holderOfSession } from './sessions/session-rights.ts'
import { isAskedAgain } from './stepping-up.ts'

interface GateOptions {
  reader: Reader
  now: () => number
  limits: RateLimiter
  /** Whether the token `demo` gives the rights of an administrator to requests from this machine. */
  demo: boolean
  tenant: () => string | null
  sessions: OpenSessions
  /** The guests who have found their stays at a client. */
  guestsOf(client: string): Guests
  /** Called with the token's id for each request within its quota; not called for the token `demo`. */
  used(tokenId: string): void
  /**
   * Called for each request with a valid token or session of this property, before rate limits and scopes are checked.
   */
  letIn(message: IncomingMessage, response: ServerResponse): void
  /** Called when a kiosk searches or changes something: a guest is there. */
  conversed(): void
}

const demoRefused =
  'The token "demo" is accepted only from this machine, by its own name or address, and not through a proxy.'
const tokenRefused =
  'Whoever made this token has lost the rights that it has, so it is refused. An administrator confirms or deletes it at /setup#/system/people.'
const demoHolder: Holder = { by: 'demo', client: 'demo', role: 'admin', scopes: ['*'], expiresAt: null }

type Gate = GateOptions & { holderOf: ReturnType<typeof holders> }

/** Who sends a request; the session is null for a token. */
interface Sender {
  open: OpenSession | null
  holder: Holder
}

/** Authenticates requests by their token or by the cookie of their session, and refuses all others. */
export function gate(options: GateOptions) {
  const own: Gate = { ...options, holderOf: holders(options.reader) }
  return { enter: enter.bind(null, own), pass: pass.bind(null, own) }
}

/**
 * Authenticates a request for an operation with a scope, and sets the rate limit headers of the answer.
 * Throws unauthenticated, cross-origin, rate-limited, tenant-mismatch, session-locked, scope-required and
 * reauthentication-required.
 */
function enter(
  own: Gate,
  message: IncomingMessage,
  response: ServerResponse,
  route: Pick<Route, 'method' | 'scope' | 'quota' | 'asksAgain'>,
  requestId: string,
): Caller {
  const { sessions, limits, letIn, conversed, used } = own
  const { method, scope, quota } = route
  const { open, holder } = senderOf(own, message, response)
  letIn(message, response)
  const { client, role, scopes } = holder
  const isSearch = quota === 'search' && (role === 'kiosk' || !holdsWhole(scopes, scope ?? ''))
  limits.take(response, client, method === 'GET' ? 'read' : 'write', isSearch ? 'search' : undefined)
  // A GET other than a search is a poll by the kiosk's page. It does not show that a guest is present.
  if (role === 'kiosk' && (method !== 'GET' || isSearch)) conversed()
  const caller = callerOf(own, { open, holder }, requestId)
  if (open) {
    sessions.heard(open)
    expectUnlocked(sessions, open, message)
  } else if (client !== demoHolder.client) used(client)
  expectTenant(own, message.headers['x-tenant-id'])
  expectAdmitted(caller, route)
  return caller
}

/** Finds who sends a request. While the database cannot tell, the request counts against the address's quota `open`. */
function senderOf(own: Gate, message: IncomingMessage, response: ServerResponse): Sender {
  const { sessions, limits } = own
  try {
    const open = message.headers.authorization === undefined ? sessions.of(message) : null
    if (open && !isSafe(message.method)) expectSameOrigin(message, true)
    return { open, holder: open ? holderOfSession(open) : authenticate(own, message, response) }
  } catch (error) {
    if (!(error instanceof Problem)) limits.take(response, networkOf(message.socket.remoteAddress), 'open')
    throw error
  }
}

/**
 * A request without a valid token counts against the address's quota `auth`. A request with a valid token
 * is accepted even when that quota is used up.
 */
function authenticate(own: Gate, message: IncomingMessage, response: ServerResponse): Holder {
  const { demo, holderOf, limits, now } = own
  const { authorization = '' } = message.headers
  const [, token] = /^Bearer +([\w.~+/=-]{1,200})$/i.exec(authorization) ?? []
  const isDemo = demo && token === 'demo'
  const holder = isDemo ? isFromThisMachine(message) && demoHolder : token && holderOf(token)
  if (holder && !holder.isRefused && (holder.expiresAt === null || holder.expiresAt > now())) return holder
  const hadSession = authorization === '' && cookieIn(message, 'session') !== null
  // A page whose session has ended sends several requests at once. They count against the quota `open`, so that the
  // person can still sign in.
  limits.take(response, networkOf(message.socket.remoteAddress), hadSession ? 'open' : 'auth')
  if (hadSession) throw noSession()
  if (token === undefined) throw unauthenticated('Send Authorization: Bearer <token>.')
  if (isDemo) throw unauthenticated(demoRefused)
  if (!holder) throw unauthenticated('The token is not known to this appliance.')
  throw unauthenticated(holder.isRefused ? tokenRefused : 'The token has expired.')
}

function callerOf(own: Gate, { open, holder }: Sender, requestId: string): Caller {
  const { now, sessions, guestsOf } = own
  const { by, client, role, scopes } = holder
  const caller = { by, client, role, requestId, guests: guestsOf(client) }
  if (!open)
    return {
      ...caller,
      may: (scope) => grants(scopes, scope),
      expectRecentSecret: () => {},
      isLet: () => client === demoHolder.client || isTokenLet(own, client),
    }
  return {
    ...caller,
    may(scope) {
      if (!grants(scopes, scope)) return false
      if (isAskedAgain(scope)) expectRecentSecret(open, scope, now())
      return true
    },
    expectRecentSecret: (scope) => expectRecentSecret(open, scope, now()),
    isLet: () => sessions.isLet(open),
  }
}

function isTokenLet({ reader, now }: Gate, id: string): boolean {
  const row = reader.row(token, id)
  return row !== null && !row.refusedAt && (row.expiresAt ?? Number.POSITIVE_INFINITY) > now()
}

/**
 * Records a use of the session, unless the page sent the request without a person's action. A session that no person
 * uses is then locked at its idle limit. A page also opens its event stream without a person's action, after each
 * broken connection, and EventSource cannot set a header; the stream is therefore recognised by its Accept header.
 */
function expectUnlocked(sessions: OpenSessions, open: OpenSession, { headers }: IncomingMessage): void {
  if (sessions.isLocked(open)) throw sessionLocked()
  const isByItself = headers['x-unattended'] === 'true' || headers.accept === eventStreamType
  if (!isByItself) sessions.used(open)
}

function expectTenant({ tenant }: Gate, named: string | string[] | undefined): void {
  if (named === undefined) return
  const mine = tenant()
  if (mine === null || named === mine) return
  throw new Problem('tenant-mismatch', 'This appliance serves another tenant.', { header: 'X-Tenant-ID' })
}

/** Accepts a request that needs no token, within the quota of its address. Throws rate-limited. */
function pass(own: Gate, message: IncomingMessage, response: ServerResponse, quota?: Route['quota']): void {
  const policy = quota === 'auth' || quota === 'file' ? quota : 'open'
  own.limits.take(response, networkOf(message.socket.remoteAddress), policy)
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail, { header: 'Authorization' })
}
