import type { FollowedWork } from '../../../host/background-work.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Counts } from '../link.ts'
import type { Step } from './holds.ts'
import { type Linked, noCounts } from './linked.ts'

/** What a person, or an extension, may ask for. */
export type SyncRequest = 'pull' | 'push' | 'full-load'

/** The result of a round for each step: its fault, or that some of it is left. */
export interface Outcome {
  faults: Partial<Record<Step, unknown>>
  left: Partial<Record<Step, boolean>>
}

interface Waiter {
  request: SyncRequest
  resolve(counts: Counts): void
  reject(error: unknown): void
}

/** Requests that may wait. */
const mostWaiting = 100

/** The requests of one direction. One that takes several rounds ends when all of it is done, or has failed. */
function requestQueue() {
  let waiting: Waiter[] = []
  let begun: Waiter[] = []

  /** Resolves with the counts of its rounds. Rejects with `busy`, and with the fault of its step. */
  function ask(request: SyncRequest): Promise<Counts> {
    if (waiting.length + begun.length >= mostWaiting) {
      const meta = { retryAfterSeconds: 5 }
      return Promise.reject(
        new Problem('busy', `${mostWaiting} synchronisation requests already wait. Try again shortly.`, {
          meta,
        }),
      )
    }
    const { promise, resolve, reject } = Promise.withResolvers<Counts>()
    waiting.push({ request, resolve, reject })
    return promise
  }

  /** Begins those that have come since the last round. `goesOn`: there are others that were not done then. */
  function begin(): { fresh: SyncRequest[]; goesOn: boolean } {
    const goesOn = begun.length > 0
    const fresh = waiting.map(({ request }) => request)
    begun.push(...waiting)
    waiting = []
    return { fresh, goesOn }
  }

  function settle({ faults, left }: Outcome, counts: Counts): void {
    const open: Waiter[] = []
    for (const waiter of begun) {
      const step = waiter.request === 'push' ? 'offer' : 'pull'
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

interface RoundsParts {
  link: Linked
  /** It is due from the begin of a round until one has ended that has not failed. */
  work: FollowedWork
  /** Notes what is asked for. */
  prepare(request: SyncRequest): void
  /** One round of work. */
  step(): Promise<Outcome>
  /** Called at the end of each round that has not failed; `isLeft`: it did not come to its end. */
  ended(isLeft: boolean): Promise<void>
  /** Receives what keeps the appliance from working: it cannot write now, or it is an internal error. */
  failed(error: unknown): void
  isOver(): boolean
}

/**
 * One direction of the synchronisation: its rounds, one at a time, and the requests that wait for them. The first round is at once, and then
 * one each time that it was woken meanwhile.
 */
export function rounds({ link, work, prepare, step, ended, failed, isOver }: RoundsParts) {
  const requests = requestQueue()
  let isBusy = false
  let isDue = true
  let rouse: () => void = () => {}

  function wake(): void {
    isDue = true
    rouse()
  }

  /** Resolves when it is over and was woken. Rejects as a round does. */
  async function run(): Promise<void> {
    while (!isOver()) {
      if (!isDue) await new Promise<void>((resolve) => (rouse = resolve))
      isDue = false
      if (!isOver()) await round()
    }
  }

  async function round(): Promise<void> {
    isBusy = true
    work.due()
    const { fresh, goesOn } = requests.begin()
    for (const each of fresh) prepare(each)
    if (!goesOn) link.counts = noCounts()
    try {
      const outcome = await step()
      const isLeft = Object.values(outcome.left).includes(true)
      if (isLeft) wake()
      isBusy = false
      await ended(isLeft)
      work.done()
      requests.settle(outcome, link.counts)
    } catch (error) {
      isBusy = false
      requests.fail(error)
      failed(error)
    }
  }

  return {
    wake,
    run,
    ask: requests.ask,
    close(error: unknown): void {
      requests.close(error)
      work.end()
    },
    isBusy: () => isBusy,
    /** Whether nothing is under way and nothing is due. */
    isQuiet: () => !isBusy && !isDue,
  }
}
