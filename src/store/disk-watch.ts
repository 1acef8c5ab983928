import type { Problem } from '../resource/problem.ts'
import { isOfDisk, problemOf, type Trouble, troubleIn } from './disk-trouble.ts'

/** How the disk of the store is, by what reads and writes have met. */
export interface DiskWatch {
  /** What keeps it from its work; null when nothing is known to. */
  trouble(): Trouble | null
  /** A write was begun, and nobody knows when it ends. */
  isHanging(): boolean
  /** Somebody has met it. */
  is(trouble: Trouble): void
  /** What is to be answered where an error is of the disk; null for any other. */
  problem(error: unknown): Problem | null
  /** Gives the outcome of `work`; rejects with a Problem as soon as the disk hangs, while `work` goes on. */
  within<T>(work: Promise<T>): Promise<T>
  /** Calls back with every change, null for none any more, and never twice with the same. */
  told(listener: (trouble: Trouble | null) => void): void
}

/** What those tell who work with the disk. */
interface Told {
  /** It was tried, and can be written. */
  well(): void
  hangs(): void
  answers(): void
  /** It may be well again, and nobody would know without trying. */
  isInTrouble(): boolean
}

/** What is known of the disk, in one place. */
export function diskWatch(): DiskWatch & Told {
  let lasting: Trouble | null = null
  let hanging: Trouble | null = null
  let last: Trouble['is'] | null = null
  const listeners: ((trouble: Trouble | null) => void)[] = []
  const waiting = new Set<(reason: Problem) => void>()
  const trouble = () => hanging ?? lasting

  function tell(): void {
    const now = trouble()
    if ((now?.is ?? null) === last) return
    last = now?.is ?? null
    for (const listener of listeners) listener(now)
  }

  function is(found: Trouble): void {
    // What is damaged stays so, whatever else happens to it.
    if (lasting?.is !== 'damaged') lasting = found
    tell()
  }

  return {
    trouble,
    isHanging: () => hanging !== null,
    isInTrouble: () => lasting !== null,
    is,
    well() {
      if (lasting?.is !== 'damaged') lasting = null
      tell()
    },
    hangs() {
      hanging = { is: 'hanging', code: 'no answer' }
      tell()
      for (const reject of waiting) reject(problemOf(hanging))
      waiting.clear()
    },
    answers() {
      hanging = null
      tell()
    },
    problem(error) {
      if (isOfDisk(error)) return error as Problem
      const found = troubleIn(error)
      if (found) is(found)
      return found && problemOf(found)
    },
    within(work) {
      return new Promise((resolve, reject) => {
        waiting.add(reject)
        const over = () => waiting.delete(reject)
        work.then(resolve, reject).finally(over)
      })
    },
    told: (listener) => void listeners.push(listener),
  }
}
