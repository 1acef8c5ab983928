import type { Transaction } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import { type Key, type KeyStatus, key, openStatuses } from '../resources/key.ts'
import { closedBy, type DeathProof, deadBy, type KeyDoor } from '../resources/key-door.ts'
import { isRival, keysAtDoor, newerAt, newerKey, numberAt, supersedesOthers } from './pending/lock-order.ts'
import { isOver } from './stay/stay-of-key.ts'

type KeyRow = Attributes<typeof key.fields>

const events: Partial<Record<KeyStatus, string>> = {
  superseded: 'key.superseded',
  blocked: 'key.blocked',
  invalidated: 'key.invalidated',
  removed: 'key.removed',
  expired: 'key.expired',
  failed: 'key.write-failed',
  unknown: 'key.outcome-unknown',
}

/** Sets a key's status and writes the event to the journal. */
export function setStatus(
  tx: Transaction,
  row: Pick<Key, 'id' | 'status'>,
  status: KeyStatus,
  data: Record<string, unknown>,
): void {
  const { revision } = tx.patch(key, row.id, { status } as Partial<KeyRow>)
  const event = row.status === 'unknown' ? 'key.outcome-resolved' : events[status]
  if (event) tx.journal(event, `access/keys/${row.id}`, { revision, status, ...data })
}

/** Whether a key of this status may still open its door. */
export function isOpen(status: string | null | undefined): boolean {
  return (openStatuses as readonly unknown[]).includes(status)
}

/**
 * Stores a proof that the key no longer opens doors: which, depends on the proof; `locks` are those for which it was given, null
 * for all. With its last door the key is proven dead, and a pending revocation is complete.
 */
export function setProven(
  tx: Transaction,
  row: Key,
  proof: DeathProof,
  locks: readonly string[] | null = null,
): void {
  const doorRows = closedBy(row.doorRows ?? [], proof, { locks, at: tx.now })
  const isDead = doorRows.every((door) => door.proof)
  const isTold = proof === 'lock-acknowledged' && doorRows.every((door) => door.proof || !door.lock)
  const told = isTold && { revocationToldAt: tx.now }
  const dead = isDead && { proof, provenDeadAt: tx.now }
  const { revision } = tx.patch(key, row.id, { doorRows, ...told, ...dead } as Partial<KeyRow>)
  if (!isDead) {
    if (isTold) endRevoked(tx, row)
    return
  }
  const ended = endedAs(row, proof)
  if (ended) setStatus(tx, row, ended, { reason: proof })
  else tx.journal('key.proven-dead', `access/keys/${row.id}`, { revision, status: row.status, proof })
}

/** Ends a key that its stay was given back while the lock system revoked it. The next request makes it again. */
export function endRevoked(tx: Transaction, row: Key): void {
  if (row.status === 'live') setStatus(tx, row, 'revocationPending', { reason: 'revoked-meanwhile' })
}

/**
 * The status that a proof leads to; null where it stays: a superseded or blocked key keeps its status and is proven
 * dead.
 */
function endedAs({ status, revokedAs }: Key, proof: DeathProof): KeyStatus | null {
  if (status === 'revocationPending')
    return revokedAs ?? (proof === 'card-erased' ? 'removed' : 'invalidated')
  if (status !== 'live' && status !== 'virtual') return null
  return proof === 'validity-over' ? 'expired' : 'removed'
}

/** Whether a status may follow another. Only a pending key becomes unknown, and an ended key stays as it is. */
export function mayBecome(from: Key['status'], to: KeyStatus): boolean {
  if (to === 'unknown') return from === 'pendingWrite'
  return from !== to && isOpen(from)
}

/**
 * The open keys that were made on the card with this serial number, for one lock system or for all (null). A lock
 * system sees only its own part of a card: a blank part proves nothing about the keys of another.
 */
export function openKeysOn(tx: Transaction, uid: string, providerId: string | null): Key[] {
  const rows = tx.select(key, [{ path: 'uid', operator: 'eq', value: uid }]) as Key[]
  return rows.filter((row) => isOpen(row.status) && (providerId === null || row.providerId === providerId))
}

/**
 * Ends a key whose card holds other data or none. A key that was unknown or pending counts as never made: the keys that
 * it superseded are restored.
 */
export function setGone(tx: Transaction, row: Key, reason: string, wasLive = true): void {
  const wasMade = wasLive && row.status !== 'unknown' && row.status !== 'pendingWrite'
  if (wasMade) tx.patch(key, row.id, deadBy(row.doorRows ?? [], 'card-erased', tx.now) as Partial<KeyRow>)
  setStatus(tx, row, wasMade ? 'removed' : 'failed', { reason })
  if (!wasMade) restoreSupersededBy(tx, row.id)
}

/** Marks a key as superseded by a newer original. It may be restored while that original is not proven to be made. */
export function supersede(tx: Transaction, row: Key, by: string): void {
  tx.patch(key, row.id, { supersededById: by } as Partial<KeyRow>)
  setStatus(tx, row, 'superseded', { by })
}

/**
 * Ends the older keys at the doors of an original: those whose main door it is are superseded, and others have lost this one of
 * their doors. Copies have the number of their original, and end nothing.
 */
export function supersedeAtDoors(tx: Transaction, row: Key): void {
  if (supersedesOthers(row)) endOlder(tx, row)
}

/** Ends the keys of other families that have a lower number at a door of the key. */
export function endOlder(tx: Transaction, row: Key): void {
  for (const { lock, number } of row.doorRows ?? []) {
    for (const each of keysAtDoor(tx, { lock, providerId: row.providerId }, 'live')) {
      if (!isRival(row, each) || each.familyId === row.familyId || numberAt(each, lock) >= (number ?? 0))
        continue
      if (each.lock === lock) supersede(tx, each, row.id)
      else setDoors(tx, each, (door) => (door.lock === lock ? { ...door, endedById: row.id } : door))
    }
  }
}

function setDoors(tx: Transaction, { id, doorRows }: Key, change: (door: KeyDoor) => KeyDoor): void {
  tx.patch(key, id, { doorRows: (doorRows ?? []).map(change) } as Partial<KeyRow>)
}

/** Gives keys the doors back that a key had ended, because that key was never made, or is deleted. */
export function restoreDoorsEndedBy(tx: Transaction, keyId: string): void {
  const ended = tx.rows(
    key,
    `rid IN (SELECT owner FROM key_door WHERE endedById = ${ridOf('key')})`,
    keyId,
  ) as Key[]
  for (const row of ended)
    setDoors(tx, row, (door) => {
      if (door.endedById !== keyId) return door
      const newer = newerAt(tx, row, door.lock).find(supersedesOthers)
      return { ...door, endedById: newer?.id ?? null }
    })
}

/**
 * Restores the keys that a key superseded, because that key was never made. A restored key becomes live or, if its stay
 * is over, revocationPending. It stays superseded if a still newer original exists.
 */
export function restoreSupersededBy(tx: Transaction, keyId: string): void {
  restoreDoorsEndedBy(tx, keyId)
  for (const row of tx.select(key, [{ path: 'supersededById', operator: 'eq', value: keyId }]) as Key[]) {
    if (row.status !== 'superseded') continue
    const newer = newerKey(tx, row)
    if (newer) {
      tx.patch(key, row.id, { supersededById: newer.id } as Partial<KeyRow>)
      continue
    }
    tx.patch(key, row.id, { supersededById: null } as Partial<KeyRow>)
    const status = returnedAs(tx, row)
    setStatus(tx, row, status, { reason: 'the newer key was not made' })
  }
}

/**
 * The status of a restored key: a key that was proven dead stays ended, and one whose revocation was sent to the lock
 * system stays revoked.
 */
function returnedAs(tx: Transaction, row: Key): KeyStatus {
  const { proof, doorRows, stayId, revocationToldAt } = row
  if (proof) return proof === 'validity-over' ? 'expired' : 'removed'
  const mayOpen = !doorRows?.[0]?.proof && !revocationToldAt && !isOver(tx, stayId)
  return mayOpen ? 'live' : 'revocationPending'
}
