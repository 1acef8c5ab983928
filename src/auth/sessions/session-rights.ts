import { Problem } from '../../resource/problem.ts'
import type { Holder } from '../holders.ts'
import { scopesHeld, scopesOf } from '../roles.ts'
import type { OpenSession } from './open-sessions.ts'

/** A session may do what is asked again for this long after its person has entered a secret. */
export const recentMs = 300_000

/** Returns the actor of a session: the account, or the station of a kiosk. */
export function holderOfSession({ row, account, station }: OpenSession): Holder {
  const expiresAt = row.endsAt ?? null
  if (account)
    return { by: account.id, client: row.id, role: account.role, scopes: scopesHeld(account), expiresAt }
  // Sessions of one kiosk share the quotas of their station. With quotas of its own, each new session of a kiosk, which
  // needs no secret, would start with full quotas.
  const by = station?.id ?? row.id
  return { by, client: by, role: 'kiosk', scopes: scopesOf('kiosk'), expiresAt }
}

/** Throws reauthentication-required when the last secret was entered too long ago for an operation of this scope. */
export function expectRecentSecret({ row }: OpenSession, scope: string, now: number): void {
  // The clock may have been set back.
  if (Math.abs(now - (row.authenticatedAt ?? 0)) < recentMs) return
  throw new Problem(
    'reauthentication-required',
    'Enter the password or the passcode again, and then repeat the request.',
    { meta: { scope, withinSeconds: recentMs / 1_000 } },
  )
}
