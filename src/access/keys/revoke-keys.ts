import { longestRoundingMs } from '../../devices/lock-system.ts'
import { command, type Transaction } from '../../resource/command.ts'
import { invalidValue } from '../../resource/problem.ts'
import { type Filter, having } from '../../resource/query.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import { type Key, type KeyStatus, key } from '../resources/key.ts'
import { type DeathProof, deadBy, lockClockMs, openBy, placesOf } from '../resources/key-door.ts'
import { unitToCheck } from '../resources/unit-to-check.ts'
import { newerKey } from './doors/lock-order.ts'
import { mayReturn } from './doors/may-return.ts'
import { supersede } from './doors/superseding.ts'
import { happen, isOpen, setProven, wrongStatus } from './life/key-life.ts'
import { isOver } from './life/stay-of-key.ts'

/** Statuses of keys that shall not open and may. */
const endedOpenly = "'superseded', 'blocked', 'revocationPending', 'unknown'"

interface Revocation {
  keyId: string
  /** The status when the end is proven; `blocked` is for a lost or stolen key. */
  as: 'invalidated' | 'removed' | 'blocked'
  /** The reason in the journal. */
  reason: string
  /** The new end of the key. The window that the lock received is unchanged. */
  end?: { endDate: string; endTime: string }
}

/**
 * Revokes a key. A virtual key and one that is proven dead end at once. Any other key waits until something proves it
 * dead. Returns its status and revision. A key that has ended already is unchanged; one that is `expired` ends as asked, because
 * the clock may be set back. Throws key-status-transition for a key that is being made.
 */
export const revokeKey = command('revoke-key', (tx, { keyId, as, reason, end }: Revocation) => {
  const row = tx.find(key, keyId)
  if (row.status === 'pendingWrite')
    throw wrongStatus(row, 'The key is still being made. Try again when it is finished.', {
      retryAfterSeconds: 5,
    })
  const isExpired = row.status === 'expired' && row.proof === 'validity-over'
  const isHeld = row.status === 'virtual' || (isExpired && row.isVirtual === true)
  let now = row
  if (isHeld || isExpired || (isOpen(row.status) && !(as === 'blocked' && row.status === 'blocked'))) {
    const dead = isHeld && deadBy(row.doorRows ?? [], 'never-made', tx.now)
    const asked = { endedFrom: null, ...(as !== 'blocked' && { revokedAs: as }) }
    now = tx.patch(key, keyId, { ...end, ...asked, ...dead })
    const after = as === 'blocked' || isHeld || row.proof ? as : 'revocationPending'
    now = happen(tx, row, as === 'blocked' ? 'lost' : 'revoked', { as: after, data: { reason } }) ?? now
  }
  return { status: now.status, revision: now.revision }
})

/**
 * Stores the proof that keys no longer open anything, or none of these locks. Returns the number of keys that had no proof
 * before.
 */
export const proveDead = command(
  'key-proven-dead',
  (tx, input: { keyIds: string[]; proof: DeathProof; locks?: string[] }): number => {
    const rows = input.keyIds.map((id) => tx.find(key, id)).filter(({ proof }) => !proof)
    for (const row of rows) setProven(tx, row, input.proof, input.locks ?? null)
    return rows.length
  },
)

/**
 * Stores that the lock system has revoked these keys. This does not prove that a lock knows of it. A key that its stay was given
 * back meanwhile opens nothing any more at the lock system, so it ends; the next request makes it again.
 */
export const revocationReported = command('key-revocation-told', (tx, input: { keyIds: string[] }) => {
  for (const id of input.keyIds) {
    happen(tx, tx.patch(key, id, { revocationToldAt: tx.now }), 'revoked-meanwhile')
  }
  return null
})

/** The keys of a lock that a number there ends, and that may still open it. */
const olderAt = `status IN ('live', ${endedOpenly}) AND keyType = 'keyCard' AND providerId = ${ridOf('access_provider')}
  AND rid IN (SELECT owner FROM key_door WHERE lock = ? AND coalesce(number, 0) < ? AND proof IS NULL)`

/** A live card that was used at one of its units. */
interface Seen {
  keyId: string
  /** Null for its main unit. */
  unitName: string | null
  /** See `OnlineLockSystem`. */
  endsAtExtraUnits: boolean
}

/**
 * Stores that a live card was used at a door: the lock refuses older keys from then on. Returns the ids of these keys. Throws
 * key-status-transition for a key that is no live card, or whose window has not begun by any clock that a lock may have, and
 * validation-failed for a unit that the card does not open.
 */
export const seenAtDoor = command('key-seen-at-door', (tx, seen: Seen): string[] => {
  const { keyId, unitName, endsAtExtraUnits } = seen
  const row = tx.find(key, keyId)
  if (row.status !== 'live' || row.keyType !== 'keyCard')
    throw wrongStatus(row, `The key is ${row.status}. Only a live card can be reported as used at its door.`)
  const validFrom = Math.max(...placesOf(row).map((place) => place.validFrom))
  if (validFrom > tx.now + lockClockMs)
    throw wrongStatus(
      row,
      'The card is not valid yet. A lock that refuses a card does not learn of it, so older cards still open. Use the card at its door once it is valid, and report it then.',
      { validFrom: new Date(validFrom).toISOString() },
    )
  const doors = (row.doorRows ?? []).filter(({ lock }) => lock)
  const door = unitName === null ? doors[0] : doors.find(({ name }) => name === unitName)
  if (!door?.lock)
    throw invalidValue('/unitName', `The card does not open ${unitName}.`, {
      allowed: doors.map(({ name }) => name),
    })
  const { lock } = door
  const number = door.number ?? 0
  const older = tx.rows(key, olderAt, row.providerId, lock, number)
  // The newest card of its own main door is not older, whatever its number: it may be for another time.
  const ended = older.filter((each) => (each.lock === lock ? each.status !== 'live' : endsAtExtraUnits))
  for (const each of ended) setProven(tx, each, 'newer-original-used', [lock])
  // Keys from before a restore that are not stored have lower numbers, so the lock refuses them, too.
  const checked: Filter[] = [
    ...having({ providerId: row.providerId, lock }),
    { path: 'numberFloor', operator: 'lt', value: number },
  ]
  for (const { id } of tx.select(unitToCheck, checked)) tx.remove(unitToCheck, id)
  return ended.map(({ id }) => id)
})

/** Statuses of keys that end when their window is over. */
const endableStatuses = [
  'live',
  'superseded',
  'blocked',
  'revocationPending',
  'unknown',
  'virtual',
] as const satisfies KeyStatus[]

/** The highest number of keys in one command. */
const atOnce = 200

/** The filters for keys that end because their window was over, also at their lock, before the instant. */
export function expirable(before: number): Filter[] {
  // By the first, the index finds them.
  const over = ['validUntil', 'opensUntil'].map((path): Filter => ({ path, operator: 'lt', value: before }))
  return [...over, ...having({ status: endableStatuses, proof: null })]
}

/**
 * Ends keys whose window was over before an instant, at most 200. Returns their number; 200 means that there may be
 * more.
 */
export const expireKeys = command('expire-keys', (tx, input: { before: number }): number => {
  const over = tx.select(key, expirable(input.before), [], atOnce)
  for (const row of over) setProven(tx, row, 'validity-over')
  return over.length
})

/** The statuses of keys that an expired window has ended. */
const overStatuses = [
  'expired',
  'invalidated',
  'removed',
  'superseded',
  'blocked',
  'unknown',
] as const satisfies KeyStatus[]

/** The filters for keys that ended by a clock that was ahead: their window is not over at the instant. */
export function revivable(now: number): Filter[] {
  const lasting: Filter[] = [
    { path: 'validUntil', operator: 'gt', value: now - longestRoundingMs },
    { path: 'opensUntil', operator: 'gt', value: now },
  ]
  return [...lasting, ...having({ status: overStatuses, proof: 'validity-over' })]
}

/** Restores such keys, at most 1,200. Returns their number. */
export const reviveKeys = command('revive-keys', (tx, input: { now: number }): number => {
  const alive = tx.select(key, revivable(input.now), [], atOnce * overStatuses.length)
  for (const row of alive) revive(tx, row)
  return alive.length
})

function revive(tx: Transaction, row: Key): void {
  const now = tx.patch(
    key,
    row.id,
    openBy(row.doorRows, ({ proof }) => proof === 'validity-over'),
  )
  const newer = row.status === 'expired' && !row.isVirtual && newerKey(tx, now)
  if (newer) supersede(tx, now, newer.id)
  else happen(tx, now, 'clock-set-back', { as: revivedAs(tx, now), data: { reason: 'clock' } })
}

/** A virtual key opens nothing yet: its door is guarded when it is due. */
function revivedAs(tx: Transaction, row: Key): KeyStatus {
  if (row.status !== 'expired') return 'revocationPending'
  if (row.isVirtual) return isOver(tx, row.stayId) ? 'removed' : 'virtual'
  return isOver(tx, row.stayId) || !mayReturn(tx, row) ? 'revocationPending' : 'live'
}

/** Records once that the window of a virtual key has opened. */
export const publishDue = command('key-due', (tx, input: { keyId: string }) => {
  const row = tx.find(key, input.keyId)
  if (row.status !== 'virtual' || row.dueTold) return null
  const { revision } = tx.patch(key, row.id, { dueTold: true })
  tx.journal('key.materialization-due', `access/keys/${row.id}`, { revision })
  return null
})

/**
 * The filters for keys whose PIN is erased: the window is over, and the key is proven dead or was never made, both
 * before the instant. A proof counts from when it was stored, so a clock that is ahead for a moment erases nothing.
 */
export function forgettable(before: number): Filter[][] {
  const over: Filter[] = [
    { path: 'pinMark', operator: 'notnull', value: null },
    { path: 'validUntil', operator: 'lt', value: before },
  ]
  return [
    [...over, { path: 'provenDeadAt', operator: 'lt', value: before }],
    [...over, ...having({ status: 'failed' })],
  ]
}

/** Erases the PINs of such keys. Returns their number. */
export const forgetPins = command('forget-pins', (tx, input: { before: number }): number => {
  const rows = forgettable(input.before).flatMap((where) => tx.select(key, where, [], atOnce))
  for (const { id } of rows) tx.patch(key, id, { pin: null, pinSealed: null, pinMark: null })
  return rows.length
})
