import type { LockCall } from '../../devices/lock-system.ts'
import type { Clock } from '../../host/clock.ts'
import type { AccessController } from '../resources/access-controller.ts'

/** How long a lock system is waited for, so that the answer to its caller still leaves in time. */
export function lockCall(
  clock: Clock,
  { timeoutMs }: Pick<Partial<AccessController>, 'timeoutMs'>,
): LockCall {
  const limit = Math.max(400, (timeoutMs ?? 18_000) - 1_000)
  return { signal: clock.timeout(limit + 500), timeoutMs: limit }
}
