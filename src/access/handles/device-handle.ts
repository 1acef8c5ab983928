import { appearing } from '../../devices/bay/appearing.ts'
import type { Bay } from '../../devices/bay/bay.ts'
import type {
  CardDispenser,
  CardEncoder,
  DispenserStatus,
  Identity,
  Position,
} from '../../devices/capability.ts'
import type { DeviceFault } from '../../devices/fault.ts'
import type { Clock } from '../../host/clock.ts'
import type { Guests } from '../../jsonapi/guests.ts'
import type { AddressedDevice } from '../resources/device-address.ts'
import type { Workshop } from './workshop.ts'

/** The current state of a dispenser: its line and its activity. */
export interface DispenserHandle {
  id: string
  bay: Bay<CardDispenser>
  openedAt: number
  clock: Clock
  identity: Identity | null
  /** The number of starts, and whether a request asked for the next one. */
  starts: number
  restartRequested: boolean
  /**
   * The latest wait for a returned card, which alone may end the state, and the guests at the client that asked for it; null before the
   * first.
   */
  acceptance: { guests: Guests } | null
  activity: 'dispensing' | 'encoding' | 'presenting' | 'capturing' | null
  /**
   * The guest for whom a card waits at the gate; `runId` is null for a card without an issuance. Instants are Unix
   * milliseconds; `until` is in milliseconds of the monotonic clock.
   */
  guest: { runId: string | null; since: number; deadline: number; until: number } | null
  /** Why the machine cannot start; null after a good start. */
  fault: { fault: DeviceFault; since: number } | null
  /** The last status: `at` in Unix milliseconds, `looked` in milliseconds of the monotonic clock. */
  seen: { status: DispenserStatus; at: number; looked: number } | null
  /** The positions of the model; empty before its first start. */
  positions: readonly Position[]
}

/** The current state of an encoder. */
export interface EncoderHandle {
  bay: Bay<CardEncoder>
  identity: Identity | null
  /** The serial number of the card that was issued last, until that card is lifted. */
  issued: string | null
}

/** The options that the bays of dispensers and encoders share. */
export function bayOptions({ clock, log }: Workshop, { name, device: { path, patience } }: AddressedDevice) {
  const slowest = patience ?? 1
  return {
    name,
    clock,
    log,
    appears: (retry: () => void) => appearing(path ?? '', clock, retry),
    backoff: { firstMs: Math.max(20, 1_000 * slowest), maxMs: Math.max(200, 60_000 * slowest) },
    busyCode: 'encoder-busy' as const,
    queueLimit: 20,
  }
}
