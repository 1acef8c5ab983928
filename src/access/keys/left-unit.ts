import type { Transaction } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { type Key, key } from '../resources/key.ts'
import { setStatus } from './key-status.ts'
import { isAtUnitOf, keysOfOwner } from './stay/key-owner.ts'

/**
 * The statuses of keys that a move ends. A superseded key could be restored, and the card of an unknown one may be in
 * use.
 */
const leavable: ReadonlySet<Key['status']> = new Set(['live', 'unknown', 'superseded'])

/**
 * Revokes the stay's keys of earlier units, and their copies, once the guest has a key for another unit. Each is listed
 * as an older key until it is proven dead. The rule looks only at the keys, not at earlier attempts of the move. Cards
 * for a unit that the stay still has are kept: a stay may have two units. A stay has one PIN.
 */
export function endElsewhere(tx: Transaction, row: Key): void {
  if (!isOfMovedStay(row)) return
  for (const each of keysOfOwner(tx, row)) {
    if (each.keyType !== row.keyType) continue
    const isElsewhere = each.providerId === row.providerId && each.lock !== row.lock
    if (!isElsewhere || each.proof || !leavable.has(each.status)) continue
    if (each.keyType === 'keyCard' && each.stayId && isAtUnitOf(tx, each.stayId, each)) continue
    tx.patch(key, each.id, { revokedAs: 'removed', endedFrom: null } as Partial<
      Attributes<typeof key.fields>
    >)
    setStatus(tx, each, 'revocationPending', { reason: 'moved' })
  }
}

/**
 * Whether the key replaces the stay's earlier ones. An original PIN always does; an original card does if it was made
 * as the key of its stay, not as an additional card.
 */
function isOfMovedStay({ keyType, original, isOfStay }: Key): boolean {
  return original && (keyType === 'pinCode' || isOfStay === true)
}
