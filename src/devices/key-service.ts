import type { Duplex } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import type { BayEvent } from './bay-event.ts'
import type { Provenance } from './driver.ts'
import type { WallTime } from './lock-system.ts'
import type { WireMask } from './mask.ts'
import type { Refusals } from './network/visitors.ts'

/** What a foreign PMS asks for at one of our encoders. Dates are YYYY-MM-DD, times HH:MM, as it has them. */
export interface ServiceRequest {
  kind: 'create' | 'revoke' | 'read'
  /** Its own word for the encoder. */
  encoder: string
  /** The unit's name; null where none was said, as when a card is read. */
  unit: string | null
  extraUnits: readonly string[]
  key: 'original' | 'copy' | 'one-shot'
  /** Its number for the reservation. */
  reservation: string | null
  from: string | null
  until: string | null
  untilTime: string | null
  /** Authorizations that it switches on and off by name; what it does not name stays as it is. */
  on: readonly string[]
  off: readonly string[]
}

/** What became of it. `text` is for the clerk at the PMS, and holds nothing that is secret. */
export type ServiceAnswer =
  | { outcome: 'done'; text: string | null; uid: string | null; found: ServiceFound | null }
  /** Nothing was done; it may be asked again. */
  | { outcome: 'busy'; text: string }
  /** Nothing was done, or nobody knows what was: it must not be asked again by itself. */
  | { outcome: 'refused'; text: string }

/** What was read from a card. */
export interface ServiceFound {
  unit: string | null
  reservation: string | null
  until: WallTime | null
}

export interface ServiceSetup {
  /** Begins the text of its faults. */
  name: string
  /** Checked against the driver's schema. */
  connection: Record<string, unknown>
  openWire(path: string, options: { baudRate: number; signal: AbortSignal }): Promise<Duplex>
  /** What the clock on the wall shows now. */
  wallTime(): WallTime
  clock: Clock
  log(event: BayEvent): void
  /** Never rejects. */
  handle(request: ServiceRequest): Promise<ServiceAnswer>
}

/** A link to a foreign PMS, which is kept open for ever. */
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

/** How a foreign PMS orders keys of us: we are the key system it knows. */
export interface KeyServiceDriver {
  /** The word used in a key service's configuration. */
  name: string
  vendor: string
  provenance: Provenance
  /** JSON Schema of a key service's `connection`. */
  connection: Record<string, unknown>
  /** Of the wires that it opens, as a device's driver has one. */
  mask?: () => WireMask
  /** Never throws; what cannot be reached is looked for, for ever. */
  open(setup: ServiceSetup): ServiceLink
}
