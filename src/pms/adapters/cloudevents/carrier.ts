import type { CloudEvent } from '../../../events/cloud-event.ts'
import type { Clock } from '../../../host/clock.ts'
import type { Message } from '../../../jsonapi/locales/message.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import type { Call } from '../../call.ts'
import type { BoxState } from '../../contract.ts'
import { gone, tooLarge } from '../http/faults.ts'
import type { Exchanges, RequestType } from './messages/messages.ts'

/**
 * Carries messages to a PMS and back. Failures are DeviceFaults. The PMS's answers are limited in size and parsed, but
 * not validated: the caller validates them.
 */
export interface Carrier {
  /** Sends a request, and resolves with the `data` of its reply. */
  request<Type extends RequestType>(type: Type, data: Exchanges[Type]['data'], call: Call): Promise<unknown>
  /** Resolves when the other side has acknowledged all events. */
  publish(events: readonly CloudEvent[], call: Call): Promise<void>
  /** Reports incoming messages. Returns a function that ends this. */
  follow?(news: CarrierNotifications): () => void
  /** What a person should know of the line although it works. Absent for a carrier that keeps no line. */
  notes?(): readonly Message[]
  /** Ends the carrier: no request follows, and those in progress fail. */
  close(): Promise<void> | void
}

/** Receives what a carrier receives. No method throws or waits. */
export interface CarrierNotifications {
  /** Called with the bytes of an unsolicited message, before any validation. */
  message(bytes: Uint8Array): void
  /** Called when something may have changed: poll for changes. */
  poke(): void
  line(state: 'up' | 'down', reason: string | null): void
}

/** The `vendorCode` of the vendor-error for a reply with too many bytes: the caller may request fewer items. */
export const pageTooLarge = tooLarge

/**
 * The `vendorCode` of the vendor-error for an unknown cursor: a request without a cursor returns all open reservations.
 */
export const cursorGone = gone

/** One way to carry messages. Each has a line in `carriers.ts`. */
export interface CarrierKind {
  /** JSON Schemas of the carrier's part of a configuration's `connection` and `credentials`. */
  connection: Record<string, JsonSchema>
  /** The required members of `connection`. */
  required: readonly string[]
  credentials: Record<string, JsonSchema>
  /** Throws validation-failed for errors that a schema cannot express, with a pointer into the configuration. */
  check(connection: Record<string, unknown>, credentials: Record<string, unknown>): void
  open(setup: CarrierSetup): Carrier
}

/** What a carrier is opened with. */
export interface CarrierSetup {
  configurationId: string
  connection: Record<string, unknown>
  credentials: Record<string, unknown>
  /** The maximum interval between signs of life, where the carrier keeps a line open. */
  heartbeatSeconds: number
  /** How long the carrier waits for one answer. */
  timeoutMs: number
  /** The `source` of the appliance's messages: `urn:property:` and its id. */
  source(): string
  /** Returns the state of the box for a fleet. */
  box?(): BoxState
  /** The epoch of this box. */
  epoch(): number
  clock: Clock
}
