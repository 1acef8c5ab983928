import type { OnlineLockSystem } from '../../../devices/lock-system.ts'
import type { Questions } from '../../../resource/command.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import type { Key } from '../../resources/key.ts'
import { placesOf } from '../../resources/key-door.ts'
import { isOnItsWay } from './keys-on-card.ts'

const statusOf = `SELECT status FROM key WHERE rid = ${ridOf('key')}`

/** Whether the guest may still need a superseded key, because the newer key may fail or its card may not be taken. */
export function isUndecided(db: Questions, { status, doorRows }: Key): boolean {
  const by = doorRows?.[0]?.endedById
  if (status !== 'superseded' || !by) return false
  const newer = db.text(statusOf, by)
  return newer === 'pendingWrite' || newer === 'unknown' || isOnItsWay(db, by)
}

/**
 * The keys that one revocation ends, of the keys that are `open` at the lock system. Null when one of them may be in
 * use by a guest: live, pendingWrite or unknown.
 */
export function takenTogether({ revokes }: OnlineLockSystem, row: Key, open: () => Key[]): Key[] | null {
  if (revokes === 'key') return [row]
  const all = open().filter(
    revokes === 'family' ? (other) => other.familyNumber === row.familyNumber : sameLocks(row),
  )
  const isAlive = all.some(
    ({ status }) => status === 'live' || status === 'pendingWrite' || status === 'unknown',
  )
  return isAlive ? null : all
}

/** Keys that share a lock with the key, extra locks included: its revocation ends them, too. */
function sameLocks(row: Key): (other: Key) => boolean {
  const locks = locksOf(row)
  return (other) => locksOf(other).some((lock) => locks.includes(lock))
}

/** The locks that a key opens, or may open while a change is unfinished. */
export function locksOf(row: Key): string[] {
  return placesOf(row).flatMap(({ lock, extraLocks }) => [...(lock ? [lock] : []), ...extraLocks])
}
