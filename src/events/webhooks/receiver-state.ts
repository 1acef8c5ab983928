import { linePause } from './retry-plan.ts'

/** After this many failures in a row, one new event a minute is sent to test the receiver. */
const failuresInRow = 5
const triesAnewMs = 60_000

/** How a receiver has answered recently. Times are monotonic milliseconds. */
export interface ReceiverState {
  /** The number of failures in a row. */
  failures: number
  /** When the next new event may be sent to a failing receiver. */
  triesAnewAt: number
  /** Since when the box counts as offline, and when it tests the network again; null while it is online. */
  down: { since: number; looks: number; looksAt: number } | null
}

/**
 * Whether a delivery may be sent. While the box counts as offline, a single delivery tests the network at
 * `looksAt`.
 */
export function maySend({ down }: ReceiverState, inFlight: number, now: number): boolean {
  return !down || (inFlight === 0 && now >= down.looksAt)
}

/** Whether a new event may be sent. For a failing receiver, new events wait. */
export function maySendNew({ failures, triesAnewAt }: ReceiverState, now: number): boolean {
  return failures < failuresInRow || now >= triesAnewAt
}

/**
 * Delays the next new event for a failing receiver by a minute. Called when a new event is sent and when one
 * has failed.
 */
export function waitAMinute(state: ReceiverState, now: number): void {
  state.triesAnewAt = now + triesAnewMs
}

/**
 * Whether an unreached receiver is at fault: it is when `othersReached` returns true. Otherwise the box
 * counts as offline, and the delivery uses up no attempt.
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

/** Pauses the deliveries to a receiver for a while, because an outcome could not be stored. */
export function leaveAlone(state: ReceiverState, now: number): void {
  state.down ??= { since: now, looks: 0, looksAt: now + linePause(0) }
}
