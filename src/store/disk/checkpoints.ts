import { Worker } from 'node:worker_threads'
import { type Trouble, troubleIn } from './disk-trouble.ts'

/**
 * Copies the write-ahead log of a database into it, in a thread that runs only while there is something to
 * copy. `done` is called after each checkpoint, also after a failed one. Its argument is the trouble of the
 * disk, or null.
 */
export function checkpoints({
  path,
  entry,
  done,
}: {
  path: string
  entry: URL
  done: (trouble: Trouble | null) => void
}) {
  let worker: Worker | null = null
  let isCopying = false
  let isOpen = true

  function copy(): void {
    if (isCopying || !isOpen) return
    isCopying = true
    worker ??= started()
    worker.postMessage(null)
  }

  function started(): Worker {
    const made = new Worker(entry, { workerData: { path, runs: 'checkpoints' } })
    made.on('message', finished)
    made.on('error', (error) => finished(troubleIn(error)))
    made.on('exit', () => {
      if (worker === made) worker = null
      finished(null)
    })
    made.unref()
    return made
  }

  function finished(trouble: Trouble | null): void {
    if (!isCopying) return
    isCopying = false
    done(trouble)
  }

  /** Starts no more checkpoints, and resolves when the thread has closed the file. */
  async function close(): Promise<void> {
    isOpen = false
    isCopying = false
    await worker?.terminate()
  }

  return { copy, close }
}
