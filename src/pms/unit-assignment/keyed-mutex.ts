import { Problem } from '../../resource/problem.ts'

/** The maximum number of waiting tasks for one key; a further task is refused. */
const maxWaiting = 8

/** A keyed mutex: runs the tasks of one key one after the other. */
export function keyedMutex() {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>()

  /** Runs the work when all earlier work of the key has ended. Rejects with `busy` when too many tasks wait. */
  return async function exclusively<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length >= maxWaiting) {
      throw new Problem(
        'busy',
        `${queue.length} requests for the same subject already wait. Try again shortly.`,
        {
          meta: { retryAfterSeconds: 1 },
        },
      )
    }
    const mine = queue.last.then(work, work)
    queue.last = mine
    queue.length++
    queues.set(key, queue)
    try {
      return await mine
    } finally {
      queue.length--
      if (queue.length === 0) queues.delete(key)
    }
  }
}
