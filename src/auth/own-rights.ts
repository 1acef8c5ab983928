import type { Caller } from '../jsonapi/route.ts'
import { Problem } from '../resource/problem.ts'
import { type Role, scopesOf, wordsIn } from './scopes.ts'

/** The rights that a token or an account is given. */
interface Given {
  role: Role
  scopes?: string[] | null
}

/** A caller may only give, or handle, rights that the caller has. `what` is `token` or `account`. Throws scope-required. */
export function expectOwn({ may }: Caller, { role, scopes }: Given, what: string): void {
  const words = [...scopesOf(role), ...(scopes ?? [])].flatMap(wordsIn)
  const scope = words.find((word) => !may(word))
  if (scope === undefined) return
  const detail =
    what === 'token'
      ? `A token can only be given scopes that the requesting token has; that one lacks ${scope}.`
      : `An account can only be changed by somebody who has all its scopes; ${scope} is missing.`
  throw new Problem('scope-required', detail, { meta: { scope } })
}
