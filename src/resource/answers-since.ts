import type { Clock } from '../host/clock.ts'

const dayMs = 86_400_000

/** For this many days, the answer to an idempotency key is kept, and a cursor to a deleted row stays valid. */
export const daysKept = 1

/** `daysKept` in milliseconds. */
export const keptMs = daysKept * dayMs

/**
 * Returns the time since which stored answers to idempotency keys are valid, Unix milliseconds: 24 hours ago.
 * While the clock is in doubt, or shortly after a long step, it returns 0: every stored answer is valid.
 * Otherwise a step of the clock would make the appliance repeat a request.
 */
export function answersSince(clock: Pick<Clock, 'now' | 'mayForget'>): number {
  return clock.mayForget() ? clock.now() - keptMs : 0
}
