import { linePause } from './retry-plan.ts'

/** After so many failures in a row nothing new is sent but one a minute, to see. */
const failuresInRow = 5
const triesAnewMs = 60_000

/** How a receiver has answered of late. Times are of the clock that never goes back, in milliseconds. */
export interface ReceiverState {
  /** In a row. */
  failures: number
  /** When the next new event may be sent to one that fails again and again. */
  triesAnewAt: number
  /** The box is taken to have no line since, and looks again at; null while it has one. */
  down: { since: number; looks: number; looksAt: number } | null
}

/** While the box has no line one delivery alone is sent, when it is time to look again. */
export function maySend({ down }: ReceiverState, inFlight: number, now: number): boolean {
  return !down || (inFlight === 0 && now >= down.looksAt)
}

/** While the receiver fails again and again, new events wait. */
export function maySendNew({ failures, triesAnewAt }: ReceiverState, now: number): boolean {
  return failures < failuresInRow || now >= triesAnewAt
}

/** A new event is sent, or one has failed: the next new one for a receiver that fails comes a minute later. */
export function waitAMinute(state: ReceiverState, now: number): void {
  state.triesAnewAt = now + triesAnewMs
}

/**
 * Nobody was reached. Answers whether that is the receiver's fault, because `othersReached` since: else the box has no line,
 * and what waits for a line uses up no attempt.
 */
export function isReceiversFault(
  state: ReceiverState,
  othersReached: (since: number) => boolean,
  now: number,
): boolean {
  const { since, looks } = state.down ?? { since: now, looks: 0 }
  if (othersReached(since)) return true
  state.down = { since, looks: looks + 1, looksAt: now + linePause(looks) }
  return false
}

/** Nothing could be written down: it is left alone for a while. */
export function leaveAlone(state: ReceiverState, now: number): void {
  state.down ??= { since: now, looks: 0, looksAt: now + linePause(0) }
}
