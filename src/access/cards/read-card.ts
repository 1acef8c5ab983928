import type { CardContent } from '../../devices/capability.ts'
import { DeviceFault, ifFault } from '../../devices/fault.ts'
import type { Access } from '../access.ts'
import { isOnline, lockCall, onlineSystem } from '../providers/lock-system-of.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { type Key, key } from '../resources/key.ts'
import { atEncoder } from './at-encoder.ts'
import { awaitCard, uidText } from './card-in-field.ts'

/** The interval between looks for the next card at an encoder of a lock system. */
const lookEveryMs = 500

/** The content of a card, read by this appliance or by the lock system. */
export interface FoundOnCard {
  /** Its serial number; null where the lock system does not report it. */
  uid: string | null
  /** Null where only the lock system knows it. */
  format: string | null
  blank: boolean
  /** Whether it holds a key at all. */
  isKey: boolean
  /** The lock that the card opens, and the window in Unix milliseconds; null without a key. */
  lock: string | null
  validFrom: number | null
  validUntil: number | null
  /** The credential number; null without a key, and on a card that the lock system makes itself. */
  credential: number | null
  defect: CardContent['defect']
  /** Further remarks of the lock system, as sentences. */
  remarks: readonly string[]
}

/**
 * Reads the card on a controller's encoder, itself or through the lock system. Resolves with null where the lock system
 * reads no cards. Rejects with no-card.
 */
export async function readCard(access: Access, controller: AccessController): Promise<FoundOnCard | null> {
  if (isOnline(access, controller)) return askLockSystem(access, controller)
  const content = await readOnEncoder(access, controller, handTakesMs(controller))
  const { format, blank, grant, defect } = content
  const { lock = null, validFrom = null, validUntil = null, credential = null } = grant ?? {}
  const onCard = { isKey: grant !== null, lock, validFrom, validUntil, credential }
  return { uid: uidText(content), format, blank, ...onCard, defect, remarks: [] }
}

/** Reads the card that lies on an encoder of this appliance within `withinMs`. Rejects with no-card. */
export function readOnEncoder(
  access: Access,
  controller: AccessController,
  withinMs: number,
): Promise<CardContent> {
  return atEncoder(access, controller, async ({ encoder, system }) => {
    const card = await awaitCard(access.clock, encoder, withinMs)
    const content = await system.read(encoder, card)
    await encoder.off()
    return content
  })
}

/** The wait for a card in milliseconds: 1000 in a dispenser; at a desk the timeout less 3 s, but at least 500. */
export function handTakesMs({ dispenserId, timeoutMs }: AccessController): number {
  return dispenserId ? 1_000 : Math.max(500, (timeoutMs ?? 18_000) - 3_000)
}

async function askLockSystem(access: Access, controller: AccessController): Promise<FoundOnCard | null> {
  const { read } = onlineSystem(access, controller)
  if (!read) return null
  const { uid, blank, found, remarks } = await access.lines.counted(controller, () =>
    read(controller.externalCode ?? null, lockCall(access.clock, controller)),
  )
  const { locks: [lock = null] = [], validFrom = null, validUntil = null } = found ?? {}
  const onCard = { isKey: found !== null, lock, validFrom, validUntil, credential: null }
  return { uid, format: null, blank, ...onCard, defect: null, remarks }
}

/**
 * Waits until another card, or none, lies on an encoder of a lock system, before the next key is written to it: the
 * lock system overwrites any card. Rejects with no-card when the card of the key is not taken away in time, and where
 * the lock system can tell neither what lies there nor what it has written to. An encoder of this appliance looks for
 * another card itself.
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
    const seen = await readCard(access, controller).catch(ifFault('no-card', 'none'))
    if (seen === null && made.uid === null)
      throw new DeviceFault('no-card', 'Lay the next card on the encoder, and ask for the remaining keys.')
    if (seen === null || seen === 'none' || !isSame(seen, made)) return
    if (clock.monotonic() >= deadline)
      throw new DeviceFault('no-card', 'The card of the key before was not taken from the encoder in time.')
    await clock.sleep(lookEveryMs)
  }
}

/** Whether the card is that of the key: by its serial number, or where none is reported by the lock that it opens. */
function isSame(seen: FoundOnCard, { uid, lock }: Key): boolean {
  return seen.uid && uid ? seen.uid === uid : !seen.blank && seen.lock === lock
}
