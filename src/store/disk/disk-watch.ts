import type { Problem } from '../../resource/problem.ts'
import { isOfDisk, problemOf, type Trouble, troubleIn } from './disk-trouble.ts'

/** The state of the store's disk, as reads and writes reported it. */
export type DiskWatch = Omit<ReturnType<typeof diskWatch>, 'well' | 'hangs' | 'answers' | 'isInTrouble'>

/** Creates the one record of the disk's state. */
export function diskWatch() {
  let lasting: Trouble | null = null
  let hanging: Trouble | null = null
  let last: Trouble['is'] | null = null
  const listeners: ((trouble: Trouble | null) => void)[] = []
  const waiting = new Set<(reason: Problem) => void>()
  /** The trouble that keeps the disk from working; null when none is known. */
  const trouble = (): Trouble | null => hanging ?? lasting

  function notify(): void {
    const now = trouble()
    if ((now?.is ?? null) === last) return
    last = now?.is ?? null
    for (const listener of listeners) listener(now)
  }

  /** Reports trouble that a read or a write met. */
  function is(found: Trouble): void {
    // Damage is final: no later report replaces it.
    if (lasting?.is !== 'damaged') lasting = found
    notify()
  }

  return {
    trouble,
    /** Whether a write has started and it is not known when it ends. */
    isHanging: () => hanging !== null,
    /** Whether the last trouble still stands. Only a test write can show that the disk is well again. */
    isInTrouble: () => lasting !== null,
    is,
    /** A test write has succeeded. */
    well() {
      if (lasting?.is !== 'damaged') lasting = null
      notify()
    },
    hangs() {
      hanging = { is: 'hanging', code: 'no answer' }
      notify()
      for (const reject of waiting) reject(problemOf(hanging))
      waiting.clear()
    },
    answers() {
      hanging = null
      notify()
    },
    /** Returns the Problem for an error of the disk and records the trouble; null for any other error. */
    problem(error: unknown): Problem | null {
      if (isOfDisk(error)) return error as Problem
      const found = troubleIn(error)
      if (found) is(found)
      return found && problemOf(found)
    },
    /** Returns the outcome of `work`. Rejects with a Problem as soon as the disk hangs; `work` continues. */
    async within<T>(work: Promise<T>): Promise<T> {
      const { promise: hangs, reject } = Promise.withResolvers<never>()
      waiting.add(reject)
      try {
        return await Promise.race([work, hangs])
      } finally {
        waiting.delete(reject)
      }
    },
    /**
     * Calls `listener` when the kind of trouble changes; with null when the disk is well again. It never calls
     * twice with the same kind.
     */
    subscribe: (listener: (trouble: Trouble | null) => void) => void listeners.push(listener),
  }
}
