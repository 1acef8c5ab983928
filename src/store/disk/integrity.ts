import { Worker } from 'node:worker_threads'
import type { Trouble } from './disk-trouble.ts'

/** The result of a check of the whole database. */
interface Checked {
  /** Null when the database is intact. */
  trouble: Trouble | null
}

/**
 * Checks the whole database in a thread of its own. `found` resolves with the result, or with null after
 * `end` has stopped the check. It rejects with a fault of the program.
 */
export function checkIntegrity(
  path: string,
  entry: URL,
): { found: Promise<Checked | null>; end(): Promise<void> } {
  const worker = new Worker(entry, { workerData: { path, runs: 'integrity' } })
  const { promise, resolve, reject } = Promise.withResolvers<Checked | null>()
  worker.on('message', (trouble: Trouble | null) => resolve({ trouble }))
  worker.on('error', reject)
  worker.on('exit', () => resolve(null))
  return {
    found: promise,
    async end() {
      await worker.terminate()
    },
  }
}
