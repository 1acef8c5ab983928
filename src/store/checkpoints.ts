import { Worker } from 'node:worker_threads'

/**
 * Copies the log of a database back into it, in a thread that is there only while there is something to copy. `done` is
 * called after each time, also when it failed.
 */
export function checkpoints({ path, entry, done }: { path: string; entry: URL; done: () => void }) {
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
    // What it says is what SQLite would say to the writer as well, and there it is answered.
    made.on('error', () => {})
    made.on('exit', () => {
      if (worker === made) worker = null
      finished()
    })
    made.unref()
    return made
  }

  function finished(): void {
    if (!isCopying) return
    isCopying = false
    done()
  }

  /** Copies nothing any more; resolves when the thread has left the file. */
  async function close(): Promise<void> {
    isOpen = false
    isCopying = false
    await worker?.terminate()
  }

  return { copy, close }
}
