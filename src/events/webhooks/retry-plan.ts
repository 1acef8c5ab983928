const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * The pauses after each refused attempt. When the attempt after the last pause is refused, the event becomes a
 * dead letter.
 */
const retryPlan = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  24 * hour,
] as const

const jitter = 0.2
const longestMs = 24 * hour * (1 + jitter)

/**
 * Returns when to retry after a refused attempt (1 for the first), Unix milliseconds; null after the last.
 * `random` is from 0 to 1. A longer pause that the receiver requests, in milliseconds, is used instead, up to
 * a day.
 */
export function nextAttempt(
  attempt: number,
  { now, random, retryAfterMs = 0 }: { now: number; random: number; retryAfterMs?: number },
): number | null {
  const planned = retryPlan[attempt - 1]
  if (planned === undefined) return null
  const pause = planned * (1 - jitter + 2 * jitter * random)
  return now + Math.round(Math.min(Math.max(pause, retryAfterMs), longestMs))
}

/**
 * Whether a planned time has come. `plannedAt` is when it was planned. If `plannedAt` is in the future, or
 * the planned time is further away than the longest pause, the clock was set back, and the time counts as
 * come.
 */
export function isDue(
  at: number | null | undefined,
  { now, plannedAt }: { now: number; plannedAt: number | null | undefined },
): boolean {
  return at == null || at <= now || at - now > longestMs || (plannedAt != null && plannedAt > now)
}

/** The pauses between two attempts to reach a receiver; the last one repeats. */
const lookPlan = [5 * second, 30 * second, minute, 2 * minute, 5 * minute] as const

/** Returns the pause after so many earlier attempts in a row that made no connection, in milliseconds. */
export function lookPause(looks: number): number {
  return lookPlan[looks] ?? 5 * minute
}
