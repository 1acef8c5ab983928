import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { Clock } from '../../host/clock.ts'
import { openCopier } from '../connection.ts'
import { type Trouble, troubleIn } from './disk-trouble.ts'

/** How long the idle thread waits for another message before it ends. */
const idleMs = 10_000

/**
 * Runs the thread that copies the write-ahead log into the database. Each message starts one checkpoint, and
 * the answer is the trouble of the disk, or null. A checkpoint writes many pages in random order; in a thread
 * of its own it does not delay the writer. Pages that cannot be copied now stay in the log.
 */
export function runCopier(clock: Clock): void {
  const port = parentPort
  if (!port) throw new Error('the log is copied in a thread of its own')
  const { path } = workerData as { path: string }
  const db = openCopier(path)
  const copy = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  /** Runs one checkpoint and returns the trouble that the disk reported. */
  const copied = (): Trouble | null => {
    try {
      copy.get()
      return null
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error
      return troubleIn(error)
    }
  }
  const leave = () => {
    db.close()
    port.close()
  }
  let leaving = clock.setTimeout(leave, idleMs)
  port.on('message', () => {
    leaving.cancel()
    port.postMessage(copied())
    leaving = clock.setTimeout(leave, idleMs)
  })
}
