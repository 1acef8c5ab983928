import type { Transaction } from '../../../resource/command.ts'
import { having } from '../../../resource/query.ts'
import { type Key, key } from '../../resources/key.ts'
import { isOpen } from '../life/key-life.ts'
import { isOfOwner, keysOfOwner } from '../life/key-owner.ts'
import type { KeyOrder } from '../orders/key-order.ts'
import type { SealedPin } from '../orders/pins.ts'
import { meet } from './lock-order.ts'

const dayMs = 86_400_000
/** The time before and after a key's window in which no other key of the property gets its PIN. */
const guardMs = dayMs
/** The time after the window at the same lock, where the earlier guest may still remember the PIN. */
const rememberedMs = 30 * dayMs

/** The first of an order's PINs that no other key has near the order's window; null when each is taken. */
export function freePin(tx: Transaction, order: KeyOrder): SealedPin | null {
  return order.pins.find((pin) => !keysWith(tx, pin).some((other) => isTaken(other, order))) ?? null
}

/** The owner of a PIN: a key, and the other keys of its stay. */
type Owner = Pick<Partial<Key>, 'id' | 'externalId' | 'stayId'>

/**
 * Whether a key of another owner with the same PIN may open in the window of an order. Only the windows count, without
 * the time that `freePin` keeps around them.
 */
export function hasOtherOwner(
  tx: Transaction,
  mark: string | null | undefined,
  owner: Owner,
  order: Pick<KeyOrder, 'validFrom' | 'validUntil'>,
): boolean {
  if (!mark) return false
  return keysWith(tx, { mark }).some(
    (other) => other.id !== owner.id && !isOfOwner(other, owner) && mayOpenYet(other) && meet(other, order),
  )
}

function mayOpenYet({ status, proof }: Key): boolean {
  return status === 'virtual' || (isOpen(status) && !proof)
}

/**
 * The stay's earlier PIN at this lock system; null when there is none or another stay has it now. PINs of failed and
 * blocked keys are not used again.
 */
export function keptPin(tx: Transaction, order: KeyOrder, stayId: string | null): SealedPin | null {
  const { request, providerId } = order
  const { externalId } = request
  if (externalId === null) return null
  const last = keysOfOwner(tx, { externalId, stayId })
    .filter((each) => each.providerId === providerId && each.original && each.pinSealed)
    .filter(({ status }) => status !== 'blocked' && status !== 'failed')
    .sort((one, other) => (other.credential ?? 0) - (one.credential ?? 0))[0]
  if (!last || hasOtherOwner(tx, last.pinMark, { externalId, stayId }, order)) return null
  return { sealed: last.pinSealed ?? '', mark: last.pinMark ?? '', shown: last.pin ?? '' }
}

function keysWith(tx: Transaction, { mark }: Pick<SealedPin, 'mark'>): Key[] {
  return tx.select(key, having({ pinMark: mark }))
}

function isTaken(other: Key, order: KeyOrder): boolean {
  const after = other.lock === order.lock ? rememberedMs : guardMs
  const from = (other.validFrom ?? 0) - guardMs
  const until = (other.validUntil ?? 0) + after
  return from < order.validUntil && order.validFrom < until
}
