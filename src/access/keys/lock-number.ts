import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { cardRun } from '../resources/card-run.ts'
import { type Key, type KeyStatus, key } from '../resources/key.ts'
import type { KeyOrder } from './key-order.ts'
import { keysOf, supersedesOthers } from './pending/lock-order.ts'

/**
 * The number by which a lock tells a newer key from an older one. A copy has that of its original. A one-shot key and a
 * spare have that of the key in force, so that their use ends nobody's key; every other original counts on.
 */
export function lockNumber(tx: Transaction, order: KeyOrder, copied: Key | undefined): number {
  const { request, providerId, lock } = order
  if (copied) return copied.lockSequence ?? 0
  if (lock === null) return 0
  const counter = `lock:${providerId}:${lock}`
  if (supersedesOthers({ original: true, usage: request.usage }) || countsOn(order))
    return nextNumber(tx, counter)
  // Where nobody has a key, none can be ended; a lock may have seen as much as was ever counted.
  return numberInForce(tx, order) ?? (tx.add(counter, 0) || nextNumber(tx, counter))
}

/** The counter of the number that no lock may have seen yet; every key that is numbered anew has a higher one. */
export const numberFloor = 'lock-floor'

/** The next number of a lock. After a restore it is beyond those of keys that were made and are not known here. */
export function nextNumber(tx: Transaction, counter: string): number {
  return tx.next(counter, numberFloor)
}

/**
 * A lock system that counts its keys itself takes a spare for a new key. Throws unit-occupied where the use of that would
 * end a live key, unless whoever asks says that he knows.
 */
export function refuseEndingSpare(order: KeyOrder, rivals: readonly Key[]): void {
  if (!countsOn(order) || order.override) return
  const ended = rivals.find(supersedesOthers)
  if (!ended) return
  throw new Problem(
    'unit-occupied',
    'The lock system takes a spare for a new key: its first use would end the key that the unit has.',
    { pointer: '/unitName', meta: { keyId: ended.id, scope: 'keys.override' } },
  )
}

function countsOn({ request, countsItself }: KeyOrder): boolean {
  return request.usage === 'Spare' && countsItself
}

/** The number of the original that its guest opens the unit with; null where there is none. */
function numberInForce(tx: Transaction, order: KeyOrder): number | null {
  const { request, providerId } = order
  const originals = (status: KeyStatus) =>
    keysOf(tx, { unitName: request.unitName, providerId }, status).filter(
      (each) => each.lock === order.lock && each.keyType === order.keyType && supersedesOthers(each),
    )
  const { held = [], awaited = [] } = Object.groupBy(originals('live'), (each) =>
    isOnItsWay(tx, each.id) ? 'awaited' : 'held',
  )
  const mayReturn = originals('superseded').filter((each) => isUndecided(tx, each))
  const ranks = [held, mayReturn, [...awaited, ...originals('unknown')]]
  const numbers = ranks.find((rank) => rank.length > 0)?.map(({ lockSequence }) => lockSequence ?? 0)
  return numbers ? Math.max(...numbers) : null
}

/** What took its place may still turn out not to be made, or not to be taken: then its guest has this one. */
function isUndecided(tx: Transaction, { supersededById }: Key): boolean {
  if (!supersededById) return false
  const { status } = tx.find(key, supersededById)
  return status === 'pendingWrite' || status === 'unknown' || isOnItsWay(tx, supersededById)
}

/** No hand has its card yet. */
function isOnItsWay(tx: Transaction, keyId: string): boolean {
  const runs = tx.select(cardRun, [{ path: 'keyId', operator: 'eq', value: keyId }], [], 1)
  return runs.some(({ step }) => step !== 'ended')
}
