/**
 * offline: no wire is open. starting: the wire is open, and the device has not yet finished its start. online: the
 * device is ready.
 */
export type BayState = 'offline' | 'starting' | 'online'

/**
 * Why a connection is refused. stranger: its address may not connect. second: another peer is connected and answers.
 */
export type RefusalReason = 'stranger' | 'second'

/**
 * An event of the device of a bay, with its reason if there is one. For a line that listens, events are also a refused
 * connection and an hour without a refused connection (`quiet`).
 */
export interface BayEvent {
  bay: string
  what: 'online' | 'lost' | 'failed' | 'closed' | 'refused' | 'quiet'
  /** Unix milliseconds. */
  at: number
  fault: Error | null
  /** The refused connection. */
  visitor?: { why: RefusalReason; address: string }
}
