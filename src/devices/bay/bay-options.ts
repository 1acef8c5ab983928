import type { Duplex } from 'node:stream'
import type { Clock } from '../../host/clock.ts'
import type { FaultCode } from '../fault.ts'
import type { BayEvent } from './bay-event.ts'

/** What a bay is opened with. */
export interface BayOptions<Device> {
  /** Begins the text of every fault of this bay. */
  name: string
  /** Opens the wire and the device on it. The signal is aborted when the bay no longer needs the result. */
  open(signal: AbortSignal): Promise<{ device: Device; wire: Duplex }>
  /** Identifies or initialises the device; the bay is online once it resolves. */
  started(device: Device): Promise<void>
  clock: Clock
  /** Receives each event. A start that fails for the same reason as the one before is not an event. */
  log?(event: BayEvent): void
  /** The pauses between attempts. Default: from 1 s to 60 s, each up to a fifth shorter or longer. */
  backoff?: { firstMs: number; maxMs: number }
  /** The fault of `use` while there is no device. */
  offlineCode: FaultCode
  /** The fault of `use` when the queue is full. Default: `encoder-busy`. */
  busyCode?: FaultCode
  /** How many users may wait behind the current one. Default: 5. */
  queueLimit?: number
  /** How long opening and starting may take together. Default: 60 s. */
  startTimeoutMs?: number
  /**
   * Whether a start failed because of the device itself, such as a card jam. The bay then does not retry such a device
   * sooner for a waiting user, and refuses each user at once.
   */
  standsStill?(fault: Error): boolean
  /** Calls `retry` whenever the device may have been plugged in. Returns a function that ends this. */
  appears?(retry: () => void): () => void
}
