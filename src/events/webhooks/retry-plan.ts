const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Pauses after each failed attempt; when the last one has failed as well, the event is given up. */
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
 * When to try again after the attempt of that number (1 for the first) has failed, Unix milliseconds; null when it was the
 * last. `random` is from 0 to 1. What the receiver asks for, in milliseconds, counts where it is longer, up to a day.
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
 * Whether a moment has come that was planned at another. Where that one is yet to come, or the moment is further away than
 * any pause, the clock was set since: then it has.
 */
export function isDue(
  at: number | null | undefined,
  { now, plannedAt }: { now: number; plannedAt: number | null | undefined },
): boolean {
  return at == null || at <= now || at - now > longestMs || (plannedAt != null && plannedAt > now)
}

/** Pauses between looks whether the line is back. */
export function linePause(looks: number): number {
  return [5 * second, 30 * second][looks] ?? minute
}
