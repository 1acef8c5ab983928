import type { Reader } from '../resource/keeper.ts'
import type { Filter } from '../resource/query.ts'
import { scopesOf } from './scopes.ts'
import { type Token, token } from './token.ts'
import { digest, looksLikeToken } from './token-format.ts'

/** The owner of a token or a session, and its rights. */
export interface Holder {
  /** The id of the token or the account, for the journal. */
  by: string
  /** The id of the token or the session, for its quotas. */
  client: string
  role: string
  scopes: readonly string[]
  /** Unix milliseconds; null for a token that does not expire. */
  expiresAt: number | null
}

const mostKept = 500

/** Returns a function that finds the holder of a token; it returns undefined for an unknown token. */
export function holders(reader: Reader): (token: string) => Holder | undefined {
  const kept = new Map<string, Holder>()
  let version = -1

  /** The cache is emptied by any write, so a revoked token is refused at once. */
  function holderOf(token: string): Holder | undefined {
    const current = reader.version()
    if (current !== version || kept.size > mostKept) {
      kept.clear()
      version = current
    }
    const known = kept.get(token)
    if (known) return known
    const found = looksLikeToken(token) ? lookUp(digest(token).toString('hex')) : undefined
    if (found) kept.set(token, found)
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
  return { by: id, client: id, role, scopes: [...scopesOf(role), ...(scopes ?? [])], expiresAt }
}
