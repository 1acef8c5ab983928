import type { LockCall } from '../../devices/lock-system.ts'
import type { Clock } from '../../host/clock.ts'
import type { AccessController } from '../resources/access-controller.ts'

/**
 * The time limit of a request to a lock system: the controller's timeout less 1 s, at least 400 ms, so that the answer
 * to the caller is in time.
 */
export function lockCall(
  clock: Clock,
  { timeoutMs }: Pick<Partial<AccessController>, 'timeoutMs'>,
): LockCall {
  const limit = Math.max(400, (timeoutMs ?? 18_000) - 1_000)
  return { signal: clock.timeout(limit + 500), timeoutMs: limit }
}
