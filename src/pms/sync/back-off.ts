const shortestMs = 1_000
const longestMs = 60_000

/**
 * Milliseconds to wait after so many failures in a row (from 1): twice as long each time, from 1 s to 60 s, of which the
 * second half is left to chance (`random`, 0 to 1), so that boxes that fell silent together do not come back together. Never
 * shorter than the other side asked for.
 */
export function backOffMs(failures: number, random: number, retryAfterSeconds = 0): number {
  const whole = Math.min(longestMs, 2 * shortestMs * 2 ** Math.min(failures - 1, 20))
  const chosen = Math.round(whole / 2 + (whole / 2) * random)
  return Math.max(chosen, Math.min(retryAfterSeconds, longestRetryAfter) * 1_000)
}

/** An hour: a PMS that asks for more is asked again then. */
const longestRetryAfter = 3_600
