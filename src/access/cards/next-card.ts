import { DeviceFault } from '../../devices/fault.ts'
import type { Access } from '../access.ts'
import { isOnline } from '../providers/lock-system-of.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { type Key, key } from '../resources/key.ts'
import { type FoundOnCard, handTakesMs, readCard } from './read-card.ts'

const lookEveryMs = 500

/**
 * Waits until another card, or none, lies on an encoder of a lock system, before the next key is written to it: the lock system
 * overwrites any card. Rejects with no-card when the card of the key is not taken away in time, and where the lock system can
 * tell neither what lies there nor what it has written to. An encoder of this appliance looks for another card itself.
 */
export async function expectNextCard(
  access: Access,
  controller: AccessController,
  keyId: string,
): Promise<void> {
  const { keyType, dispenserId } = controller
  if (keyType !== 'keyCard' || dispenserId || !isOnline(access, controller)) return
  const { reader, clock } = access
  const made = reader.row(key, keyId)!
  const deadline = clock.monotonic() + handTakesMs(controller)
  for (;;) {
    const seen = await look(access, controller)
    if (seen === 'unreadable' && made.uid === null)
      throw new DeviceFault('no-card', 'Lay the next card on the encoder, and ask for the remaining keys.')
    if (seen === 'unreadable' || seen === null || !isSame(seen, made)) return
    if (clock.monotonic() >= deadline)
      throw new DeviceFault('no-card', 'The card of the key before was not taken from the encoder in time.')
    await clock.sleep(lookEveryMs)
  }
}

/** Throws no-card when a key was written over the card of the one before. */
export function expectOtherCard({ reader }: Access, before: string, keyId: string): void {
  const [one, other] = [before, keyId].map((id) => reader.row(key, id)?.uid)
  if (one && one === other)
    throw new DeviceFault(
      'no-card',
      'The card of the key before still lay on the encoder and was overwritten: that key is on no card any more.',
    )
}

async function look(
  access: Access,
  controller: AccessController,
): Promise<FoundOnCard | 'unreadable' | null> {
  try {
    return (await readCard(access, controller)) ?? 'unreadable'
  } catch (error) {
    if (error instanceof DeviceFault && error.code === 'no-card') return null
    throw error
  }
}

/** Whether the card is that of the key: by its serial number, or where none is reported by the lock that it opens. */
function isSame(seen: FoundOnCard, { uid, lock }: Key): boolean {
  return seen.uid && uid ? seen.uid === uid : !seen.blank && seen.lock === lock
}
