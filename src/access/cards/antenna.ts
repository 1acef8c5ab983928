import type { CardEncoder, CardLockSystem } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Machines, Property } from '../access.ts'
import type { EncoderHandle } from '../controllers/device-handle.ts'
import { controllerIn } from '../lookups.ts'
import { lockSystemOf } from '../providers/lock-system-of.ts'
import { type LyingCard, lookAtCard, nothingSeen, wipeCard } from './wipe-card.ts'

/** The encoder of ours on which a card lies, for one who reads and erases what is there. Failing devices are answers. */
export interface Antenna {
  /** The lock system as which it reads and erases. */
  providerId: string
  /** Whether the encoder answers; one that is just starting is waited for. */
  isReady(): Promise<boolean>
  look(): Promise<LyingCard>
  /** See `wipeCard`. */
  wipe(expected?: string | null): Promise<LyingCard>
}

const startsWithinMs = 5_000

/** The antenna of an encoder that is in use already. */
export function antennaInUse(
  providerId: string,
  near: { encoder: CardEncoder; system: CardLockSystem },
): Antenna {
  return {
    providerId,
    isReady: async () => true,
    look: () => lookAtCard(near),
    wipe: (expected) => wipeCard(near, expected),
  }
}

/**
 * The antenna of ours in a dispenser, which others may be using: each call takes its turn. One that is away sees nothing.
 * Null where there is none.
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
  ) => (await orNull(bay.use((device) => work({ encoder: device, system })))) ?? nothingSeen
  return {
    providerId,
    isReady: async () => (await orNull(bay.ready(startsWithinMs).then(() => true))) ?? false,
    look: () => inTurn(lookAtCard),
    wipe: (expected) => inTurn((near) => wipeCard(near, expected)),
  }
}

/** Null for a device that cannot be used now. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof DeviceFault) return null
    throw error
  }
}
