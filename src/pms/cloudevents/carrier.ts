import type { CloudEvent } from '../../events/cloud-event.ts'
import type { Clock } from '../../host/clock.ts'
import type { JsonSchema } from '../../resource/fields.ts'
import type { Call } from '../adapter.ts'
import { gone, tooLarge } from '../http/faults.ts'
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

/** The `vendorCode` of the vendor-error of a reply that has too many bytes: less may be asked for. */
export const pageTooLarge = tooLarge

/** The `vendorCode` of the vendor-error of a PMS that has forgotten a cursor: without one it tells all that is not over. */
export const cursorGone = gone

/** One way to carry messages. Each has a line in `carriers.ts`. */
export interface CarrierKind {
  /** JSON Schemas of what a configuration's `connection` and `credentials` say to it. */
  connection: Record<string, JsonSchema>
  /** Names of `connection` that must be there. */
  required: readonly string[]
  credentials: Record<string, JsonSchema>
  /** Throws validation-failed for what a schema cannot say, with a pointer into the configuration. */
  check(connection: Record<string, unknown>, credentials: Record<string, unknown>): void
  open(setup: CarrierSetup): Carrier
}

/** What a carrier is opened with. */
export interface CarrierSetup {
  configurationId: string
  connection: Record<string, unknown>
  credentials: Record<string, unknown>
  /** How often at least the other side is heard of, where the carrier keeps a line open. */
  heartbeatSeconds: number
  /** How long one answer is waited for. */
  timeoutMs: number
  /** Of the house's messages: `urn:property:` and its id. */
  source(): string
  clock: Clock
}
