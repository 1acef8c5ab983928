import { Worker } from 'node:worker_threads'
import type { Trouble } from './disk-trouble.ts'
import type { IntegrityThreadData } from './integrity-thread.ts'

/** The result of a check of the whole database. */
interface Checked {
  /** `damaged` or `unreadable`; null when the database is intact. */
  trouble: Trouble | null
}

/**
 * Checks the whole database in a thread of its own, as `troubleOf` does. `file` is its open handle; null for a database that
 * no connection of this process uses. `found` resolves with the result, or with null after `end` has stopped the check. It
 * rejects with a fault of the program.
 */
export function checkIntegrity(
  path: string,
  entry: URL,
  file: number | null,
): { found: Promise<Checked | null>; end(): Promise<void> } {
  const worker = new Worker(entry, {
    workerData: { runs: 'integrity', path, file } satisfies IntegrityThreadData,
  })
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

/** Checks a database that no connection of this process uses, in a thread. Resolves with null also when that cannot be done. */
export async function checkUnused(path: string, entry: URL): Promise<Trouble | null> {
  const checked = await checkIntegrity(path, entry, null).found.catch(() => null)
  return checked?.trouble ?? null
}
