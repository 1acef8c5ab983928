import type { CardContent, CardEncoder, CardLockSystem, FoundCard } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import { sameUid, uidText } from './card-in-field.ts'

/**
 * The card on an antenna. `unread`: no card, or one that cannot be read. Cards of kind `foreign` and `staff` must not
 * be erased.
 */
export interface LyingCard {
  /** Its serial number; null where no card was found. */
  uid: string | null
  kind: 'guest' | 'staff' | 'foreign' | 'unread'
  /** It was read and holds no data. */
  blank: boolean
  /** It held data, and was erased just now. */
  erased: boolean
}

interface Near {
  encoder: CardEncoder
  system: CardLockSystem
}

/** The result where no card can be read. */
export const nothingSeen: LyingCard = { uid: null, kind: 'unread', blank: false, erased: false }

/** Reads the card on the antenna. A failing device does not reject: the card is `unread` then. */
export function lookAtCard(near: Near): Promise<LyingCard> {
  return atCard(near, async (_, seen) => seen)
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

/** Reads the card, runs `work` with it, and turns the field off. The card may be moved only while the field is off. */
async function atCard(
  near: Near,
  work: (card: FoundCard, seen: LyingCard) => Promise<LyingCard>,
): Promise<LyingCard> {
  let seen = nothingSeen
  try {
    const card = await near.encoder.find()
    if (!card) return seen
    seen = await readCardThere(near, card)
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
async function readCardThere({ encoder, system }: Near, card: FoundCard): Promise<LyingCard> {
  const uid = uidText(card)
  try {
    const content = await system.read(encoder, card)
    return { ...nothingSeen, uid, kind: kindOf(content), blank: content.blank }
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    return { ...nothingSeen, uid, kind: error.code === 'card-incompatible' ? 'foreign' : 'unread' }
  }
}

function kindOf({ defect, grant }: CardContent): LyingCard['kind'] {
  if (defect === 'foreign') return 'foreign'
  return grant?.usage === 'Staff' ? 'staff' : 'guest'
}
