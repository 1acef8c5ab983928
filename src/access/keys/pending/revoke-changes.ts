import { command, type Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Filter } from '../../../resource/query.ts'
import type { Attributes } from '../../../resource/resource.ts'
import { type DeathProof, type Key, type KeyStatus, key } from '../../resources/key.ts'
import { unitToCheck } from '../../resources/unit-to-check.ts'
import { isOpen, setProven, setStatus, supersede } from '../key-status.ts'
import { isOver } from '../stay-of-key.ts'
import { keysOf, newerKey } from './lock-order.ts'

type KeyRow = Attributes<typeof key.fields>

/** How a key is asked to end. */
interface Revocation {
  keyId: string
  /** What it ends as once that is proven; blocked is for what was lost or stolen. */
  as: 'invalidated' | 'removed' | 'blocked'
  /** A word for the journal. */
  reason: string
  /** The end it was given; until when it opens is what its lock was told. */
  end?: { endDate: string; endTime: string }
}

/**
 * A key is to open nothing any more. What never reached a lock ends at once; anything else waits until something proves
 * it dead. Answers its status and revision. A key that has ended already stays as it is.
 */
export const revokeKey = command('revoke-key', (tx, { keyId, as, reason, end }: Revocation) => {
  const row = tx.find(key, keyId) as Key
  if (row.status === 'pendingWrite') {
    throw new Problem('key-status-transition', 'The key is being made right now.', {
      meta: { status: row.status, retryAfterSeconds: 5 },
    })
  }
  const next = nextOf(row.status, as)
  if (next === null) return { status: row.status, revision: row.revision }
  if (end) tx.patch(key, keyId, end as Partial<KeyRow>)
  if (as !== 'blocked') tx.patch(key, keyId, { revokedAs: as } as Partial<KeyRow>)
  if (next !== row.status) setStatus(tx, row, next, { reason })
  if (row.status === 'virtual') tx.patch(key, keyId, neverMade(tx.now))
  const { status, revision } = tx.find(key, keyId) as Key
  return { status, revision }
})

const neverMade = (now: number) => ({ proof: 'never-made', provenDeadAt: now }) as Partial<KeyRow>

/** Null where the key has ended, or is revoked in this way already. */
function nextOf(status: Key['status'], as: Revocation['as']): KeyStatus | null {
  if (status === 'virtual') return as === 'blocked' ? 'blocked' : as
  if (!isOpen(status)) return null
  if (as === 'blocked') return status === 'blocked' ? null : 'blocked'
  return status === 'blocked' ? 'blocked' : 'revocationPending'
}

/** Something proves that these keys open nothing any more. Answers how many it was news of. */
export const proveDead = command(
  'key-proven-dead',
  (tx, input: { keyIds: string[]; proof: DeathProof }): number => {
    const rows = input.keyIds.map((id) => tx.find(key, id) as Key).filter(({ proof }) => !proof)
    for (const row of rows) setProven(tx, row, input.proof)
    return rows.length
  },
)

/** The lock system has taken these keys out of its books; whether a lock knows is another matter. */
export const revocationTold = command('key-revocation-told', (tx, input: { keyIds: string[] }) => {
  for (const id of input.keyIds) tx.patch(key, id, { revocationToldAt: tx.now } as Partial<KeyRow>)
  return null
})

/** A live original was used at its door: what the lock counts as older opens it no more. Answers the ids of those keys. */
export const seenAtDoor = command('key-seen-at-door', (tx, input: { keyId: string }): string[] => {
  const row = tx.find(key, input.keyId) as Key
  if (row.status !== 'live' || row.keyType !== 'keyCard') {
    throw new Problem('key-status-transition', `The key is ${row.status}; a live card is used at a door.`, {
      meta: { status: row.status },
    })
  }
  const older = (['superseded', 'blocked', 'revocationPending', 'unknown'] as const)
    .flatMap((status) => keysOf(tx, row, status))
    .filter(
      (each) => each.lock === row.lock && (each.lockSequence ?? 0) < (row.lockSequence ?? 0) && !each.proof,
    )
  for (const each of older) setProven(tx, each, 'newer-original-used')
  checkedByUse(tx, row)
  return older.map(({ id }) => id)
})

/** What was made before a restore and is not known here is older too: the unit has been checked. */
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

/** How many keys end in one turn. */
const atOnce = 200

/**
 * Ends the keys whose window is over before an instant. Answers how many; when it is as many as one turn takes, there
 * may be more.
 */
export const expireKeys = command('expire-keys', (tx, input: { before: number }): number => {
  const over = endableStatuses.flatMap((status) => endedBefore(tx, status, input.before))
  for (const row of over.slice(0, atOnce)) setProven(tx, row, 'validity-over')
  return Math.min(over.length, atOnce)
})

/** Statuses of keys that were called over. */
export const overStatuses = [
  'expired',
  'invalidated',
  'removed',
  'superseded',
  'blocked',
  'unknown',
] as const satisfies KeyStatus[]

/** Keys that a clock which was ahead called over: their windows last. Answers how many. */
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

/** The window of a virtual key has opened: said once. */
export const tellDue = command('key-due', (tx, input: { keyId: string }) => {
  const row = tx.find(key, input.keyId) as Key
  if (row.status !== 'virtual' || row.dueTold) return null
  const { revision } = tx.patch(key, row.id, { dueTold: true } as Partial<KeyRow>)
  tx.journal('key.materialization-due', `access/keys/${row.id}`, { revision })
  return null
})

/**
 * What a key must be for its PIN to be forgotten: over, and proven dead or never made, both so long ago that nobody may ask
 * for it any more. A proof counts from when it was written down, so a clock that is ahead for a moment proves nothing old.
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

/** Forgets the PINs of such keys. Answers how many. */
export const forgetPins = command('forget-pins', (tx, input: { before: number }): number => {
  const rows = forgettable(input.before).flatMap((where) => tx.select(key, where, [], atOnce))
  for (const { id } of rows)
    tx.patch(key, id, { pin: null, pinSealed: null, pinMark: null } as Partial<KeyRow>)
  return rows.length
})
