import type { Asked } from './messages.ts'

/** Commands that wait for the writer, in the order of their arrival. */
export interface WriteQueue {
  push(asked: readonly Asked[]): void
  /** The next commands, at most `most`. Commands of low priority go last, and one at a time: then the queue is asked again. */
  next(most: number): Asked[]
  /** Takes out everything. */
  clear(): Asked[]
  isEmpty(): boolean
  /** Whether a command waits that is not of low priority. */
  hasNormal(): boolean
}

export function writeQueue(): WriteQueue {
  const normal: Asked[] = []
  /** One of them goes with every commit, however many others wait: none waits for ever. */
  const low: Asked[] = []
  return {
    push(asked) {
      for (const each of asked) (each.options.patient ? low : normal).push(each)
    },
    next(most) {
      const first = normal.splice(0, most)
      return first.length < most ? [...first, ...low.splice(0, 1)] : first
    },
    clear: () => [...normal.splice(0), ...low.splice(0)],
    isEmpty: () => normal.length === 0 && low.length === 0,
    hasNormal: () => normal.length > 0,
  }
}
