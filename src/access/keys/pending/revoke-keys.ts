import { command, type Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Filter } from '../../../resource/query.ts'
import type { Attributes } from '../../../resource/resource.ts'
import { type DeathProof, type Key, type KeyStatus, key } from '../../resources/key.ts'
import { unitToCheck } from '../../resources/unit-to-check.ts'
import { isOpen, setProven, setStatus, supersede } from '../key-status.ts'
import { isOver } from '../stay/stay-of-key.ts'
import { keysOf, newerKey } from './lock-order.ts'

type KeyRow = Attributes<typeof key.fields>

/** The revocation of a key. */
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
 * dead. Returns its status and revision. A key that has ended already is unchanged. Throws key-status-transition for a
 * key that is being made.
 */
export const revokeKey = command('revoke-key', (tx, { keyId, as, reason, end }: Revocation) => {
  const row = tx.find(key, keyId) as Key
  if (row.status === 'pendingWrite') {
    throw new Problem(
      'key-status-transition',
      'The key is still being made. Try again when it is finished.',
      {
        meta: { status: row.status, retryAfterSeconds: 5 },
      },
    )
  }
  const next = nextOf(row, as)
  if (next === null) return { status: row.status, revision: row.revision }
  if (end) tx.patch(key, keyId, end as Partial<KeyRow>)
  if (as !== 'blocked') tx.patch(key, keyId, { revokedAs: as } as Partial<KeyRow>)
  if (next !== row.status) setStatus(tx, row, next, { reason })
  if (row.status === 'virtual') tx.patch(key, keyId, neverMade(tx.now))
  const { status, revision } = tx.find(key, keyId) as Key
  return { status, revision }
})

const neverMade = (now: number) => ({ proof: 'never-made', provenDeadAt: now }) as Partial<KeyRow>

/** The status after the revocation; null where the key has ended or is revoked in this way already. */
function nextOf({ status, proof }: Key, as: Revocation['as']): KeyStatus | null {
  if (status === 'virtual') return as === 'blocked' ? 'blocked' : as
  if (!isOpen(status)) return null
  if (as === 'blocked') return status === 'blocked' ? null : 'blocked'
  if (status === 'blocked') return 'blocked'
  return proof ? as : 'revocationPending'
}

/** Stores the proof that keys no longer open anything. Returns the number of keys that had no proof before. */
export const proveDead = command(
  'key-proven-dead',
  (tx, input: { keyIds: string[]; proof: DeathProof }): number => {
    const rows = input.keyIds.map((id) => tx.find(key, id) as Key).filter(({ proof }) => !proof)
    for (const row of rows) setProven(tx, row, input.proof)
    return rows.length
  },
)

/** Stores that the lock system has revoked these keys. This does not prove that a lock knows of it. */
export const revocationReported = command('key-revocation-told', (tx, input: { keyIds: string[] }) => {
  for (const id of input.keyIds) tx.patch(key, id, { revocationToldAt: tx.now } as Partial<KeyRow>)
  return null
})

/**
 * Stores that a live card was used at its door: the lock refuses older keys from then on. Returns the ids of these
 * keys. Throws key-status-transition for a key that is no live card.
 */
export const seenAtDoor = command('key-seen-at-door', (tx, input: { keyId: string }): string[] => {
  const row = tx.find(key, input.keyId) as Key
  if (row.status !== 'live' || row.keyType !== 'keyCard') {
    throw new Problem(
      'key-status-transition',
      `The key is ${row.status}. Only a live card can be reported as used at its door.`,
      {
        meta: { status: row.status },
      },
    )
  }
  const older = (['superseded', 'blocked', 'revocationPending', 'unknown'] as const)
    .flatMap((status) => keysOf(tx, row, status))
    .filter((each) => (each.lockSequence ?? 0) < (row.lockSequence ?? 0) && !each.proof)
  for (const each of older) setProven(tx, each, 'newer-original-used')
  checkedByUse(tx, row)
  return older.map(({ id }) => id)
})

/**
 * Marks the unit as checked. Keys that were made before a restore and are not stored have lower numbers, so the lock
 * refuses them, too.
 */
function checkedByUse(tx: Transaction, { providerId, lock, lockSequence }: Key): void {
  const where: Filter[] = [
    { path: 'providerId', operator: 'eq', value: providerId },
    { path: 'lock', operator: 'eq', value: lock ?? '' },
    { path: 'numberFloor', operator: 'lt', value: lockSequence ?? 0 },
  ]
  for (const { id } of tx.select(unitToCheck, where)) tx.remove(unitToCheck, id)
}

/** Statuses of keys that end when their window is over. */
export const endableStatuses = [
  'live',
  'superseded',
  'blocked',
  'revocationPending',
  'unknown',
  'virtual',
] as const satisfies KeyStatus[]

/** The highest number of keys in one command. */
const atOnce = 200

/**
 * Ends keys whose window was over before an instant, at most 200. Returns their number; 200 means that there may be
 * more.
 */
export const expireKeys = command('expire-keys', (tx, input: { before: number }): number => {
  const over = endableStatuses.flatMap((status) => endedBefore(tx, status, input.before))
  for (const row of over.slice(0, atOnce)) setProven(tx, row, 'validity-over')
  return Math.min(over.length, atOnce)
})

/** The statuses of keys that an expired window has ended. */
export const overStatuses = [
  'expired',
  'invalidated',
  'removed',
  'superseded',
  'blocked',
  'unknown',
] as const satisfies KeyStatus[]

/** Restores keys that ended by a clock that was ahead, and whose window is not over. Returns their number. */
export const reviveKeys = command('revive-keys', (tx, input: { now: number }): number => {
  const alive = overStatuses.flatMap((status) => {
    const where: Filter[] = [
      { path: 'status', operator: 'eq', value: status },
      { path: 'validUntil', operator: 'gt', value: input.now },
      { path: 'proof', operator: 'eq', value: 'validity-over' },
    ]
    return tx.select(key, where, [], atOnce) as Key[]
  })
  for (const row of alive) revive(tx, row)
  return alive.length
})

function revive(tx: Transaction, row: Key): void {
  tx.patch(key, row.id, { proof: null, provenDeadAt: null } as Partial<KeyRow>)
  const newer = newerKey(tx, row)
  if (row.status === 'expired' && newer && !row.isVirtual) supersede(tx, row, newer.id)
  else if (row.status === 'expired') setStatus(tx, row, revivedAs(tx, row), { reason: 'clock' })
  else if (row.status === 'invalidated' || row.status === 'removed')
    setStatus(tx, row, 'revocationPending', { reason: 'clock' })
}

function revivedAs(tx: Transaction, { isVirtual, stayId }: Key): KeyStatus {
  if (isOver(tx, stayId)) return isVirtual ? 'removed' : 'revocationPending'
  return isVirtual ? 'virtual' : 'live'
}

function endedBefore(tx: Transaction, status: KeyStatus, before: number): Key[] {
  const where: Filter[] = [
    { path: 'status', operator: 'eq', value: status },
    { path: 'validUntil', operator: 'lt', value: before },
    { path: 'proof', operator: 'isnull', value: null },
  ]
  return tx.select(key, where, [], atOnce) as Key[]
}

/** Records once that the window of a virtual key has opened. */
export const publishDue = command('key-due', (tx, input: { keyId: string }) => {
  const row = tx.find(key, input.keyId) as Key
  if (row.status !== 'virtual' || row.dueTold) return null
  const { revision } = tx.patch(key, row.id, { dueTold: true } as Partial<KeyRow>)
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
    [...over, { path: 'status', operator: 'eq', value: 'failed' }],
  ]
}

/** Erases the PINs of such keys. Returns their number. */
export const forgetPins = command('forget-pins', (tx, input: { before: number }): number => {
  const rows = forgettable(input.before).flatMap((where) => tx.select(key, where, [], atOnce))
  for (const { id } of rows)
    tx.patch(key, id, { pin: null, pinSealed: null, pinMark: null } as Partial<KeyRow>)
  return rows.length
})
