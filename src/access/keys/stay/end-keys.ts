import type { Transaction } from '../../../resource/command.ts'
import type { Key, KeyStatus } from '../../resources/key.ts'
import { happen } from '../life/key-life.ts'
import { isAtUnitOf, keysOfOwner } from '../life/key-owner.ts'
import { isUndecided } from '../life/revocable.ts'

/** The status that a key has again if its stay goes on. One whose newer key was never made is live then. */
const restored = {
  virtual: 'virtual',
  pendingWrite: 'pendingWrite',
  unknown: 'unknown',
  live: 'live',
  superseded: 'live',
} as const satisfies Partial<Record<KeyStatus, Key['endedFrom']>>

/**
 * Ends keys with their stay, or because the next guest moves in. A card cannot be erased from afar, so its key is
 * revocationPending until something proves it dead. A card that is being made is revoked, too, and then never leaves the
 * machine; the key that it was to replace does not come back.
 */
export function endKeys(
  tx: Transaction,
  keys: readonly Key[],
  event: 'stay-over' | 'check-in-undone' | 'next-guest',
): void {
  for (const row of keys) {
    if (row.status === 'superseded' && (row.proof || !isUndecided(tx, row))) continue
    const from: Partial<Record<KeyStatus, Key['endedFrom']>> = event === 'next-guest' ? {} : restored
    happen(tx, row, event, { changes: { endedFrom: from[row.status ?? 'failed'] ?? null } })
  }
}

/**
 * Revokes the stay's keys of earlier units, and their copies, once the guest has a key for another unit. Each is listed
 * as an older key until it is proven dead. The rule looks only at the keys, not at earlier attempts of the move. Cards
 * for a unit that the stay still has are kept: a stay may have two units. A stay has one PIN.
 */
export function endElsewhere(tx: Transaction, row: Key): void {
  if (!isOfMovedStay(row)) return
  for (const each of keysOfOwner(tx, row)) {
    const isElsewhere = each.providerId === row.providerId && each.lock !== row.lock
    if (each.keyType !== row.keyType || !isElsewhere || each.proof) continue
    if (each.keyType === 'keyCard' && each.stayId && isAtUnitOf(tx, each.stayId, each)) continue
    happen(tx, each, 'moved', { changes: { revokedAs: 'removed', endedFrom: null } })
  }
}

/**
 * Whether the key replaces the stay's earlier ones. An original PIN always does; an original card does if it was made
 * as the key of its stay, not as an additional card.
 */
function isOfMovedStay({ keyType, original, isOfStay }: Key): boolean {
  return original && (keyType === 'pinCode' || isOfStay === true)
}
