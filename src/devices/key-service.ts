import type { Duplex } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import type { BayEvent } from './bay/bay-event.ts'
import type { Provenance } from './driver.ts'
import type { WallTime } from './lock-system.ts'
import type { WireMask } from './mask.ts'
import type { Refusals } from './network/visitors.ts'

/**
 * A request of a foreign PMS at an encoder of this appliance. Dates are YYYY-MM-DD, times HH:MM, as the PMS sends them.
 */
export interface ServiceRequest {
  kind: 'create' | 'revoke' | 'read'
  /** The PMS's own name for the encoder. */
  encoder: string
  /** The unit's name; null where the PMS named none, as for the reading of a card. */
  unit: string | null
  extraUnits: readonly string[]
  key: 'original' | 'copy' | 'one-shot'
  /** The PMS's number for the reservation. */
  reservation: string | null
  from: string | null
  until: string | null
  untilTime: string | null
  /** Authorizations that the PMS switches on, and then those that it switches off, by name. Others stay as they are. */
  on: readonly string[]
  off: readonly string[]
}

/** The result of a request. `text` is for the clerk at the PMS, and contains no secret. */
export type ServiceAnswer =
  | { outcome: 'done'; text: string | null; uid: string | null; found: ServiceFound | null }
  /** Nothing was done; the PMS may repeat the request. */
  | { outcome: 'busy'; text: string }
  /** Nothing was done, or the outcome is unknown: the PMS must not repeat the request without a person. */
  | { outcome: 'refused'; text: string }

/** The content of a card that was read. */
export interface ServiceFound {
  unit: string | null
  reservation: string | null
  until: WallTime | null
}

export interface ServiceSetup {
  /** Begins the text of its faults. */
  name: string
  /** Validated against the driver's schema. */
  connection: Record<string, unknown>
  openWire(path: string, options: { baudRate: number; signal: AbortSignal }): Promise<Duplex>
  /** The current local time. */
  wallTime(): WallTime
  clock: Clock
  log(event: BayEvent): void
  /** Never rejects. */
  handle(request: ServiceRequest): Promise<ServiceAnswer>
}

/** A link to a foreign PMS, which the appliance keeps open. */
export interface ServiceLink {
  state(): {
    line: 'offline' | 'starting' | 'online'
    since: number
    fault: Error | null
    /** The connections that were refused within the last hour. */
    refusals: readonly Refusals[]
  }
  close(): Promise<void>
}

/** How a foreign PMS orders keys from this appliance: to the PMS, the appliance is the key system. */
export interface KeyServiceDriver {
  /** The name of the driver in a key service's configuration. */
  name: string
  vendor: string
  provenance: Provenance
  /** JSON Schema of a key service's `connection`. */
  connection: Record<string, unknown>
  /** Creates a mask for each wire that the link opens, as for the driver of a device. */
  mask?: () => WireMask
  /** Never throws. When the PMS cannot be reached, the link reconnects without end. */
  open(setup: ServiceSetup): ServiceLink
}
