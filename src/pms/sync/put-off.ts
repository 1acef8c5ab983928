/** The longest that an offer is put off, in milliseconds. */
export const longestWaitMs = 60_000

/** Milliseconds for which an offer is put off after so many answers that did not settle it. */
export function waitMs(attempts: number): number {
  return Math.min(longestWaitMs, 1_000 * 2 ** Math.min(attempts, 10))
}
