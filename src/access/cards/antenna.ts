import type { CardContent, CardEncoder, CardLockSystem, FoundCard } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Machines } from '../access.ts'
import { orNull } from '../handles/device-problem.ts'
import { controllerIn } from '../lookups.ts'
import { lockSystemOf } from '../providers/lock-system-of.ts'
import { sameUid, uidText } from './card-in-field.ts'

/** An encoder of this appliance, and the lock system in whose format it reads, writes and erases. */
export interface Near {
  encoder: CardEncoder
  system: CardLockSystem
}

/** The card on an antenna. `unread`: none, or not readable. Cards of kind `foreign` and `staff` must not be erased. */
export interface LyingCard {
  /** Its serial number; null where no card was found. */
  uid: string | null
  kind: 'guest' | 'staff' | 'foreign' | 'unread'
  /** The credential of the key on it; null where none was read. */
  credential: number | null
  /** It was read and holds no data. */
  blank: boolean
  /** It held data, and was erased just now. */
  erased: boolean
}

/** The result where no card can be read. */
export const nothingSeen: LyingCard = {
  uid: null,
  kind: 'unread',
  credential: null,
  blank: false,
  erased: false,
}

/** Reads and erases the card on an encoder. A failing device is reported in the result, not thrown. */
export type Antenna = ReturnType<typeof antennaOf>

const startsWithinMs = 5_000

/** The antenna of an encoder that each call gets from `use`. The lock system is that of the provider. */
export function antennaOf(
  providerId: string,
  use: (work: (near: Near) => Promise<LyingCard>) => Promise<LyingCard>,
  isReady: () => Promise<boolean> = async () => true,
) {
  return {
    providerId,
    /** Whether the encoder answers. Waits up to 5 s for an encoder that is starting. */
    isReady,
    /** Reads the card. */
    look: () => use((near) => atCard(near, async (_, seen) => seen)),
    /** See `wipeCard`. */
    wipe: (expected?: string | null) => use((near) => wipeCard(near, expected)),
  }
}

/**
 * The antenna of the encoder in a dispenser. Other jobs may use the same encoder: each call waits for its turn. An
 * encoder that does not answer sees no card. Null where no encoder of this appliance stands in the dispenser.
 */
export function antennaIn(access: Machines, dispenserId: string): Antenna | null {
  const controller = controllerIn(access, dispenserId)
  if (!controller?.device?.path) return null
  const found = lockSystemOf(access, controller)
  if (found.kind === 'online') return null
  const { system } = found
  const { bay } = access.devices.encoder(controller)
  return antennaOf(
    controller.providerId,
    async (work) => (await orNull(() => bay.use((encoder) => work({ encoder, system })))) ?? nothingSeen,
    async () => (await orNull(() => bay.ready(startsWithinMs).then(() => true))) ?? false,
  )
}

/**
 * Erases the card on the antenna and reads it back. `blank` is true only if this is proven. A card of kind `staff` or
 * `foreign`, and one with another serial number than `expected`, is not changed; of the latter nothing is reported. A
 * failing device does not reject.
 */
export function wipeCard(near: Near, expected: string | null = null): Promise<LyingCard> {
  return atCard(near, async (card, seen) => {
    // Another card proves nothing of the expected one, least of all a blank card.
    if (expected !== null && seen.uid !== expected) return nothingSeen
    if (seen.blank || seen.kind === 'staff' || seen.kind === 'foreign') return seen
    const blank = await eraseAndRead(near, card)
    return { ...seen, blank, erased: blank }
  })
}

/** Reads the card, runs `work` with it, and turns the field off, so that the card may be moved. No fault is thrown. */
async function atCard(
  near: Near,
  work: (card: FoundCard, seen: LyingCard) => Promise<LyingCard>,
): Promise<LyingCard> {
  let seen = nothingSeen
  try {
    const card = await near.encoder.find()
    if (!card) return seen
    seen = { ...nothingSeen, uid: uidText(card), ...(await contentSeen(near, card)) }
    seen = await work(card, seen)
    await near.encoder.off()
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
  }
  return seen
}

/** Erases a card that was found. Resolves with whether the same card is read back blank. */
export async function eraseAndRead({ encoder, system }: Near, card: FoundCard): Promise<boolean> {
  await system.erase(encoder, card)
  const again = await encoder.find()
  return again !== null && sameUid(again, card) && (await system.read(encoder, again)).blank
}

/** Reads a card. A half-written card may fail to be read and can still be erased. */
async function contentSeen({ encoder, system }: Near, card: FoundCard): Promise<Partial<LyingCard>> {
  try {
    const content = await system.read(encoder, card)
    return { kind: kindOf(content), credential: content.grant?.credential ?? null, blank: content.blank }
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    return { kind: error.code === 'card-incompatible' ? 'foreign' : 'unread' }
  }
}

function kindOf({ defect, grant }: CardContent): LyingCard['kind'] {
  if (defect === 'foreign') return 'foreign'
  return grant?.usage === 'Staff' ? 'staff' : 'guest'
}
