import { appearing } from '../../devices/appearing.ts'
import type { Bay } from '../../devices/bay.ts'
import type {
  CardDispenser,
  CardEncoder,
  DispenserStatus,
  Identity,
  Position,
} from '../../devices/capability.ts'
import type { DeviceFault } from '../../devices/fault.ts'
import type { Clock } from '../../host/clock.ts'
import type { DeviceAddress } from './device-address.ts'
import type { Workshop } from './workshop.ts'

/** A dispenser as it is now: its line, and what it is busy with. */
export interface DispenserHandle {
  id: string
  bay: Bay<CardDispenser>
  openedAt: number
  clock: Clock
  identity: Identity | null
  /** How often it has started; and whether somebody asked for the next time. */
  starts: number
  restartAsked: boolean
  /** How often it has waited for a returned card: only who began last may end that. */
  acceptances: number
  activity: 'dispensing' | 'encoding' | 'presenting' | 'capturing' | null
  /**
   * The guest in front of it, while a card waits at the gate; without a run it is a card that nobody made now. Unix
   * milliseconds, and `until` on the clock that never goes back.
   */
  guest: { runId: string | null; since: number; deadline: number; until: number } | null
  /** What stands in the way of the next card: why it did not start, until it has started well. */
  fault: { fault: DeviceFault; since: number } | null
  /** `at` in Unix milliseconds, `looked` on the clock that never goes back. */
  seen: { status: DispenserStatus; at: number; looked: number } | null
  /** What the model can do, once it was asked. */
  positions: readonly Position[]
}

/** An encoder as it is now. */
export interface EncoderHandle {
  bay: Bay<CardEncoder>
  identity: Identity | null
  /** The card that was made here last, until it was seen to be gone. */
  issued: string | null
}

/** What the bays of dispensers and of encoders have in common. */
export function bayOptions({ clock, log }: Workshop, name: string, { path, patience }: DeviceAddress) {
  const slowest = patience ?? 1
  return {
    name,
    clock,
    log,
    appears: (nudge: () => void) => appearing(path ?? '', clock, nudge),
    backoff: { firstMs: Math.max(20, 1_000 * slowest), maxMs: Math.max(200, 60_000 * slowest) },
    busyCode: 'encoder-busy' as const,
    queueLimit: 20,
  }
}
