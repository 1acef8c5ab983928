import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller, Route } from '../jsonapi/route.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import { isFromThisMachine } from './from-this-machine.ts'
import { type Holder, holders } from './holders.ts'
import { networkOf } from './network.ts'
import type { RateLimiter } from './rate-limits.ts'
import { grants, holdsWhole } from './scopes.ts'

interface GateOptions {
  reader: Reader
  now: () => number
  limits: RateLimiter
  /** Whether the token `demo` gives the rights of an administrator to requests from this machine. */
  demo: boolean
  tenant: () => string | null
  /** Called with the token's id when a request is within its quota; not for the token `demo`. */
  used(tokenId: string): void
  /**
   * Called for each request with a valid token of this property, before rate limits and scopes are checked.
   */
  letIn(message: IncomingMessage, response: ServerResponse): void
}

const demoRefused =
  'The token "demo" is accepted only from this machine, by its own name or address, and not through a proxy.'
const demoHolder: Holder = { by: 'demo', role: 'admin', scopes: ['*'], expiresAt: null }

/** Authenticates requests by their token, and refuses all others. */
export function gate({ reader, now, limits, demo, tenant, used, letIn }: GateOptions) {
  const holderOf = holders(reader)

  /**
   * Authenticates a request for an operation with a scope, and sets the rate limit headers of the answer.
   * Throws unauthenticated, rate-limited, tenant-mismatch and scope-required.
   */
  function enter(
    message: IncomingMessage,
    response: ServerResponse,
    { method, scope, quota }: Pick<Route, 'method' | 'scope' | 'quota'>,
    requestId: string,
  ): Caller {
    const { by, role, scopes } = authenticate(message, response)
    letIn(message, response)
    const caller: Caller = { by, role, requestId, may: (scope) => grants(scopes, scope) }
    const isSearch = quota === 'search' && (role === 'kiosk' || !holdsWhole(scopes, scope ?? ''))
    limits.take(response, by, method === 'GET' ? 'read' : 'write', isSearch ? 'search' : undefined)
    if (by !== demoHolder.by) used(by)
    expectTenant(message.headers['x-tenant-id'])
    if (scope !== null) admit(caller, scope)
    return caller
  }

  /**
   * A request without a valid token counts against the address's quota `auth`. A request with a valid token
   * is accepted even when that quota is used up.
   */
  function authenticate(message: IncomingMessage, response: ServerResponse): Holder {
    const { authorization = '' } = message.headers
    const [, token] = /^Bearer +([\w.~+/=-]{1,200})$/i.exec(authorization) ?? []
    const isDemo = demo && token === 'demo'
    const holder = isDemo ? isFromThisMachine(message) && demoHolder : token && holderOf(token)
    if (holder && (holder.expiresAt === null || holder.expiresAt > now())) return holder
    limits.take(response, networkOf(message.socket.remoteAddress), 'auth')
    if (token === undefined) throw unauthenticated('Send Authorization: Bearer <token>.')
    if (isDemo) throw unauthenticated(demoRefused)
    throw unauthenticated(holder ? 'The token has expired.' : 'The token is not known to this appliance.')
  }

  function expectTenant(named: string | string[] | undefined): void {
    if (named === undefined) return
    const mine = tenant()
    if (mine === null || named === mine) return
    throw new Problem('tenant-mismatch', 'This appliance serves another tenant.', { header: 'X-Tenant-ID' })
  }

  /** Accepts a request that needs no token, within the quota of its address. Throws rate-limited. */
  function pass(message: IncomingMessage, response: ServerResponse, quota?: Route['quota']): void {
    const policy = quota === 'auth' || quota === 'file' ? quota : 'open'
    limits.take(response, networkOf(message.socket.remoteAddress), policy)
  }

  return { enter, pass }
}

/** Throws scope-required, naming the scope. */
function admit(caller: Caller, scope: string): void {
  if (caller.may(scope)) return
  throw new Problem('scope-required', `The token lacks the scope ${scope}.`, { meta: { scope } })
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail, { header: 'Authorization' })
}
