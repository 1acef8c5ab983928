import { parentPort, workerData } from 'node:worker_threads'
import { giveWay } from '../../store/give-way.ts'
import { BackupRefused } from '../backup-refused.ts'
import { type SegmentTask, sendSegment } from './send-segment.ts'

/** The message of the thread at its end. */
export type FromSegmentThread = 'sent' | { refused: string } | { fault: string }

/** Runs the thread that sends one segment of keys to a second medium and reads it back. */
export async function runSegment(): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('a segment is sent in a thread of its own')
  giveWay()
  // The main thread terminates this thread.
  const { signal } = new AbortController()
  const tell = (message: FromSegmentThread) => port.postMessage(message)
  try {
    await sendSegment(workerData.task as SegmentTask, signal)
    tell('sent')
  } catch (error) {
    const { message, stack } = error as Error
    tell(error instanceof BackupRefused ? { refused: message } : { fault: stack ?? message })
  }
}
