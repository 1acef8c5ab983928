import { Worker } from 'node:worker_threads'
import type { Trouble } from './disk-trouble.ts'

/** What a check of the whole database came to. */
interface Checked {
  /** Null when all is well. */
  trouble: Trouble | null
}

/** Checks a database whole, in a thread of its own that ends with it; `end` breaks it off. Null when it was broken off. Rejects with a fault of ours. */
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
