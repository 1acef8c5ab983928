import { Worker } from 'node:worker_threads'
import type { Clock } from '../host/clock.ts'
import type { Trouble } from '../store/disk/disk-trouble.ts'
import { BackupRefused } from './backup-refused.ts'
import type { BackupDone, BackupTask, FromBackupThread } from './backup-thread.ts'
import type { BackupPhase, Watch } from './progress.ts'

/** The longest duration of a backup, including the copy to a slow USB stick. */
const longestMs = 30 * 60_000

interface InThread {
  /** The program itself. */
  entry: URL
  clock: Clock
  signal: AbortSignal
  watch: Watch
  /** Called when a part of the database could not be read. */
  unreadable(trouble: Trouble): void
}

/**
 * Makes a backup in a thread of its own, so that the main thread continues. Rejects with BackupRefused, and with the signal's
 * reason.
 */
export async function backupInThread(
  task: BackupTask,
  { entry, clock, signal, watch, unreadable }: InThread,
): Promise<BackupDone> {
  const worker = new Worker(entry, { workerData: { runs: 'backup', task } })
  const { promise, resolve, reject } =
    Promise.withResolvers<Exclude<FromBackupThread, { phase: BackupPhase }>>()
  worker.on('message', (message: FromBackupThread) =>
    'phase' in message ? watch(message.phase, message.bytes, message.totalBytes) : resolve(message),
  )
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the backup thread ended unexpectedly')))
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const late = clock.setTimeout(() => reject(tooLong()), longestMs)
  try {
    const answer = await promise
    if ('refused' in answer) {
      if (answer.unreadable) unreadable(answer.unreadable)
      throw new BackupRefused(answer.refused)
    }
    if ('fault' in answer) throw new Error(`in the thread of the backup: ${answer.fault}`)
    return answer
  } finally {
    late.cancel()
    signal.removeEventListener('abort', stop)
    // A thread that hangs in the disk may never end, so its end is not awaited.
    void worker.terminate()
  }
}

function tooLong(): BackupRefused {
  return new BackupRefused(
    `The backup was canceled, because it took more than ${longestMs / 60_000} minutes: the disk is slow or hangs. Use another disk.`,
  )
}
