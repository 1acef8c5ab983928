import type { Transaction } from '../../resource/change.ts'
import type { Filter } from '../../resource/query.ts'
import { type Key, type KeyStatus, key } from '../resources/key.ts'

/** The unit and the lock system whose keys are meant. */
export type UnitKeys = Pick<Key, 'unitName' | 'providerId'>

type Window = Pick<Partial<Key>, 'validFrom' | 'validUntil'>

/** A unit's keys of one status in a lock system, of which `also` is true, the newest first: at most a thousand. */
export function keysOf(
  tx: Transaction,
  { unitName, providerId }: UnitKeys,
  status: KeyStatus,
  also: readonly Filter[] = [],
): Key[] {
  const where: Filter[] = [
    { path: 'unitName', operator: 'eq', value: unitName ?? '' },
    { path: 'status', operator: 'eq', value: status },
    { path: 'providerId', operator: 'eq', value: providerId },
    ...also,
  ]
  return tx.select(key, where, [{ path: 'id', descending: true }]) as Key[]
}

/** The live original that the lock takes for newer: the first use of its card ends this key. */
export function newerOriginal(tx: Transaction, row: Key): Key | undefined {
  return keysOf(tx, row, 'live').find((each) => supersedesOthers(each) && isOlder(row, each))
}

/** The unit's live keys that the first use of this original ends. */
export function olderKeys(tx: Transaction, row: Key): Key[] {
  return supersedesOthers(row) ? keysOf(tx, row, 'live').filter((each) => isOlder(each, row)) : []
}

/**
 * Neither a spare nor a one-shot key ends anybody's key: they count as the key that is in force.
 */
export function supersedesOthers({ original, usage }: Pick<Key, 'original' | 'usage'>): boolean {
  return original && usage !== 'Spare' && usage !== 'OneShot'
}

/** A lock counts its originals; what two locks count is not compared, nor a card with a PIN. */
function isOlder(one: Key, other: Key): boolean {
  if (one.lock !== other.lock || one.keyType !== other.keyType) return false
  if (one.keyType === 'pinCode' && !meet(one, other)) return false
  return (one.lockSequence ?? 0) < (other.lockSequence ?? 0)
}

/** Whether two windows have a moment in common. */
export function meet(one: Window, other: Window): boolean {
  const starts = Math.max(one.validFrom ?? 0, other.validFrom ?? 0)
  return starts < Math.min(one.validUntil ?? Infinity, other.validUntil ?? Infinity)
}
