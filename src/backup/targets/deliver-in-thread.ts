import { Worker } from 'node:worker_threads'
import { BackupRefused } from '../backup-refused.ts'
import type { DeliveryProgress, DeliveryTask } from './deliver.ts'
import type { FromDeliveryThread } from './delivery-thread.ts'

/**
 * Delivers a backup in a thread of its own, because a slow connection may need hours. `entry` is the program itself.
 * Rejects with BackupRefused, and with the signal's reason.
 */
export async function deliverInThread(
  task: DeliveryTask,
  { entry, signal, progress }: { entry: URL; signal: AbortSignal; progress(now: DeliveryProgress): void },
): Promise<void> {
  const worker = new Worker(entry, { workerData: { runs: 'delivery', task } })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  worker.on('message', (message: FromDeliveryThread) => {
    if (message === 'delivered') resolve()
    else if ('refused' in message) reject(new BackupRefused(message.refused))
    else if ('fault' in message) reject(new Error(`in the thread of a delivery: ${message.fault}`))
    else progress(message)
  })
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the delivery thread ended unexpectedly')))
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await promise
  } finally {
    signal.removeEventListener('abort', stop)
    // A thread that hangs in a disk may never end, so its end is not awaited.
    void worker.terminate()
  }
}
