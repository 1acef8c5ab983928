import { Worker } from 'node:worker_threads'
import type { Clock } from '../../host/clock.ts'
import { BackupRefused } from '../backup-refused.ts'
import type { FromSegmentThread } from './segment-thread.ts'
import type { SegmentTask } from './send-segment.ts'

/** The longest time for one segment. A stick that hangs must not delay the other media. */
const longestMs = 60_000

/**
 * Sends a segment in a thread of its own: a stick may hang, and the encryption takes 30 ms of a small board. `entry` is the program
 * itself. Rejects with BackupRefused, and with the signal's reason.
 */
export async function segmentInThread(
  task: SegmentTask,
  { entry, clock, signal }: { entry: URL; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const worker = new Worker(entry, { workerData: { runs: 'segment', task } })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  worker.on('message', (message: FromSegmentThread) => {
    if (message === 'sent') resolve()
    else if ('refused' in message) reject(new BackupRefused(message.refused))
    else reject(new Error(`in the thread of a segment: ${message.fault}`))
  })
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the segment thread ended unexpectedly')))
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const late = clock.setTimeout(() => reject(silent(task.place.name)), longestMs)
  try {
    await promise
  } finally {
    late.cancel()
    signal.removeEventListener('abort', stop)
    // A thread that hangs in a disk may never end, so its end is not awaited.
    void worker.terminate()
  }
}

function silent(place: string): BackupRefused {
  return new BackupRefused(
    `${place} did not answer within ${longestMs / 1_000} seconds. Check the stick or the line, or use another target.`,
  )
}
