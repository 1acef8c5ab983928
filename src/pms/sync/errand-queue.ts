import { Problem } from '../../resource/problem.ts'
import type { Step } from './holds.ts'
import type { Counts } from './link.ts'

/** What a person, or an extension, may ask for. */
export type Errand = 'pull' | 'push' | 'full-load'

/** What a round has come to, step by step: the fault that kept it from being done, or that more of it is left. */
export interface Outcome {
  faults: Partial<Record<Step, unknown>>
  left: Partial<Record<Step, boolean>>
}

interface Waiter {
  errand: Errand
  resolve(counts: Counts): void
  reject(error: unknown): void
}

/** Errands that may wait. */
const mostErrands = 100

/** Who waits for something to be done. An errand that takes several rounds is waited for until it is done, or has failed. */
export function errandQueue() {
  let waiting: Waiter[] = []
  let begun: Waiter[] = []

  /** Resolves with what came of it. Rejects with `busy`, and with what kept it from being done. */
  function ask(errand: Errand): Promise<Counts> {
    if (waiting.length + begun.length >= mostErrands) {
      const meta = { retryAfterSeconds: 5 }
      return Promise.reject(
        new Problem('busy', `${mostErrands} synchronisation requests already wait. Try again shortly.`, {
          meta,
        }),
      )
    }
    const { promise, resolve, reject } = Promise.withResolvers<Counts>()
    waiting.push({ errand, resolve, reject })
    return promise
  }

  /** Begins those that have come since the last round. `goesOn`: there are others that were not done then. */
  function begin(): { fresh: Errand[]; goesOn: boolean } {
    const goesOn = begun.length > 0
    const fresh = waiting.map(({ errand }) => errand)
    begun.push(...waiting)
    waiting = []
    return { fresh, goesOn }
  }

  function settle({ faults, left }: Outcome, counts: Counts): void {
    const open: Waiter[] = []
    for (const waiter of begun) {
      const step = waiter.errand === 'push' ? 'offer' : 'pull'
      if (faults[step]) waiter.reject(faults[step])
      else if (left[step]) open.push(waiter)
      else waiter.resolve({ ...counts })
    }
    begun = open
  }

  /** Nothing can be done now. */
  function fail(error: unknown): void {
    for (const { reject } of begun) reject(error)
    begun = []
  }

  /** Nothing will be done any more. */
  function close(error: unknown): void {
    fail(error)
    for (const { reject } of waiting) reject(error)
    waiting = []
  }

  return { ask, begin, settle, fail, close }
}
