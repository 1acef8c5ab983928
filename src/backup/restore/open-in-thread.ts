import { Worker } from 'node:worker_threads'
import { BackupRefused, WrongKey } from '../backup-refused.ts'
import type { FromRestoreThread, OpenedBeside, OpeningPhase, OpeningTask } from './restore-thread.ts'

interface Options {
  /** The program itself. */
  entry: URL
  signal: AbortSignal
  progress(phase: OpeningPhase, bytes: number): void
}

/**
 * Opens a backup in a thread of its own: decrypting and checking take minutes, and the passphrase alone takes a second.
 * Rejects with WrongKey, BackupRefused, and with the signal's reason.
 */
export async function openInThread(
  task: OpeningTask,
  { entry, signal, progress }: Options,
): Promise<OpenedBeside> {
  const worker = new Worker(entry, { workerData: { runs: 'restore', task } })
  const { promise, resolve, reject } = Promise.withResolvers<FromRestoreThread>()
  worker.on('message', (message: FromRestoreThread) =>
    'phase' in message ? progress(message.phase, message.bytes) : resolve(message),
  )
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the restore thread ended unexpectedly')))
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const answer = await promise
    if ('opened' in answer) return answer.opened
    if ('refused' in answer)
      throw answer.isKey ? new WrongKey(answer.refused) : new BackupRefused(answer.refused)
    throw new Error(`in the thread of the restore: ${'fault' in answer ? answer.fault : ''}`)
  } finally {
    signal.removeEventListener('abort', stop)
    // The function waits for a canceled thread, because the caller deletes the folder into which the thread writes.
    await worker.terminate()
  }
}
