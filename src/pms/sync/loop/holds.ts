import { DeviceFault } from '../../../devices/fault.ts'
import type { Clock, Timer } from '../../../host/clock.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Outcome } from './rounds.ts'

/** What waits on its own after a failure: a PMS that takes no events may still be asked for changes. */
export type Step = 'pull' | 'pages' | 'offer' | 'publish'

/** Steps that have failed, each until its pause is over; `over` is called then. */
export function holds(clock: Clock, over: () => void) {
  const held = new Map<Step, Timer>()
  const failures = new Map<Step, number>()
  /** The last fault of each step that has not been done since. */
  const faults = new Map<Step, string>()

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

  /** The PMS has failed in a step. */
  function failed(step: Step, fault: DeviceFault | Problem): void {
    faults.set(step, fault.message)
    hold(step, fault instanceof DeviceFault ? fault : {})
  }

  function done(step: Step, isLeft: boolean): void {
    faults.delete(step)
    if (!isLeft) failures.delete(step)
  }

  /** The line is back, or a person asks: nothing is waited for any more. */
  function release(): void {
    for (const timer of held.values()) timer.cancel()
    held.clear()
  }

  return {
    hold,
    failed,
    done,
    release,
    isHeld: (step: Step) => held.has(step),
    any: () => held.size > 0,
    faults: () => [...faults.values()],
  }
}

interface Attempt {
  /** Of the round; what becomes of this step is written into it. */
  outcome: Outcome
  held: ReturnType<typeof holds>
  isOver(): boolean
}

/**
 * Does as much of a step as there is time for, unless it is held; `work` answers whether some is left. What the PMS fails in
 * holds the step. Rejects with what keeps the house from writing, with faults of ours, and with anything once it is over.
 */
export async function attemptStep(
  name: Step,
  work: () => Promise<boolean>,
  { outcome: { faults, left }, held, isOver }: Attempt,
): Promise<void> {
  if (held.isHeld(name)) return
  try {
    const isLeft = await work()
    left[name] = isLeft
    held.done(name, isLeft)
  } catch (error) {
    if (isOver()) throw error
    if (!(error instanceof DeviceFault) && !(error instanceof Problem && error.status !== 503)) throw error
    faults[name] = error
    held.failed(name, error)
  }
}

const shortestMs = 1_000
const longestMs = 60_000

/**
 * Milliseconds to wait after so many failures in a row (from 1): twice as long each time, from 1 s to 60 s, of which the
 * second half is left to chance (`random`, 0 to 1), so that boxes that fell silent together do not come back together. Never
 * shorter than the other side asked for.
 */
export function backOffMs(failures: number, random: number, retryAfterSeconds = 0): number {
  const whole = Math.min(longestMs, 2 * shortestMs * 2 ** Math.min(failures - 1, 20))
  const chosen = Math.round(whole / 2 + (whole / 2) * random)
  return Math.max(chosen, Math.min(retryAfterSeconds, longestRetryAfter) * 1_000)
}

/** An hour: a PMS that asks for more is asked again then. */
const longestRetryAfter = 3_600
