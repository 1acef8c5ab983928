import type { Transaction } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { type DeathProof, type Key, type KeyStatus, key, openStatuses } from '../resources/key.ts'
import { newerKey } from './pending/lock-order.ts'
import { isOver } from './stay-of-key.ts'

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

/** Sets a key's status and says so. */
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

/** Something proves that the key opens nothing any more; what was to be revoked ends with that. */
export function setProven(tx: Transaction, row: Key, proof: DeathProof): void {
  tx.patch(key, row.id, { proof, provenDeadAt: tx.now } as Partial<KeyRow>)
  const ended = endedAs(row, proof)
  if (ended) setStatus(tx, row, ended, { reason: proof })
  else tx.journal('key.proven-dead', `access/keys/${row.id}`, { status: row.status, proof })
}

/** Null for what keeps its status: a key that was superseded or blocked stays that, and is dead besides. */
function endedAs({ status, revokedAs }: Key, proof: DeathProof): KeyStatus | null {
  if (status === 'revocationPending')
    return revokedAs ?? (proof === 'card-erased' ? 'removed' : 'invalidated')
  if (status !== 'live' && status !== 'virtual') return null
  return proof === 'validity-over' ? 'expired' : 'removed'
}

/** Only what was being written can be in doubt; and what is over stays as it ended. */
export function mayBecome(from: Key['status'], to: KeyStatus): boolean {
  if (to === 'unknown') return from === 'pendingWrite'
  return from !== to && isOpen(from)
}

/**
 * The keys that the card of this serial number may hold: of one lock system, or of all. A lock system sees its own part of
 * a card alone: what it finds blank, or has written, says nothing of what another has there.
 */
export function openKeysOn(tx: Transaction, uid: string, providerId: string | null): Key[] {
  const rows = tx.select(key, [{ path: 'uid', operator: 'eq', value: uid }]) as Key[]
  return rows.filter((row) => isOpen(row.status) && (providerId === null || row.providerId === providerId))
}

/**
 * Its card holds something else now, or nothing. A key in doubt was never made, or it is as if it had not been: what it
 * had replaced comes back.
 */
export function setGone(tx: Transaction, row: Key, reason: string, wasLive = true): void {
  const wasMade = wasLive && row.status !== 'unknown' && row.status !== 'pendingWrite'
  if (wasMade) tx.patch(key, row.id, { proof: 'card-erased', provenDeadAt: tx.now } as Partial<KeyRow>)
  setStatus(tx, row, wasMade ? 'removed' : 'failed', { reason })
  if (!wasMade) restoreSupersededBy(tx, row.id)
}

/** A newer original has taken its place; it may come back while that one is not proven to be made. */
export function supersede(tx: Transaction, row: Key, by: string): void {
  tx.patch(key, row.id, { supersededById: by } as Partial<KeyRow>)
  setStatus(tx, row, 'superseded', { by })
}

/**
 * The newer key was never made: what it had replaced is as alive as its stay lets it be, unless a still newer original
 * has its place.
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

/** What was proven dead meanwhile does not come back, nor what the lock system was told to cross out. */
function returnedAs(tx: Transaction, { proof, stayId, revocationToldAt }: Key): KeyStatus {
  if (proof) return proof === 'validity-over' ? 'expired' : 'removed'
  return isOver(tx, stayId) || revocationToldAt ? 'revocationPending' : 'live'
}
