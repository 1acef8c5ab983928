import { isDeepStrictEqual } from 'node:util'
import type { CardContent, CardEncoder, CardLockSystem, FoundCard, Grant } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Clock } from '../../host/clock.ts'

const lookEveryMs = 100

/**
 * Waits until a card lies on the antenna. The card with the serial number `last.issued` does not count until it has
 * been lifted. Rejects with `no-card` after `withinMs` milliseconds.
 */
export async function awaitCard(
  { monotonic, sleep }: Clock,
  encoder: CardEncoder,
  withinMs: number,
  last: { issued: string | null } = { issued: null },
): Promise<FoundCard> {
  const deadline = monotonic() + withinMs
  for (;;) {
    const found = await encoder.find()
    if (!found) last.issued = null
    else if (uidText(found) !== last.issued) return found
    const left = deadline - monotonic()
    if (left <= 0) throw noCard(found !== null, withinMs)
    await sleep(Math.min(lookEveryMs, left))
  }
}

/** The error names the card that was issued last if that card still lies on the encoder. */
function noCard(isLying: boolean, withinMs: number): DeviceFault {
  const seconds = Math.round(withinMs / 1000)
  if (!isLying)
    return new DeviceFault('no-card', `No card was found within ${seconds} s. Put it there, and try again.`)
  return new DeviceFault(
    'no-card',
    'The last card still lies on the encoder. Lift it and place the next one.',
    { guest: 'lift-card' },
  )
}

/**
 * Proves that the card holds the grant: finds the card again, checks its serial number, reads it and compares the
 * grant. Rejects with `card-removed` when the card is gone or another one lies there, and with `card-verify-failed`
 * when its content differs.
 */
export async function prove(
  system: CardLockSystem,
  encoder: CardEncoder,
  card: FoundCard,
  grant: Grant,
): Promise<void> {
  const again = await encoder.find()
  if (!again)
    throw new DeviceFault(
      'card-removed',
      'The card was taken away before it was verified. Its content is not known.',
    )
  if (!sameUid(again, card))
    throw new DeviceFault('card-removed', 'Another card lay on the encoder when the card was verified.')
  if (!isGrantOnCard(await system.read(encoder, again), grant))
    throw new DeviceFault(
      'card-verify-failed',
      'The content of the card differs from what was written. Use another card.',
    )
}

/** Whether two found cards have the same serial number. */
export function sameUid(a: FoundCard, b: FoundCard): boolean {
  return Buffer.compare(a.uid, b.uid) === 0
}

/** The card's serial number as the interface shows it. */
export function uidText(card: { uid: Uint8Array }): string {
  return Buffer.from(card.uid).toString('hex').toUpperCase()
}

/**
 * Whether the card holds the grant, with its window in whole seconds, because the clock of a lock counts seconds. The
 * window is never shorter than ordered: 10:00:00.400 to 11:00:00.400 becomes 10:00:00 to 11:00:01.
 */
function isGrantOnCard({ grant }: CardContent, requested: Grant): boolean {
  if (!grant) return false
  const expected = {
    ...requested,
    authorizations: [...new Set(requested.authorizations)].sort(),
    validFrom: Math.floor(requested.validFrom / 1000) * 1000,
    validUntil: Math.ceil(requested.validUntil / 1000) * 1000,
  }
  return isDeepStrictEqual({ ...grant, authorizations: [...grant.authorizations].sort() }, expected)
}
