import { command, type Questions, type Transaction } from '../../../resource/command.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import { type Key, type KeyStatus, key } from '../../resources/key.ts'
import { type KeyDoor, numberAt } from '../../resources/key-door.ts'
import { endedAs, happen } from '../life/key-life.ts'
import { isOver } from '../life/stay-of-key.ts'
import { endsNow } from './in-force.ts'
import { isRival, keysAtDoor, newerKey, supersedesOthers } from './lock-order.ts'
import { unknownUpTo } from './unknown-keys.ts'

/** Lets a newer original have the main door of a key. The key may come back while that original is not proven to be made. */
export function supersede(tx: Transaction, row: Key, by: string): void {
  happen(tx, row, 'superseded', { data: { by }, changes: { doorRows: takenAt(row, row.lock, by) } })
}

/**
 * Ends the older keys at the doors of an original. Copies have the numbers of their original, and end nothing. A card that was made
 * in advance ends a key that is in force only when it is due: see `supersedeDue`. At a door that may have had a newer key which is
 * not known, every card has a number that opens, and so ends those from before the restore.
 */
export function supersedeAtDoors(tx: Transaction, row: Key): void {
  const isAtDoorToCheck = (row.doorRows ?? []).some(({ lock }) => unknownUpTo(tx, { ...row, lock }) > 0)
  if (supersedesOthers(row) || isAtDoorToCheck) endOlder(tx, row)
}

/**
 * Ends the keys of other families that have a lower number at a door of the key: those whose main door it is are superseded, and
 * others have lost this one of their doors.
 */
export function endOlder(tx: Transaction, row: Key): void {
  for (const { lock, number } of row.doorRows ?? []) {
    for (const each of keysAtDoor(tx, { lock, providerId: row.providerId }, 'live')) {
      if (!isRival(row, each) || each.familyId === row.familyId || numberAt(each, lock) >= (number ?? 0))
        continue
      if (!endsNow(tx, row, each)) continue
      if (each.lock === lock) supersede(tx, each, row.id)
      else tx.patch(key, each.id, { doorRows: takenAt(each, lock, row.id) })
    }
  }
}

/** SQL: the live cards whose window begins in a period, and that have a higher number at a door than another live key. */
const due = `status = 'live' AND keyType = 'keyCard' AND validFrom > ? AND validFrom <= ? AND original AND usage IN ('Guest', 'Staff')
  AND EXISTS (SELECT 1 FROM key_door AS own JOIN key_door AS door ON door.lock = own.lock AND door.number < own.number
    JOIN key AS older ON older.rid = door.owner
    WHERE own.owner = key.rid AND door.proof IS NULL AND door.endedById IS NULL AND older.status = 'live'
      AND older.keyType = 'keyCard' AND older.providerId = key.providerId AND older.familyId IS NOT key.familyId)`

/** A period in which windows begin: after `after`, up to `to`, Unix milliseconds. */
interface Period {
  after: number
  to: number
}

/** Whether a card that was made in advance is due in a period, and ends an older one. */
export function isAnyDue(db: Questions, { after, to }: Period): boolean {
  return db.count(`SELECT EXISTS (SELECT 1 FROM key WHERE ${due})`, after, to) > 0
}

/** Lets cards that were made in advance end the older keys at their doors, because their windows have begun. */
export const supersedeDue = command('supersede-due', (tx, { after, to }: Period): null => {
  for (const row of tx.rows(key, due, after, to)) supersedeAtDoors(tx, row)
  return null
})

/** The doors of a key after a newer one has taken one of them, or has given it back (null). */
function takenAt({ doorRows }: Key, lock: Key['lock'] | undefined, by: string | null): KeyDoor[] {
  return (doorRows ?? []).map((door) => (lock && door.lock === lock ? { ...door, endedById: by } : door))
}

const endedBy = `rid IN (SELECT owner FROM key_door WHERE endedById = ${ridOf('key')})`

/**
 * Gives keys the doors back that a key had ended, because that key was never made, unless a still newer original has them. A key
 * that has its main door again is live or, if its stay is over, revocationPending.
 */
export function restoreEndedBy(tx: Transaction, keyId: string): void {
  for (const row of tx.rows(key, endedBy, keyId)) {
    let now = row
    for (const { lock, endedById } of row.doorRows ?? []) {
      if (endedById !== keyId) continue
      const newer = newerKey(tx, row, { lock, except: keyId })?.id ?? null
      now = tx.patch(key, row.id, { doorRows: takenAt(now, lock, newer) })
      if (newer === null && lock === row.lock)
        happen(tx, row, 'comes-back', {
          as: returnedAs(tx, row),
          data: { reason: 'the newer key was not made' },
        })
    }
  }
}

/** Takes the mark of a key that is deleted from the doors that it had ended. */
export function forgetEndedBy(tx: Transaction, keyId: string): void {
  for (const row of tx.rows(key, endedBy, keyId))
    tx.patch(key, row.id, {
      doorRows: (row.doorRows ?? []).map((door) =>
        door.endedById === keyId ? { ...door, endedById: null } : door,
      ),
    })
}

/**
 * The status of a key that comes back: one that was proven dead stays ended, and one whose revocation was sent to the lock
 * system stays revoked.
 */
function returnedAs(tx: Transaction, row: Key): KeyStatus {
  const { proof, doorRows, stayId, revocationToldAt } = row
  if (proof) return endedAs(row, proof)
  const mayOpen = !doorRows?.[0]?.proof && !revocationToldAt && !isOver(tx, stayId)
  return mayOpen ? 'live' : 'revocationPending'
}
