import type { CardContent } from '../../devices/capability.ts'
import type { Access } from '../access.ts'
import { lockCall } from '../providers/lock-call.ts'
import { isOnline, onlineSystem } from '../providers/lock-system-of.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { atEncoder } from './at-encoder.ts'
import { awaitCard, uidText } from './card-in-field.ts'

/** What was found on a card, whoever has read it. */
export interface FoundOnCard {
  /** Its serial number; null where the lock system did not tell it. */
  uid: string | null
  /** Null where only the lock system knows it. */
  format: string | null
  blank: boolean
  /** Whether it holds a key at all. */
  isKey: boolean
  /** The lock that it opens, and from when until when in Unix milliseconds; null where it holds no key. */
  lock: string | null
  validFrom: number | null
  validUntil: number | null
  /** The number of the key; null without one, and on the card of a lock system that makes its own keys. */
  credential: number | null
  defect: CardContent['defect']
  /** What the lock system says of it besides, in sentences. */
  remarks: readonly string[]
}

/**
 * Reads the card on a controller's encoder: itself, or by the lock system that makes its own keys. Null where that reads
 * none. Rejects with no-card.
 */
export async function readCard(access: Access, controller: AccessController): Promise<FoundOnCard | null> {
  if (isOnline(access, controller)) return askLockSystem(access, controller)
  const content = await readOnEncoder(access, controller, handTakesMs(controller))
  const { format, blank, grant, defect } = content
  const { lock = null, validFrom = null, validUntil = null, credential = null } = grant ?? {}
  const found = { lock, validFrom, validUntil, credential }
  return { uid: uidText(content), format, blank, isKey: grant !== null, ...found, defect, remarks: [] }
}

/** What lies on an encoder of ours, or is laid there in time. Rejects with no-card. */
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

/** A hand may need a while to lay the card down; inside a dispenser it is there or it is not. */
export function handTakesMs({ dispenserId, timeoutMs }: AccessController): number {
  return dispenserId ? 1_000 : Math.max(500, (timeoutMs ?? 18_000) - 3_000)
}

async function askLockSystem(access: Access, controller: AccessController): Promise<FoundOnCard | null> {
  const { read } = onlineSystem(access, controller)
  if (!read) return null
  const { uid, blank, found, remarks } = await access.lines.inLine(controller, () =>
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
