import type { Clock } from '../../host/clock.ts'

/** A step's share of a round: what it leaves is done in the next, after the others have had theirs. */
export interface Turn {
  /** Whether there is time for one more page, or one more batch. Counts it as taken. */
  goesOn(): boolean
}

/** Milliseconds after which no further page or batch is begun, and how many of them a turn has at most. */
const longestMs = 5_000
const most = 100

export function turnOf({ monotonic }: Clock): Turn {
  const until = monotonic() + longestMs
  let taken = 0
  return { goesOn: () => taken++ < most && monotonic() < until }
}
