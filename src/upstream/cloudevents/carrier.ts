import type { CloudEvent } from '../../events/cloud-event.ts'
import type { Call } from '../adapter.ts'
import type { Exchanges, RequestType } from './messages.ts'

/**
 * What brings messages to a PMS and back. Failures are DeviceFaults; what the PMS says is handed on as it is, bounded and
 * parsed and otherwise unread: whoever asked checks it.
 */
export interface Carrier {
  /** Sends a request, and resolves with the `data` of its reply. */
  request<Type extends RequestType>(type: Type, data: Exchanges[Type]['data'], call: Call): Promise<unknown>
  /** Resolves when the other side has confirmed to have all of them. */
  publish(events: readonly CloudEvent[], call: Call): Promise<void>
  /** Tells what comes by itself, until the returned function is called. */
  follow?(news: CarrierNews): () => void
  /** Nothing is asked any more; what is under way fails. */
  close(): Promise<void> | void
}

/** What a carrier hears. None of these throws or waits. */
export interface CarrierNews {
  /** A message that came by itself, as its bytes: nothing is known of it yet. */
  message(bytes: Uint8Array): void
  /** Something may have changed: ask. */
  nudge(): void
  line(state: 'up' | 'down', reason: string | null): void
}

/** What opens a carrier needs to know of the connection. */
export interface CarrierSetup {
  configurationId: string
  connection: Record<string, unknown>
  credentials: Record<string, unknown>
  /** Of the house's messages: `urn:property:` and its id. */
  source(): string
  /** Unix milliseconds. */
  now(): number
}
