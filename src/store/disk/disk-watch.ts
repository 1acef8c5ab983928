import type { Problem } from '../../resource/problem.ts'
import { isOfDisk, problemOf, type Trouble, troubleIn } from './disk-trouble.ts'

/** The state of the store's disk, as reads, writes and checks reported it. */
export type DiskWatch = Omit<ReturnType<typeof diskWatch>, 'well' | 'hangs' | 'answers' | 'isInTrouble'>

/** Creates the one record of the disk's state. */
export function diskWatch() {
  /** `unreadable` or `damaged`, until a check of the whole database finds it intact. */
  let reading: Trouble | null = null
  /** Any other trouble, until a test write succeeds. */
  let writing: Trouble | null = null
  let last: Trouble['is'] | null = null
  const listeners: ((trouble: Trouble | null) => void)[] = []
  const { hanging, ...waiting } = hangWatch(notify)
  /** The trouble that keeps the disk from working; null when none is known. */
  const trouble = (): Trouble | null => hanging() ?? reading ?? writing

  function notify(): void {
    const now = trouble()
    if ((now?.is ?? null) === last) return
    last = now?.is ?? null
    for (const listener of listeners) listener(now)
  }

  /** Records trouble that a read, a write or a check has met. */
  function is(found: Trouble): void {
    if (found.is === 'damaged') reading = found
    else if (found.is === 'unreadable') reading ??= found
    else writing = found
    notify()
  }

  /** Records trouble, and returns the Problem for the request that met it. */
  function refusal(found: Trouble): Problem {
    is(found)
    return problemOf((found.is === 'unreadable' && reading) || found)
  }

  return {
    ...waiting,
    trouble,
    /** Whether the last trouble still stands. */
    isInTrouble: () => reading !== null || writing !== null,
    is,
    refusal,
    /** A test write has succeeded. */
    well() {
      writing = null
      notify()
    },
    /** A check has read the whole database, and found it intact. */
    intact() {
      reading = null
      notify()
    },
    /** Returns the Problem for an error of the disk and records the trouble; null for any other error. */
    problem(error: unknown): Problem | null {
      if (isOfDisk(error)) return error as Problem
      const found = troubleIn(error)
      return found && refusal(found)
    },
    /**
     * Calls `listener` when the kind of trouble changes; with null when the disk is well again. It never calls
     * twice with the same kind.
     */
    subscribe: (listener: (trouble: Trouble | null) => void) => void listeners.push(listener),
  }
}

/** Records whether the disk answers, and rejects the waiting calls when it does not. */
function hangWatch(changed: () => void) {
  let hanging: Trouble | null = null
  const waiting = new Set<(reason: Problem) => void>()
  return {
    hanging: () => hanging,
    /** Whether a write has started and it is not known when it ends. */
    isHanging: () => hanging !== null,
    hangs() {
      hanging = { is: 'hanging', code: 'no answer' }
      changed()
      for (const reject of waiting) reject(problemOf(hanging))
      waiting.clear()
    },
    answers() {
      hanging = null
      changed()
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
  }
}
