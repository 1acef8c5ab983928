import type { Questions } from '../../../resource/command.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import { isSharedLock } from '../../resources/door.ts'
import type { Key } from '../../resources/key.ts'
import { numberAt } from '../../resources/key-door.ts'

/** A lock, and the type of its keys. */
type AtLock = Pick<Key, 'providerId' | 'keyType'> & { lock?: Key['lock'] | undefined }

const highest = `SELECT numberFloor FROM unit_to_check WHERE providerId = ${ridOf('access_provider')} AND lock = ?`

/**
 * The highest number that a card can have at a lock which a restore has lost: the door may refuse every card up to it. 0 where
 * no such card is to be expected. Every card of a shared lock has the same number, so the lost cards have ended none.
 */
export function unknownUpTo(db: Questions, { providerId, keyType, lock }: AtLock): number {
  if (keyType !== 'keyCard' || !lock) return 0
  const number = db.count(highest, providerId, lock)
  return number > 0 && isSharedLock(db, providerId, lock) ? 0 : number
}

/** Whether a number is above those that a restore may have lost at a lock: see `unknownUpTo`. */
export const isAbove = (unknown: number, number: number) => unknown === 0 || number > unknown

/** Whether no key that a restore has lost can have ended a key at one of its doors. */
export function isNewestKnown(db: Questions, row: Pick<Key, 'providerId' | 'keyType' | 'doorRows'>): boolean {
  return (row.doorRows ?? []).every(({ lock }) =>
    isAbove(unknownUpTo(db, { ...row, lock }), numberAt(row, lock)),
  )
}
