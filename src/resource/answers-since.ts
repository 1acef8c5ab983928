import type { Clock } from '../host/clock.ts'

const day = 86_400_000

/**
 * The moment since which an answer to an idempotency key counts, Unix milliseconds: a day ago; while the clock is in doubt, or has
 * just made a long step, any that is still there does. Otherwise what was done before the step would be done again.
 */
export function answersSince(clock: Pick<Clock, 'now' | 'mayForget'>): number {
  return clock.mayForget() ? clock.now() - day : 0
}
