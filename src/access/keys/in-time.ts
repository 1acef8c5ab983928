import { DeviceFault, type FaultCode } from '../../devices/fault.ts'
import type { Clock } from '../../host/clock.ts'
import { Problem } from '../../resource/problem.ts'
import { deviceProblem, faultBehind } from '../controllers/device-problem.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { Job, JobStep } from './job.ts'

interface Waiting {
  job: Job
  /** Whether the lock system makes the key. The error then names the lock system. */
  isByLockSystem: boolean
  /** Called when the time of a request is over before its turn came. */
  kept(): void
  clock: Clock
  failed(error: unknown): void
}

/**
 * Answers the caller within the controller's `timeoutMs`. A key that is not verified by then is not made, and its card
 * is captured. A card on its way to the gate continues, and its end is stored.
 */
export async function inTime<T>(
  done: Promise<T>,
  controller: AccessController,
  waiting: Waiting,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = waiting.clock.setTimeout(() => {
    waiting.job.giveUp()
    if (waiting.job.progress().step === 'queued') waiting.kept()
    late.reject(lateAnswer(controller, waiting))
    done.catch((error) => faultBehind(error) ?? (error instanceof Problem || waiting.failed(error)))
  }, limitOf(controller))
  try {
    return await Promise.race([done, late.promise])
  } finally {
    timer.cancel()
  }
}

function limitOf({ timeoutMs }: AccessController): number {
  return timeoutMs ?? 18_000
}

/** The Problem for a request whose time is over. */
function lateAnswer(controller: AccessController, { job, isByLockSystem }: Waiting): Problem {
  const { step, keyId } = job.progress()
  const code = (isByLockSystem && lockSystemCodes[step]) || codes[step]
  const seconds = limitOf(controller) / 1000
  const fault = new DeviceFault(code, `Controller ${controller.name} gave no answer within ${seconds} s.`)
  return deviceProblem(fault, { ...(keyId !== null && { keyId }), step })
}

/** The fault by the step that took too long. Before `writing`, no card can hold the key. */
const codes: Record<JobStep, FaultCode> = {
  queued: 'encoder-busy',
  asked: 'encoder-timeout',
  feeding: 'dispenser-timeout',
  searching: 'encoder-timeout',
  writing: 'encoder-timeout-writing',
  proving: 'encoder-timeout-writing',
  verified: 'dispenser-timeout',
  presenting: 'dispenser-timeout',
  done: 'dispenser-timeout',
}

/** The fault by the step that took too long, where the lock system writes the key. */
const lockSystemCodes: Partial<Record<JobStep, FaultCode>> = {
  queued: 'lock-system-busy',
  asked: 'lock-system-unreachable',
  searching: 'lock-system-unreachable',
  writing: 'lock-system-timeout',
  proving: 'lock-system-timeout',
}
