import type { Message } from '../jsonapi/locales/message.ts'
import type { Slots } from './rauc.ts'
import { type Ended, type Job, type Said, type Step, steps } from './update-state.ts'

/** The largest number of starts of the program during one update. */
const mostStarts = 3

/** The state of RAUC and the machine at a start of the program. */
interface Found {
  slots: Slots
  bootId: string
  /** The reason why the system ended the trial; null when it gave none. */
  reasonOfSystem: string | null
}

/**
 * How an update continues after a start: with its job, or with its result and the reason. `isDisarmed`: the trial has to be
 * armed again.
 */
type Onward =
  | { job: Job; isDisarmed?: true }
  | { result: Ended['result']; reason: readonly (Message | Said)[] }

/** Decides how an update continues after a start of the program or of the box. */
export function afterStart(job: Job, { slots, bootId, reasonOfSystem }: Found): Onward {
  const isTrial = slots.booted !== slots.primary
  const hasRestarted = job.bootId !== bootId
  if (isBefore(job.step, 'installed')) {
    // RAUC completed the installation while this program was off, and then the box was restarted.
    if (hasRestarted && isTrial) return { job: { ...job, step: 'trial', slot: slots.booted, bootId } }
    if (job.starts >= mostStarts)
      return { result: 'failed', reason: [{ code: 'update-interrupted', values: { count: job.starts } }] }
    return { job: { ...job, starts: job.starts + 1, bootId } }
  }
  if (!hasRestarted && job.step !== 'trial') return { job }
  // The power failed while the box waited for the restart. A Raspberry Pi forgets then that a trial was due.
  const hasWaited = job.step === 'installed' && reasonOfSystem === null
  if (hasWaited && slots.booted !== job.slot && !isTrial) return { job: { ...job, bootId }, isDisarmed: true }
  if (slots.booted !== job.slot) return { result: 'rolled-back', reason: reasonOf(job, reasonOfSystem) }
  // The slot is already confirmed. The power failed before the program stored that.
  return isTrial ? { job: { ...job, step: 'trial', bootId } } : { result: 'confirmed', reason: [] }
}

/** Whether a step comes before another one. */
export function isBefore(step: Step, other: Step): boolean {
  return steps.indexOf(step) < steps.indexOf(other)
}

function reasonOf({ missing }: Job, reasonOfSystem: string | null): readonly (Message | Said)[] {
  const bySystem: Message[] =
    reasonOfSystem === null ? [] : [{ code: 'update-trial-ended', values: { detail: reasonOfSystem } }]
  const all = [...missing, ...bySystem]
  return all.length > 0 ? all : [{ code: 'update-trial-start' }]
}
