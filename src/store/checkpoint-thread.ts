import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { Clock } from '../host/clock.ts'
import { openCopier } from './connection.ts'
import { type Trouble, troubleIn } from './disk-trouble.ts'

/** How long the thread stays for more. */
const idleMs = 10_000

/**
 * The thread that copies the log of the database back into it, on every message once, and answers when that is done: many
 * pages are written in no order, and whoever writes meanwhile need not wait. What cannot be copied now stays in the log.
 */
export function runCopier(clock: Clock): void {
  const port = parentPort
  if (!port) throw new Error('the log is copied in a thread of its own')
  const { path } = workerData as { path: string }
  const db = openCopier(path)
  const copy = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  /** What the disk did not let it copy. */
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
