import type { Clock, Timer } from '../../host/clock.ts'
import type { Linked } from './linked.ts'
import { retryAll } from './retry-quarantined.ts'

/** What was put aside is tried again after something was set up, but not for each of many things anew. */
const shortestRetryMs = 500
const retryMsEach = 10

/** Tries again what was put aside: once at the beginning, and after something was set up. `due` is told when it waits for a turn. */
export function retriesOf(link: Linked, { clock, due }: { clock: Clock; due(): void }) {
  let isFirst = true
  let wasSetUp = false
  let mayRetry = true
  let resting: Timer | null = null

  async function whenDue(): Promise<void> {
    if (!isFirst && !(wasSetUp && mayRetry)) return
    isFirst = false
    wasSetUp = false
    mayRetry = false
    let tried = 0
    try {
      tried = await retryAll(link)
    } catch (error) {
      wasSetUp = true
      throw error
    } finally {
      const end = () => {
        mayRetry = true
        if (wasSetUp) due()
      }
      resting = clock.setTimeout(end, Math.max(shortestRetryMs, tried * retryMsEach)).unref()
    }
  }

  return {
    whenDue,
    setUp() {
      wasSetUp = true
    },
    close: () => resting?.cancel(),
  }
}
