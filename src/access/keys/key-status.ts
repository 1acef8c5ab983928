import type { Transaction } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { type DeathProof, type Key, type KeyStatus, key, openStatuses } from '../resources/key.ts'
import { newerKey } from './pending/lock-order.ts'
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

/** Stores the proof that the key no longer opens anything. A pending revocation is complete then. */
export function setProven(tx: Transaction, row: Key, proof: DeathProof): void {
  const { revision } = tx.patch(key, row.id, { proof, provenDeadAt: tx.now } as Partial<KeyRow>)
  const ended = endedAs(row, proof)
  if (ended) setStatus(tx, row, ended, { reason: proof })
  else tx.journal('key.proven-dead', `access/keys/${row.id}`, { revision, status: row.status, proof })
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
  if (wasMade) tx.patch(key, row.id, { proof: 'card-erased', provenDeadAt: tx.now } as Partial<KeyRow>)
  setStatus(tx, row, wasMade ? 'removed' : 'failed', { reason })
  if (!wasMade) restoreSupersededBy(tx, row.id)
}

/** Marks a key as superseded by a newer original. It may be restored while that original is not proven to be made. */
export function supersede(tx: Transaction, row: Key, by: string): void {
  tx.patch(key, row.id, { supersededById: by } as Partial<KeyRow>)
  setStatus(tx, row, 'superseded', { by })
}

/**
 * Restores the keys that a key superseded, because that key was never made. A restored key becomes live or, if its stay
 * is over, revocationPending. It stays superseded if a still newer original exists.
 */
export function restoreSupersededBy(tx: Transaction, keyId: string): void {
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
function returnedAs(tx: Transaction, { proof, stayId, revocationToldAt }: Key): KeyStatus {
  if (proof) return proof === 'validity-over' ? 'expired' : 'removed'
  return isOver(tx, stayId) || revocationToldAt ? 'revocationPending' : 'live'
}
