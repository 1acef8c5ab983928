import type { DeviceFault } from '../../devices/fault.ts'
import type { Clock, Timer } from '../../host/clock.ts'
import { backOffMs } from './back-off.ts'

/** What waits by itself after a failure: a PMS that takes no events may still be asked for changes. */
export type Step = 'pull' | 'offer' | 'publish'

/** Steps that have failed, each until its pause is over; `over` is told then. */
export function holds(clock: Clock, over: () => void) {
  const held = new Map<Step, Timer>()
  const failures = new Map<Step, number>()

  /** Longer with each failure in a row. */
  function hold(step: Step, fault: Partial<Pick<DeviceFault, 'retryAfterSeconds'>>): void {
    const count = (failures.get(step) ?? 0) + 1
    failures.set(step, count)
    held.get(step)?.cancel()
    const ms = backOffMs(count, Math.random(), fault.retryAfterSeconds)
    const end = () => {
      held.delete(step)
      over()
    }
    held.set(step, clock.setTimeout(end, ms).unref())
  }

  function succeeded(step: Step): void {
    failures.delete(step)
  }

  /** The line is back, or somebody asks: nothing is waited for any more. */
  function release(): void {
    for (const timer of held.values()) timer.cancel()
    held.clear()
  }

  return { hold, succeeded, release, isHeld: (step: Step) => held.has(step), any: () => held.size > 0 }
}
