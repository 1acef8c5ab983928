import type { Duplex } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import type { BayEvent } from './bay-event.ts'
import type { FaultCode } from './fault.ts'

/** What a bay is opened with. */
export interface BayOptions<Device> {
  /** Begins the text of every fault of this bay. */
  name: string
  /** Opens the wire and the device on it. The signal says that nobody waits for it any more. */
  open(signal: AbortSignal): Promise<{ device: Device; wire: Duplex }>
  /** Identifies or initialises the device; the bay is online once it resolves. */
  started(device: Device): Promise<void>
  clock: Clock
  /** Told of each event; a start that fails for the same reason as the one before is not an event. */
  log?(event: BayEvent): void
  /** From 1 s to 60 s unless said otherwise, each pause up to a fifth shorter or longer. */
  backoff?: { firstMs: number; maxMs: number }
  /** The fault of `use` while there is no device. */
  offlineCode: FaultCode
  /** The fault of `use` when the queue is full; `encoder-busy` unless said otherwise. */
  busyCode?: FaultCode
  /** How many may wait behind the one at work; 5 unless said otherwise. */
  queueLimit?: number
  /** How long opening and starting may take together; 60 s unless said otherwise. */
  startTimeoutMs?: number
  /**
   * Whether a start failed because of the device itself, such as a jam: it is not tried more often because somebody wants it,
   * and who does is refused at once.
   */
  standsStill?(fault: Error): boolean
  /** Calls `nudge` whenever the device may be there again; gives what ends that. */
  appears?(nudge: () => void): () => void
}
