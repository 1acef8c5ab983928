import { gate } from '../auth/admit-request.ts'
import { GuestProofs } from '../auth/guest-proofs.ts'
import { idempotency } from '../auth/idempotency.ts'
import { type RateLimits, rateLimits } from '../auth/limits/rate-limits.ts'
import type { OpenSessions } from '../auth/sessions/open-sessions.ts'
import { tokenUse } from '../auth/tokens/token-use.ts'
import type { Clock } from '../host/clock.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import type { Doorkeeper } from '../jsonapi/server/server.ts'
import { isReleased } from '../reservation/hand-over/release.ts'
import { cachedSettings } from '../reservation/resources/house.ts'

interface Options {
  store: Store
  clock: Clock
  demo: boolean
  limits: RateLimits
  sessions: OpenSessions
  letIn: Parameters<typeof gate>[0]['letIn']
  conversed(): void
  failed(error: unknown): void
}

/** Creates the authentication of requests: tokens, quotas, and idempotency keys. */
export function doorkeeperOf({
  store,
  clock,
  demo,
  limits,
  sessions,
  letIn,
  conversed,
  failed,
}: Options): Doorkeeper {
  const { reader, writer } = store
  const { now, monotonic } = clock
  const proofs = new GuestProofs({
    reader,
    writer,
    now,
    isReleased: (stayId) => isReleased(reader, stayId, now()),
    failed,
  })
  return {
    ...gate({
      reader,
      now,
      demo,
      limits: rateLimits(limits, monotonic),
      tenant: () => cachedSettings(reader)?.tenantId ?? null,
      sessions,
      guestsOf: (client) => proofs.at(client),
      used: tokenUse({ writer, now, failed }),
      letIn,
      conversed,
    }),
    ...idempotency({ reader, writer, clock }),
  }
}
