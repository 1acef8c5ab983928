/** offline: no wire. starting: the wire is open, the device not yet known to be well. */
export type BayState = 'offline' | 'starting' | 'online'

/** Why a connection is refused: its address may not connect, or another peer is connected and answers. */
export type RefusalReason = 'stranger' | 'second'

/**
 * What happened to the device of a bay, and why, where there is a why. Of a line that is listened for also that a connection
 * was refused, and that none was for an hour (`quiet`).
 */
export interface BayEvent {
  bay: string
  what: 'online' | 'lost' | 'failed' | 'closed' | 'refused' | 'quiet'
  /** Unix milliseconds. */
  at: number
  fault: Error | null
  /** Whose connection was refused. */
  visitor?: { why: RefusalReason; address: string }
}
