import { parentPort, workerData } from 'node:worker_threads'
import { giveWay } from '../../store/give-way.ts'
import { BackupRefused } from '../backup-refused.ts'
import { type DeliveryProgress, type DeliveryTask, deliver } from './deliver.ts'

/** A message of the thread: progress, and at the end one of the others. */
export type FromDeliveryThread = DeliveryProgress | 'delivered' | { refused: string } | { fault: string }

/** The number of bytes between two progress messages. */
const reportedBytes = 1_048_576

/** Runs the thread that sends one backup to one target and reads it back. */
export async function runDelivery(): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('a backup is delivered in a thread of its own')
  giveWay()
  let reported: DeliveryProgress | null = null
  const progress = (now: DeliveryProgress) => {
    if (reported?.phase === now.phase && now.bytes - reported.bytes < reportedBytes) return
    reported = now
    port.postMessage(now)
  }
  // The main thread terminates this thread.
  const { signal } = new AbortController()
  try {
    await deliver(workerData.task as DeliveryTask, { signal, progress })
    port.postMessage('delivered' satisfies FromDeliveryThread)
  } catch (error) {
    const { message, stack } = error as Error
    port.postMessage(error instanceof BackupRefused ? { refused: message } : { fault: stack ?? message })
  }
}
