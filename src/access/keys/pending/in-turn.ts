import { answersSince } from '../../../resource/answers-since.ts'
import type { WriteOptions } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Access, Property, Work } from '../../access.ts'
import { foundController } from '../../controllers/device-alarms.ts'
import { isOnline } from '../../providers/lock-system-of.ts'
import { type AccessController, accessController } from '../../resources/access-controller.ts'
import { inTime } from '../in-time.ts'
import { type Job, queuedJob } from '../job.ts'

/**
 * Runs one job when the controller's queue reaches it. The caller is answered within the controller's `timeoutMs`. If
 * the same request was executed while this one waited, its answer is returned and nothing is repeated.
 */
export async function inTurn<T>(
  access: Access,
  controller: AccessController,
  options: WriteOptions,
  work: (job: Job) => Promise<T>,
): Promise<T> {
  const { lines, recovered, clock, failed } = access
  if (options.dryRun)
    throw new Problem(
      'unknown-parameter',
      'A key cannot be made with dryRun. Repeat the request without it.',
      { parameter: 'dryRun' },
    )
  const job = queuedJob()
  const isByLockSystem = isOnline(access, controller)
  const done = lines.oneByOne(controller, async () => {
    // A request may arrive before the issuances of an earlier run are recovered.
    await recovered
    job.expectAwaited()
    return answeredMeanwhile<T>(access, options) ?? (await work(job))
  })
  const kept = () => keptWaiting(access, controller)
  return inTime(done, controller, { job, isByLockSystem, kept, clock, failed })
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

/** Whether work runs or waits in the queue of this controller. */
export function isBusy({ reader, lines }: Property & Work, controllerId: string): boolean {
  const row = reader.row(accessController, controllerId)
  return row !== null && lines.isBusy(row)
}
