import type { Caller } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'
import { type Held, scopesHeld } from '../roles.ts'
import { wordsIn } from '../scopes.ts'

const details = {
  token: 'A token can only be made, rotated or deleted by somebody who has all its scopes',
  account: 'An account can only be changed by somebody who has all its scopes',
  right: 'A right can only be confirmed by somebody who has it',
  kiosk: 'A kiosk can only be set up by somebody who has all its scopes, such as an administrator',
}

/**
 * Refuses rights that the caller does not have: a caller can grant or manage only scopes of its own. Throws
 * scope-required.
 */
export function expectOwn({ may }: Pick<Caller, 'may'>, given: Held, what: keyof typeof details): void {
  const words = scopesHeld(given).flatMap(wordsIn)
  const scope = words.find((word) => !may(word))
  if (scope === undefined) return
  throw new Problem('scope-required', `${details[what]}; ${scope} is missing.`, { meta: { scope } })
}
