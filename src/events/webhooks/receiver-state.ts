import { lookPause } from './retry-plan.ts'

/** After this many failures in a row, one new event a minute is sent to test the receiver. */
const failuresInRow = 5
const triesAnewMs = 60_000

/** How a receiver has answered recently. Times are monotonic milliseconds. */
export interface ReceiverState {
  /** The number of failures in a row. */
  failures: number
  /** When the next new event may be sent to a failing receiver. */
  triesAnewAt: number
  /** How often it was not reached in a row, and when it is tried again; null while it is reached. */
  down: { looks: number; looksAt: number } | null
}

/**
 * Whether a delivery may be sent. While the receiver is not reached, a single delivery tries it at
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
 * Pauses the deliveries to a receiver that was not reached: its host or the line is down, and it has refused nothing. Also called when
 * an outcome could not be stored. Deliveries that were under way when the pause began do not make it longer.
 */
export function leaveAlone(state: ReceiverState, now: number): void {
  const { looks, looksAt } = state.down ?? { looks: 0, looksAt: now }
  if (now >= looksAt) state.down = { looks: looks + 1, looksAt: now + lookPause(looks) }
}
