import type { OnlineLockSystem } from '../../../devices/lock-system.ts'
import type { Questions } from '../../../resource/command.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import type { Key } from '../../resources/key.ts'
import { placesOf } from '../../resources/key-door.ts'

/** SQL: the keys that may fail, or whose cards may not be taken. */
export const undecidedKeys = `SELECT rid FROM key WHERE status IN ('pendingWrite', 'unknown')
  UNION ALL SELECT keyId FROM card_run WHERE step <> 'ended'`

const isAmongThem = `SELECT count(*) FROM (${undecidedKeys}) WHERE rid = ${ridOf('key')}`

/** Whether the guest may still need a superseded key, because the newer key of its main door is undecided. */
export function isUndecided(db: Questions, { status, doorRows }: Key): boolean {
  const by = doorRows?.[0]?.endedById
  return status === 'superseded' && !!by && db.count(isAmongThem, by) > 0
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
