import type { Transaction } from '../../resource/command.ts'
import { cardRun } from '../resources/card-run.ts'
import { doorsWithLock } from '../resources/door.ts'
import { type Key, type KeyStatus, key } from '../resources/key.ts'
import type { KeyDoor, RequestedValues } from '../resources/key-door.ts'
import type { KeyOrder } from './key-order.ts'
import { isCountedSpare, keysAtDoor, numberAt, supersedesOthers } from './pending/lock-order.ts'

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
  const counter = `lock:${providerId}:${lock}`
  if (isShared) return numberInForce(tx, order) ?? (tx.add(counter, 0) || nextNumber(tx, counter))
  if (supersedesOthers({ original: true, usage }) || isCountedSpare(usage, countsItself))
    return nextNumber(tx, counter)
  // Where the unit has no key, none can be ended. The lock may have seen every number up to the counter.
  return numberInForce(tx, order) ?? (tx.add(counter, 0) || nextNumber(tx, counter))
}

/**
 * The extra units of a key with their numbers. An original that supersedes others has the next number at each; a copy has the
 * numbers of its original, and every other key the number that is in force.
 */
export function extraDoors(tx: Transaction, order: KeyOrder, copied: Key | undefined): KeyDoor[] {
  const { request, providerId, extraLocks } = order
  const isNew = !copied && supersedesOthers({ original: true, usage: request.usage })
  return extraLocks.map((lock, at) => {
    const counter = `lock:${providerId}:${lock}`
    const kept = copied?.doorRows?.find((door) => door.lock === lock)?.number
    const isShared = doorsWithLock(tx, providerId, lock).some((door) => door.isShared)
    const there = { providerId, lock, keyType: order.keyType }
    const inForce = kept ?? (isNew && !isShared ? 0 : (numberInForce(tx, there) ?? tx.add(counter, 0)))
    return { name: request.extraUnits[at] ?? null, lock, number: inForce || nextNumber(tx, counter) }
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
  return new Map(
    [...gained].map((code) => {
      const isShared = doorsWithLock(tx, providerId, code).some((door) => door.isShared)
      const inForce = isShared ? numberInForce(tx, { providerId, lock: code, keyType }) : null
      return [code, inForce ?? nextNumber(tx, `lock:${providerId}:${code}`)]
    }),
  )
}

/** Lets the next key of a lock have a higher number than a key that was moved there with the number of another lock. */
export function reachNumber(tx: Transaction, { providerId, lock, lockSequence }: Key): void {
  const counter = `lock:${providerId}:${lock}`
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

/** The number of the original that opens the unit now; null where there is none. */
function numberInForce(
  tx: Transaction,
  at: Pick<KeyOrder, 'providerId' | 'lock'> & Pick<Key, 'keyType'>,
): number | null {
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

/** Whether the guest may still need a superseded key, because the newer key may fail or its card may not be taken. */
export function isUndecided(tx: Transaction, { supersededById }: Key): boolean {
  if (!supersededById) return false
  const { status } = tx.find(key, supersededById)
  return status === 'pendingWrite' || status === 'unknown' || isOnItsWay(tx, supersededById)
}

/** Whether the card of the key was not handed over yet. */
function isOnItsWay(tx: Transaction, keyId: string): boolean {
  const runs = tx.select(cardRun, [{ path: 'keyId', operator: 'eq', value: keyId }], [], 1)
  return runs.some(({ step }) => step !== 'ended')
}
