import type { Request } from '../../../jsonapi/route.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Confirmation } from '../orders/key-order.ts'

/** A program that confirms need not state why. A person must. */
const notStated = 'not stated'

/**
 * The caller's confirmation: `meta.confirm` is true, and `meta.reason` says why. Null without it, and for a kiosk, which
 * confirms nothing. Throws validation-failed for a reason that is no text of 3 to 200 characters, and for a person who
 * states none; and reauthentication-required.
 */
export async function confirmationOf({ caller, header, body }: Request): Promise<Confirmation | null> {
  const { meta } = ((await body()) ?? {}) as { meta?: { confirm?: unknown; reason?: unknown } }
  if (meta?.confirm !== true || !caller.may('keys.issue')) return null
  const mayOverride = caller.may('keys.override')
  // Only the session of a person comes without a token.
  const { reason = header('authorization') === '' ? null : notStated } = meta
  if (typeof reason === 'string' && /^[^\p{Cc}\p{Cs}]{3,200}$/u.test(reason)) return { reason, mayOverride }
  throw new Problem('validation-failed', 'meta.reason has 3 to 200 characters.', {
    place: '/meta/reason',
  })
}
