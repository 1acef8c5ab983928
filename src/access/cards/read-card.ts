import type { CardContent } from '../../devices/capability.ts'
import type { Access } from '../access.ts'
import { isOnline, lockCall, onlineSystem } from '../providers/lock-system-of.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { atEncoder } from './at-encoder.ts'
import { awaitCard, uidText } from './card-in-field.ts'

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
  const found = { lock, validFrom, validUntil, credential }
  return { uid: uidText(content), format, blank, isKey: grant !== null, ...found, defect, remarks: [] }
}

/**
 * Reads the card on an encoder of this appliance, or the one that is laid there within `withinMs` milliseconds. Rejects
 * with no-card.
 */
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

/**
 * The time to wait for a card, in milliseconds: 1000 inside a dispenser; at a front desk the timeout less 3 s, but at
 * least 500.
 */
export function handTakesMs({ dispenserId, timeoutMs }: AccessController): number {
  return dispenserId ? 1_000 : Math.max(500, (timeoutMs ?? 18_000) - 3_000)
}

async function askLockSystem(access: Access, controller: AccessController): Promise<FoundOnCard | null> {
  const { read } = onlineSystem(access, controller)
  if (!read) return null
  const { uid, blank, found, remarks } = await access.lines.counted(controller, () =>
    read(controller.externalCode ?? null, lockCall(access.clock, controller)),
  )
  return {
    uid,
    format: null,
    blank,
    isKey: found !== null,
    lock: found?.locks[0] ?? null,
    validFrom: found?.validFrom ?? null,
    validUntil: found?.validUntil ?? null,
    credential: null,
    defect: null,
    remarks,
  }
}
