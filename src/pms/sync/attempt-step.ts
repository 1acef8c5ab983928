import { DeviceFault } from '../../devices/fault.ts'
import { Problem } from '../../resource/problem.ts'
import type { Outcome } from './errand-queue.ts'
import type { holds, Step } from './holds.ts'

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
    left[name] = await work()
    if (!left[name]) held.succeeded(name)
  } catch (error) {
    if (isOver()) throw error
    if (!(error instanceof DeviceFault) && !(error instanceof Problem && error.status !== 503)) throw error
    faults[name] = error
    held.hold(name, error instanceof DeviceFault ? error : {})
  }
}
