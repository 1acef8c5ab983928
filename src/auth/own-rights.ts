import type { Caller } from '../jsonapi/route.ts'
import { Problem } from '../resource/problem.ts'
import { type Role, scopesOf } from './roles.ts'
import { wordsIn } from './scopes.ts'

/** The rights that a token or an account is given. */
interface Given {
  role: Role
  scopes?: string[] | null
}

/**
 * Refuses rights that the caller does not have: a caller can grant or manage only scopes of its own. `what` is `token`
 * or `account`. Throws scope-required.
 */
export function expectOwn({ may }: Caller, { role, scopes }: Given, what: string): void {
  const words = [...scopesOf(role), ...(scopes ?? [])].flatMap(wordsIn)
  const scope = words.find((word) => !may(word))
  if (scope === undefined) return
  const detail =
    what === 'token'
      ? `A token can only be made, rotated or deleted by somebody who has all its scopes; ${scope} is missing.`
      : `An account can only be changed by somebody who has all its scopes; ${scope} is missing.`
  throw new Problem('scope-required', detail, { meta: { scope } })
}
