import type { Transaction } from '../../../resource/command.ts'
import { isSharedLock } from '../../resources/door.ts'
import type { Key } from '../../resources/key.ts'
import { type KeyDoor, numberAt, type RequestedValues } from '../../resources/key-door.ts'
import { isOnItsWay } from '../life/keys-on-card.ts'
import type { KeyOrder } from '../orders/key-order.ts'
import { isInForce } from './in-force.ts'
import { isCountedSpare, keyOfSharer, keysAtDoor, keysThatMayReturn, supersedesOthers } from './lock-order.ts'
import { isAbove, unknownUpTo } from './unknown-keys.ts'

/** A lock, and the type of the keys that are asked for. */
type AtLock = Pick<KeyOrder, 'providerId' | 'keyType'> & { lock: string }

/**
 * The doors of a new key, the main door first. A lock distinguishes a newer key from an older one by their numbers: a copy has
 * those of its original. An original that supersedes others has the next number at each lock. A one-shot key and a spare have the
 * number of the key in force, the first of a stay has that of guests who share the unit, and every key of a shared lock has the same
 * number, so they end no key. Only an override ends all keys of a shared lock: the card that was lost there has their number.
 */
export function numberedDoors(
  tx: Transaction,
  order: KeyOrder,
  copied: Key | undefined,
  stayId: string | null | undefined,
): KeyDoor[] {
  const { request, providerId, keyType, lock, extraLocks, countsItself, validFrom, validUntil } = order
  const { usage, unitName, extraUnits } = request
  const endsOthers = supersedesOthers({ original: true, usage })
  const door = (name: string | null, code: string, isNew: boolean, isShared?: boolean) => {
    const at = { id: null, providerId, keyType, lock: code, validFrom, validUntil }
    const like = copied ?? (endsOthers ? keyOfSharer(tx, at, stayId) : undefined)
    const likeNumber = like ? numberAt(like, code) : 0
    const number = likeNumber || (isNew && !copied ? numberOfNew(tx, at, isShared) : sameNumber(tx, at))
    return { name, lock: code, number }
  }
  return [
    ...(lock === null
      ? []
      : [door(unitName, lock, endsOthers || isCountedSpare(usage, countsItself), order.isShared)]),
    ...extraLocks.map((code, at) => door(extraUnits[at] ?? null, code, endsOthers)),
    ...order.authorizations.map((name) => ({ name, lock: null })),
  ]
}

/**
 * The numbers of a card that the lock system has changed, at the locks that it opens only since then: as of a new original
 * there.
 */
export function numbersGained(
  tx: Transaction,
  { id, stayId, providerId, lock: before, keyType, doorRows }: Key,
  { lock, extraLocks, validFrom, validUntil }: RequestedValues,
): ReadonlyMap<string, number> {
  if (keyType !== 'keyCard') return new Map()
  const main = lock !== null && lock !== before ? [lock] : []
  const gained = new Set([...main, ...extraLocks.filter((code) => numberAt({ doorRows }, code) === 0)])
  const numberOf = (code: string) => {
    const at = { id, providerId, lock: code, keyType, validFrom, validUntil }
    const like = keyOfSharer(tx, at, stayId)
    return like ? numberAt(like, code) : numberOfNew(tx, at)
  }
  return new Map([...gained].map((code) => [code, numberOf(code)]))
}

/** Lets the next key of a lock have a higher number than a key that was moved there with the number of another lock. */
export function reachNumber(tx: Transaction, { providerId, lock, lockSequence }: Key): void {
  if (!lock) return
  const counter = counterOf({ providerId, lock })
  tx.add(counter, Math.max(0, (lockSequence ?? 0) - tx.add(counter, 0)))
}

const counterOf = ({ providerId, lock }: Pick<AtLock, 'providerId' | 'lock'>) => `lock:${providerId}:${lock}`

/** The counter of the lowest number that no lock can have seen. Every newly numbered key has a higher number. */
export const numberFloor = 'lock-floor'

/** The number of a new original at a lock. After a restore it is higher than those of keys that the restored data lacks. */
function numberOfNew(
  tx: Transaction,
  at: AtLock,
  isShared = isSharedLock(tx, at.providerId, at.lock),
): number {
  return isShared ? sameNumber(tx, at) : tx.next(counterOf(at), numberFloor)
}

/**
 * The number of a key that ends no other. Where the lock has no key, none can be ended: it may have seen every number up to the
 * counter. After a restore a lock may have seen keys that are not known: then it is a number that opens.
 */
function sameNumber(tx: Transaction, at: AtLock): number {
  const counter = counterOf(at)
  const last = tx.add(counter, 0)
  return numberInForce(tx, at) ?? (last > unknownUpTo(tx, at) ? last : tx.next(counter, numberFloor))
}

/** The number of the original that opens the unit now, not of a card made in advance; null where there is none. */
function numberInForce(tx: Transaction, at: AtLock): number | null {
  const unknown = unknownUpTo(tx, at)
  const originals = (keys: Key[]) =>
    keys.filter(
      (each) =>
        each.keyType === at.keyType &&
        supersedesOthers(each) &&
        isInForce(tx, each) &&
        isAbove(unknown, numberAt(each, at.lock)),
    )
  const { held = [], awaited = [] } = Object.groupBy(
    originals(keysAtDoor(tx, at, 'live', 'unknown')),
    (each) => (each.status === 'unknown' || isOnItsWay(tx, each.id) ? 'awaited' : 'held'),
  )
  const mayReturn = originals(keysThatMayReturn(tx, at))
  const ranks = [held, mayReturn, awaited]
  const numbers = ranks.find((rank) => rank.length > 0)?.map((each) => numberAt(each, at.lock))
  return numbers ? Math.max(...numbers) : null
}
