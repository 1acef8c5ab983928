import { Problem } from '../../resource/problem.ts'

/** The maximum number of waiting tasks for one key; a further task is refused. */
const maxWaiting = 8

/** A keyed mutex: runs the tasks of one key one after the other. */
export function keyedMutex() {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>()

  return async function turn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(name) ?? { last: Promise.resolve(), length: 0 }
    if (line.length >= maxWaiting) {
      throw new Problem('busy', `${line.length} requests for the same wait already.`, {
        meta: { retryAfterSeconds: 1 },
      })
    }
    const mine = line.last.then(work, work)
    line.last = mine
    line.length++
    lines.set(name, line)
    try {
      return await mine
    } finally {
      line.length--
      if (line.length === 0) lines.delete(name)
    }
  }
}
