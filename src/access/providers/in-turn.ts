import { DeviceFault } from '../../devices/fault.ts'
import { refuseDryRun } from '../../jsonapi/write-options.ts'
import { answersSince } from '../../resource/answers-since.ts'
import type { WriteOptions } from '../../resource/command.ts'
import type { Problem } from '../../resource/problem.ts'
import type { Access, Property, Work } from '../access.ts'
import { foundController } from '../handles/device-alarms.ts'
import { deviceProblem } from '../handles/device-problem.ts'
import { type Job, jobSteps, queuedJob } from '../keys/orders/job.ts'
import { type AccessController, accessController } from '../resources/access-controller.ts'
import { isOnline } from './lock-system-of.ts'
import { isAnswer } from './pauses.ts'

const defaultTimeoutMs = 18_000

/**
 * Runs one job when the controller's queue reaches it. If the same request was executed while this one waited, its
 * answer is returned and nothing is repeated. The caller is answered within the controller's `timeoutMs`. A key that is
 * not verified by then is not made, and its card is captured. A card on its way to the gate continues, and its end is
 * stored.
 */
export async function inTurn<T>(
  access: Access,
  controller: AccessController,
  options: WriteOptions,
  work: (job: Job) => Promise<T>,
): Promise<T> {
  const { lines, recovered, clock, failed } = access
  refuseDryRun(options, 'A key cannot be made with dryRun. Repeat the request without it.')
  const job = queuedJob()
  const isByLockSystem = isOnline(access, controller)
  const done = lines.oneByOne(controller, async () => {
    // A request may arrive before the issuances of an earlier run are recovered.
    await recovered
    job.expectAwaited()
    return answeredMeanwhile<T>(access, options) ?? (await work(job))
  })
  const late = Promise.withResolvers<never>()
  const timer = clock.setTimeout(() => {
    job.giveUp()
    if (job.progress().step === 'queued') keptWaiting(access, controller)
    late.reject(lateAnswer(controller, job, isByLockSystem))
    done.catch((error) => isAnswer(error) || failed(error))
  }, controller.timeoutMs ?? defaultTimeoutMs)
  try {
    return await Promise.race([done, late.promise])
  } finally {
    timer.cancel()
  }
}

/** The answer to the same request, if it was executed while this one waited; null otherwise. */
function answeredMeanwhile<T>({ reader, clock }: Property, { idempotency }: WriteOptions): T | null {
  const before = idempotency ? reader.answered(idempotency.key, answersSince(clock)) : null
  return before?.fingerprint === idempotency?.fingerprint ? ((before?.output ?? null) as T | null) : null
}

/** Records that a request's time ended while it waited in the queue. */
function keptWaiting({ writer, failed }: Property, { id }: AccessController): void {
  const input = { controllerId: id, found: { busy: true } }
  writer.execute(foundController, input, { actor: { by: 'device-watch', requestId: null } }).catch(failed)
}

/** The Problem for a request whose time is over. `isByLockSystem`: the lock system makes the key. */
function lateAnswer({ name, timeoutMs }: AccessController, job: Job, isByLockSystem: boolean): Problem {
  const { step, keyId } = job.progress()
  const [atMachine, atLockSystem] = jobSteps[step]
  const seconds = (timeoutMs ?? defaultTimeoutMs) / 1000
  const detail = `Controller ${name} gave no answer within ${seconds} s.`
  const fault = new DeviceFault(isByLockSystem ? atLockSystem : atMachine, detail)
  return deviceProblem(fault, { ...(keyId !== null && { keyId }), step })
}

/** Whether work runs or waits in the queue of this controller. */
export function isBusy({ reader, lines }: Property & Work, controllerId: string): boolean {
  const row = reader.row(accessController, controllerId)
  return row !== null && lines.isBusy(row)
}
