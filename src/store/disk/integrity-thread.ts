import { parentPort, workerData } from 'node:worker_threads'
import { giveWay } from '../give-way.ts'
import { troubleOf, troubleOfUnused } from './damage.ts'

export interface IntegrityThreadData {
  runs: 'integrity'
  path: string
  /** See `troubleOf`; null for a database that no connection of this process uses. */
  file: number | null
}

/**
 * Runs the thread that checks a whole database for damage and compares indexes with their tables. It sends
 * the trouble, or null, as a message. It reads a snapshot and blocks neither the writer nor readers.
 */
export function runIntegrityCheck(): void {
  const { path, file } = workerData as IntegrityThreadData
  giveWay()
  parentPort?.postMessage(file === null ? troubleOfUnused(path) : troubleOf(path, file))
}
