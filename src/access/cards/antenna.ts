import type { CardEncoder, CardLockSystem } from '../../devices/capability.ts'
import type { Machines, Property } from '../access.ts'
import type { EncoderHandle } from '../controllers/device-handle.ts'
import { orNull } from '../controllers/device-problem.ts'
import { controllerIn } from '../lookups.ts'
import { lockSystemOf } from '../providers/lock-system-of.ts'
import { type LyingCard, lookAtCard, nothingSeen, wipeCard } from './wipe-card.ts'

/**
 * An encoder of this appliance, for code that reads and erases the card on it. A failing device is reported in the
 * result, not thrown.
 */
export type Antenna = ReturnType<typeof antennaInUse>

const startsWithinMs = 5_000

/** The antenna of an encoder that the caller is already using. */
export function antennaInUse(providerId: string, near: { encoder: CardEncoder; system: CardLockSystem }) {
  return {
    /** The lock system in whose format it reads and erases. */
    providerId,
    /** Whether the encoder answers. Waits up to 5 s for an encoder that is starting. */
    isReady: async (): Promise<boolean> => true,
    look: (): Promise<LyingCard> => lookAtCard(near),
    /** See `wipeCard`. */
    wipe: (expected?: string | null): Promise<LyingCard> => wipeCard(near, expected),
  }
}

/**
 * The antenna of the encoder in a dispenser. Other jobs may use the same encoder: each call waits for its turn. An
 * encoder that does not answer sees no card. Null where no encoder of this appliance stands in the dispenser.
 */
export function antennaIn(access: Property & Machines, dispenserId: string): Antenna | null {
  const controller = controllerIn(access, dispenserId)
  if (!controller?.device?.path) return null
  const found = lockSystemOf(access, controller)
  if (found.kind === 'online') return null
  return antennaOf(controller.providerId, access.devices.encoder(controller), found.system)
}

function antennaOf(providerId: string, { bay }: EncoderHandle, system: CardLockSystem): Antenna {
  const inTurn = async (
    work: (near: { encoder: CardEncoder; system: CardLockSystem }) => Promise<LyingCard>,
  ) => (await orNull(() => bay.use((device) => work({ encoder: device, system })))) ?? nothingSeen
  return {
    providerId,
    isReady: async () => (await orNull(() => bay.ready(startsWithinMs).then(() => true))) ?? false,
    look: () => inTurn(lookAtCard),
    wipe: (expected) => inTurn((near) => wipeCard(near, expected)),
  }
}
