import { answersSince } from '../../../resource/answers-since.ts'
import type { WriteOptions } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Access, Property, Work } from '../../access.ts'
import { foundController } from '../../controllers/controller-alarms.ts'
import { isOnline } from '../../providers/lock-system-of.ts'
import { type AccessController, accessController } from '../../resources/access-controller.ts'
import { inTime } from '../in-time.ts'
import { type Job, queuedJob } from '../job.ts'

/**
 * One piece of work at a controller, when its turn comes, for a caller who is answered within the controller's `timeoutMs`.
 * A request that was carried out while this one waited is not carried out again: its answer is given.
 */
export async function inTurn<T>(
  access: Access,
  controller: AccessController,
  options: WriteOptions,
  work: (job: Job) => Promise<T>,
): Promise<T> {
  const { lines, recovered, clock, failed } = access
  if (options.dryRun)
    throw new Problem('unknown-parameter', 'A key cannot be made on trial.', { parameter: 'dryRun' })
  const job = queuedJob()
  const isByLockSystem = isOnline(access, controller)
  const done = lines.oneByOne(controller, async () => {
    // Requests may arrive before what an earlier run left open is recovered.
    await recovered
    job.expectAwaited()
    return answeredMeanwhile<T>(access, options) ?? (await work(job))
  })
  const kept = () => keptWaiting(access, controller)
  return inTime(done, controller, { job, isByLockSystem, kept, clock, failed })
}

/** The same request may have been carried out while this one waited for its turn. */
function answeredMeanwhile<T>({ reader, clock }: Property, { idempotency }: WriteOptions): T | null {
  const before = idempotency ? reader.answered(idempotency.key, answersSince(clock)) : null
  return before?.fingerprint === idempotency?.fingerprint ? ((before?.output ?? null) as T | null) : null
}

/** Somebody waited for his turn until his time was over. */
function keptWaiting({ writer, failed }: Property, { id }: AccessController): void {
  const input = { controllerId: id, found: { busy: true } }
  writer.execute(foundController, input, { actor: { by: 'device-watch', requestId: null } }).catch(failed)
}

/** Whether somebody is at work, or waits, where this controller's turn would come. */
export function isBusy({ reader, lines }: Property & Work, controllerId: string): boolean {
  const row = reader.row(accessController, controllerId)
  return row !== null && lines.isBusy(row)
}
