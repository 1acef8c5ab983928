import type { Reader } from '../resource/keeper.ts'
import type { Filter } from '../resource/query.ts'
import { scopesOf } from './scopes.ts'
import { type Token, token } from './token.ts'
import { digest, looksLikeToken } from './token-format.ts'

/** Whose a token is, and what it lets him do. */
export interface Holder {
  /** The token's id. */
  by: string
  role: string
  scopes: readonly string[]
  /** Unix milliseconds; null for a token without an end. */
  expiresAt: number | null
}

const mostKept = 500

/** Finds the holder of a token that a request brings; undefined for one that is not known here. */
export function holders(reader: Reader): (given: string) => Holder | undefined {
  const kept = new Map<string, Holder>()
  let version = -1

  /** A holder is kept until anything at all is written: a token that is revoked is refused from then on. */
  function holderOf(given: string): Holder | undefined {
    const current = reader.version()
    if (current !== version || kept.size > mostKept) {
      kept.clear()
      version = current
    }
    const known = kept.get(given)
    if (known) return known
    const found = looksLikeToken(given) ? lookUp(digest(given).toString('hex')) : undefined
    if (found) kept.set(given, found)
    return found
  }

  function lookUp(hash: string): Holder | undefined {
    const current = rowWith('digest', hash)
    if (current) return holder(current, current.expiresAt ?? null)
    const rotated = rowWith('previousDigest', hash)
    if (!rotated) return undefined
    const { expiresAt, previousUntil } = rotated
    return holder(rotated, Math.min(expiresAt ?? Number.POSITIVE_INFINITY, previousUntil ?? 0))
  }

  function rowWith(path: string, value: string): Token | undefined {
    const filters: Filter[] = [{ path, operator: 'eq', value }]
    return reader.rows(token, { filters, sort: [], page: { size: 1 } })[0]
  }

  return holderOf
}

function holder({ id, role, scopes }: Token, expiresAt: number | null): Holder {
  return { by: id, role, scopes: [...scopesOf(role), ...(scopes ?? [])], expiresAt }
}
