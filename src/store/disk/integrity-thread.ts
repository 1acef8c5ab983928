import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from '../connection.ts'
import { giveWay } from '../give-way.ts'
import { type Trouble, troubleIn } from './disk-trouble.ts'

/**
 * Runs the thread that checks a whole database for damage and compares indexes with their tables. It sends
 * the trouble, or null, as a message. It reads a snapshot and blocks neither the writer nor readers.
 */
export function runIntegrityCheck(): void {
  const { path } = workerData as { path: string }
  giveWay()
  parentPort?.postMessage(damageIn(path))
}

function damageIn(path: string): Trouble | null {
  try {
    const db = openReader(path)
    const found = db.pragma('integrity_check(1)', { simple: true })
    db.close()
    return found === 'ok' ? null : { is: 'damaged', code: `integrity_check: ${found}` }
  } catch (error) {
    const trouble = troubleIn(error)
    if (!trouble) throw error
    return trouble
  }
}
