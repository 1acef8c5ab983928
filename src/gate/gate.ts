import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Caller } from '../jsonapi/route.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import { grants, scopesOf } from './scopes.ts'
import { token } from './token.ts'
import { digest, looksLikeToken } from './token-format.ts'

export interface GateOptions {
  reader: Reader
  now: () => number
  /** The token `demo` is an administrator for whoever asks from this machine. */
  demo: boolean
  tenant: () => string | null
}

interface Holder {
  by: string
  role: string
  scopes: readonly string[]
  expiresAt: number | null
}

const mostKept = 500
const demoHolder: Holder = { by: 'demo', role: 'admin', scopes: ['*'], expiresAt: null }

/** Tells who is asking, by the token, and refuses everyone else. */
export function gate({ reader, now, demo, tenant }: GateOptions) {
  const kept = new Map<string, Holder>()
  let version = -1

  /** Throws unauthenticated or tenant-mismatch. */
  function enter(message: IncomingMessage, requestId: string): Caller {
    const { authorization = '', 'x-tenant-id': asked } = message.headers
    const [, given] = /^Bearer +([\w.~+/=-]{1,200})$/i.exec(authorization) ?? []
    if (given === undefined) throw unauthenticated('Send Authorization: Bearer <token>.')
    const holder =
      demo && given === 'demo' && isLoopback(message.socket.remoteAddress) ? demoHolder : holderOf(given)
    if (!holder) throw unauthenticated('The token is not known here.')
    if (holder.expiresAt !== null && holder.expiresAt <= now())
      throw unauthenticated('The token has expired.')
    const mine = tenant()
    if (asked !== undefined && mine !== null && asked !== mine) {
      throw new Problem('tenant-mismatch', 'This appliance serves another tenant.', { header: 'X-Tenant-ID' })
    }
    const { by, role, scopes } = holder
    return { by, role, requestId, may: (scope) => grants(scopes, scope) }
  }

  /** A holder is kept until anything at all is written: a token that is revoked is refused from then on. */
  function holderOf(given: string): Holder | undefined {
    const current = reader.version()
    if (current !== version || kept.size > mostKept) {
      kept.clear()
      version = current
    }
    const known = kept.get(given)
    if (known) return known
    const found = lookUp(given)
    if (found) kept.set(given, found)
    return found
  }

  function lookUp(given: string): Holder | undefined {
    if (!looksLikeToken(given)) return undefined
    const filters = [{ path: 'digest', operator: 'eq' as const, value: digest(given).toString('hex') }]
    const [row] = reader.rows(token, { filters, sort: [], page: { size: 1 } })
    if (!row) return undefined
    return {
      by: row.id,
      role: row.role,
      scopes: [...scopesOf(row.role), ...(row.scopes ?? [])],
      expiresAt: row.expiresAt ?? null,
    }
  }

  return { enter, admit }
}

/** Throws scope-required, naming the scope. */
export function admit(caller: Caller, scope: string): void {
  if (caller.may(scope)) return
  throw new Problem('scope-required', `This needs the scope ${scope}.`, { meta: { scope } })
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail, { header: 'Authorization' })
}

/** Whether an address is this machine's own. */
export function isLoopback(address = ''): boolean {
  const plain = address.replace(/^::ffff:/, '')
  return plain === '::1' || plain === 'localhost' || (isIP(plain) === 4 && plain.startsWith('127.'))
}
