import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Filter } from '../../../resource/query.ts'
import { type Key, type KeyStatus, key } from '../../resources/key.ts'

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

/**
 * The live key that the lock takes for newer: the first use of its card ends this one. It is an original, or a copy whose
 * original nobody took.
 */
export function newerKey(tx: Transaction, row: Key): Key | undefined {
  const newer = keysOf(tx, row, 'live').filter((each) => isOlder(row, each))
  return newer.find(supersedesOthers) ?? newer.find(({ original }) => !original)
}

/** Throws no-original-key for a copy that was made of a key which is not live any more. */
export function refuseOrphan(tx: Transaction, { original, familyId }: Key): void {
  if (original || !familyId) return
  const family = tx.select(key, [{ path: 'familyId', operator: 'eq', value: familyId }]) as Key[]
  if (family.some((each) => each.original && each.status === 'live')) return
  throw new Problem('no-original-key', 'The key that was copied was taken away while its copy was made.')
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
