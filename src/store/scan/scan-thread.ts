import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from '../connection.ts'
import { giveWay } from '../give-way.ts'
import { statements } from '../statements.ts'
import { carryOut, type Scan, type Scanned } from './scan.ts'

export interface ScanMessage {
  number: number
  scan: Scan
}

/** `fault`: the error, with the SQLite code when it is from SQLite. */
export interface ScanAnswered {
  found?: Scanned
  fault?: { message: string; code: string | undefined }
}

export interface ScanThreadData {
  runs: 'scans'
  path: string
  /** Contains the number of the scan to stop. */
  stop: Int32Array
}

/**
 * Runs the thread for pages that no index serves: one scan at a time, each on a snapshot, on a connection of
 * its own. better-sqlite3 cannot interrupt a statement from another thread. So the statements themselves call
 * `going_on()` every thousand rows, which throws when the scan is to stop.
 */
export function runScans(): void {
  const port = parentPort
  if (!port) throw new Error('scans run in a thread of their own')
  const { path, stop } = workerData as ScanThreadData
  giveWay()
  let current = 0
  const isWanted = () => Atomics.load(stop, 0) !== current
  let carryingOut: ((scan: Scan) => Scanned) | null = null

  port.on('message', ({ number, scan }: ScanMessage) => {
    current = number
    port.postMessage(
      answerOf(() => {
        carryingOut ??= scanning(path, isWanted)
        return carryingOut(scan)
      }),
    )
  })
}

/**
 * Opens a connection and returns the function that runs one scan in a read transaction. The scan fails when
 * it is no longer wanted.
 */
function scanning(path: string, isWanted: () => boolean): (scan: Scan) => Scanned {
  const db = openReader(path)
  db.function('going_on', { deterministic: false, directOnly: true }, () => {
    if (isWanted()) return 1
    throw new Error('nobody waits for this scan any more')
  })
  const prepare = statements(db)
  return db.transaction((scan: Scan) => carryOut(prepare, scan)).deferred
}

function answerOf(scan: () => Scanned): ScanAnswered {
  try {
    return { found: scan() }
  } catch (error) {
    const { message, cause } = error as Error
    const { code } = (cause ?? error) as { code?: string }
    return { fault: { message, code } }
  }
}
