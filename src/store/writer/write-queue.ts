import type { WriteRequest } from './messages.ts'

/** Commands that wait for the writer, in the order of arrival. */
export interface WriteQueue {
  push(asked: readonly WriteRequest[]): void
  /** Takes the next commands, at most `most`. Low-priority commands come last, and one for each call. */
  next(most: number): WriteRequest[]
  /** Takes all commands. */
  clear(): WriteRequest[]
  isEmpty(): boolean
  /** Whether a command of normal priority waits. */
  hasNormal(): boolean
}

export function writeQueue(): WriteQueue {
  const normal: WriteRequest[] = []
  /** One of them is taken with each call: none waits for ever, however many normal commands come. */
  const low: WriteRequest[] = []
  return {
    push(asked) {
      for (const each of asked) (each.options.lowPriority ? low : normal).push(each)
    },
    next(most) {
      const last = low.splice(0, 1)
      return [...normal.splice(0, most - last.length), ...last]
    },
    clear: () => [...normal.splice(0), ...low.splice(0)],
    isEmpty: () => normal.length === 0 && low.length === 0,
    hasNormal: () => normal.length > 0,
  }
}
