import { gate } from './gate/gate.ts'
import { idempotency } from './gate/idempotency.ts'
import { type RateLimits, rateLimits } from './gate/rate-limits.ts'
import { tokenUse } from './gate/token-use.ts'
import type { Clock } from './host/clock.ts'
import type { Keeping } from './jsonapi/resource-routes.ts'
import type { Doorkeeper } from './jsonapi/server.ts'
import { keptSettings } from './reservation/kept-settings.ts'

interface Options {
  keeping: Keeping
  clock: Clock
  demo: boolean
  limits: RateLimits
  letIn: Parameters<typeof gate>[0]['letIn']
  failed(error: unknown): void
}

/** Who lets requests in: by tokens and quotas, and each request with an idempotency key once. */
export function doorkeeperOf({ keeping, clock, demo, limits, letIn, failed }: Options): Doorkeeper {
  const { reader, door } = keeping
  const { now, monotonic } = clock
  return {
    ...gate({
      reader,
      now,
      demo,
      limits: rateLimits(limits, monotonic),
      tenant: () => keptSettings(reader)?.tenantId ?? null,
      used: tokenUse({ door, now, failed }),
      letIn,
    }),
    ...idempotency({ reader, door, clock }),
  }
}
