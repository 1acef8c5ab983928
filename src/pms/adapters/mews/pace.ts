import type { Clock } from '../../../host/clock.ts'

/** What Mews allows with one AccessToken. */
export const requestLimit = { requests: 200, seconds: 30 }

/** Requests that may follow one another at once after a pause. */
const burst = 50
/** The mean distance of all others: with the burst they are never more than the limit, in any 30 seconds. */
const distanceMs = (requestLimit.seconds * 1_000) / (requestLimit.requests - burst)

/** The requests of a batch of messages, and those of each message, at most in most cases. */
const ofBatch = 12
const ofMessage = 5

/** The number of messages whose requests the limit allows within a deadline, after a time of many requests. */
export function messagesWithin(deadlineMs: number): number {
  const requests = (deadlineMs * 0.8) / distanceMs
  return Math.min(50, Math.max(1, Math.floor((requests - ofBatch) / ofMessage)))
}

/** Spreads requests so that they stay within the limit of Mews. */
export function pacer({ monotonic, sleep }: Pick<Clock, 'monotonic' | 'sleep'>) {
  /** When the last admitted request would have been sent if all had kept the distance. */
  let last = Number.NEGATIVE_INFINITY

  /** Resolves when the next request may be sent. Rejects with the signal's reason. */
  return async (signal: AbortSignal): Promise<void> => {
    const at = Math.max(monotonic() - burst * distanceMs, last) + distanceMs
    last = at
    const waitMs = at - monotonic()
    if (waitMs > 0) await sleep(waitMs, { signal })
  }
}
