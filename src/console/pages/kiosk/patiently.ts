import { ApiError } from '../lib/server/api.ts'
import { type Finding, findStays, type Said } from './box.ts'
import { rowOf, rowOfSearch } from './failures.ts'
import { untilOpen } from './house.ts'
import type { Screen } from './screen.ts'
import type { Visit } from './visit.ts'

/** How often a request is repeated that the box did not answer, or was not ready for. */
const mostRepeats = 2

/** Repeats a request that may be sent again, when the box is back. */
export async function patiently<T>(visit: Visit, ask: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ApiError) || rowOf(error) !== 'outOfService' || repeats === mostRepeats)
        throw error
      await untilOpen(visit)
    }
  }
}

/** The time after which a guest whose search has no answer is offered the desk. */
const searchMs = 15_000
/** The pauses between two searches double up to this: each one counts towards the quota of the kiosk. */
const mostSearchPauseSeconds = 8

/** Searches until the box has answered. The guest may wait on, go to the desk, or leave. */
export async function findPatiently(visit: Visit, said: Said): Promise<Finding> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let choice: Extract<Screen, { name: 'searching' }>['choice'] = null
  const waitOn = () => {
    choice = null
    visit.show({ name: 'searching', choice })
    offerLater()
  }
  const offerLater = () => {
    timer = setTimeout(() => {
      choice = { waitOn }
      visit.show({ name: 'searching', choice })
    }, searchMs)
  }
  offerLater()
  visit.signal.addEventListener('abort', () => clearTimeout(timer))
  try {
    for (let pause = 2; ; pause = Math.min(2 * pause, mostSearchPauseSeconds)) {
      try {
        return await findStays(said, visit.signal)
      } catch (error) {
        if (!(error instanceof ApiError) || rowOfSearch(error) !== 'searchFailed') throw error
        visit.show({ name: 'searching', choice })
        await visit.pause(error.retryAfterSeconds ?? pause)
      }
    }
  } finally {
    clearTimeout(timer)
  }
}
