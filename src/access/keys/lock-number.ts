import type { Transaction } from '../../resource/command.ts'
import { isOnItsWay } from '../cards/keys-on-card.ts'
import { isSharedLock } from '../resources/door.ts'
import type { Key, KeyStatus } from '../resources/key.ts'
import type { KeyDoor, RequestedValues } from '../resources/key-door.ts'
import type { KeyOrder } from './key-order.ts'
import { isCountedSpare, keysAtDoor, numberAt, supersedesOthers } from './pending/lock-order.ts'
import { isUndecided } from './pending/revocable.ts'

/**
 * The number by which a lock distinguishes a newer key from an older one. A copy has the number of its original. A one-shot key
 * and a spare have the number of the key in force, and every key of a shared lock has the same number, so they end no key. Every
 * other original gets the next number.
 */
export function lockNumber(tx: Transaction, order: KeyOrder, copied: Key | undefined): number {
  const { request, providerId, lock, countsItself, isShared } = order
  const { usage } = request
  if (copied) return copied.lockSequence ?? 0
  if (lock === null) return 0
  const isNew = supersedesOthers({ original: true, usage }) || isCountedSpare(usage, countsItself)
  return isNew && !isShared ? nextNumber(tx, counterOf({ providerId, lock })) : sameNumber(tx, order)
}

const counterOf = ({ providerId, lock }: Pick<AtLock, 'providerId' | 'lock'>) => `lock:${providerId}:${lock}`

/**
 * The extra units of a key with their numbers. An original that supersedes others has the next number at each; a copy has the
 * numbers of its original, and every other key the number that is in force.
 */
export function extraDoors(tx: Transaction, order: KeyOrder, copied: Key | undefined): KeyDoor[] {
  const { request, providerId, extraLocks } = order
  const isNew = !copied && supersedesOthers({ original: true, usage: request.usage })
  return extraLocks.map((lock, at) => {
    const there = { providerId, lock, keyType: order.keyType }
    const kept = copied ? numberAt(copied, lock) : 0
    const number = kept || (isNew ? numberOfNew(tx, there) : sameNumber(tx, there))
    return { name: request.extraUnits[at] ?? null, lock, number }
  })
}

/**
 * The numbers of a card that the lock system has changed, at the locks that it opens only since then: as of a new original
 * there.
 */
export function numbersGained(
  tx: Transaction,
  { providerId, lock: before, keyType, doorRows }: Key,
  { lock, extraLocks }: Pick<RequestedValues, 'lock' | 'extraLocks'>,
): ReadonlyMap<string, number> {
  const main = lock !== null && lock !== before ? [lock] : []
  const extra = extraLocks.filter((code) => numberAt({ doorRows }, code) === 0)
  const gained = keyType === 'keyCard' ? new Set([...main, ...extra]) : []
  return new Map([...gained].map((code) => [code, numberOfNew(tx, { providerId, lock: code, keyType })]))
}

/** Lets the next key of a lock have a higher number than a key that was moved there with the number of another lock. */
export function reachNumber(tx: Transaction, { providerId, lock, lockSequence }: Key): void {
  const counter = counterOf({ providerId, lock: lock ?? null })
  if (lock) tx.add(counter, Math.max(0, (lockSequence ?? 0) - tx.add(counter, 0)))
}

/** The counter of the lowest number that no lock can have seen. Every newly numbered key has a higher number. */
export const numberFloor = 'lock-floor'

/**
 * The next number of a lock. After a restore it is higher than those of keys that the restored data does not contain.
 */
export function nextNumber(tx: Transaction, counter: string): number {
  return tx.next(counter, numberFloor)
}

/** A lock, and the type of the keys that are asked for. */
type AtLock = Pick<KeyOrder, 'providerId' | 'lock'> & Pick<Key, 'keyType'>

/** The number of a new original at a lock. */
function numberOfNew(tx: Transaction, at: AtLock & { lock: string }): number {
  return isSharedLock(tx, at.providerId, at.lock) ? sameNumber(tx, at) : nextNumber(tx, counterOf(at))
}

/**
 * The number of a key that ends no other. Where the lock has no key, none can be ended: it may have seen every number up to the
 * counter.
 */
function sameNumber(tx: Transaction, at: AtLock): number {
  const counter = counterOf(at)
  return numberInForce(tx, at) ?? (tx.add(counter, 0) || nextNumber(tx, counter))
}

/** The number of the original that opens the unit now; null where there is none. */
function numberInForce(tx: Transaction, at: AtLock): number | null {
  const originals = (status: KeyStatus) =>
    keysAtDoor(tx, at, status).filter((each) => each.keyType === at.keyType && supersedesOthers(each))
  const { held = [], awaited = [] } = Object.groupBy(originals('live'), (each) =>
    isOnItsWay(tx, each.id) ? 'awaited' : 'held',
  )
  const mayReturn = originals('superseded').filter((each) => isUndecided(tx, each))
  const ranks = [held, mayReturn, [...awaited, ...originals('unknown')]]
  const numbers = ranks.find((rank) => rank.length > 0)?.map((each) => numberAt(each, at.lock))
  return numbers ? Math.max(...numbers) : null
}
