import type { Follower } from '../../reservation/stay-changes.ts'
import type { Transaction } from '../../resource/change.ts'
import { type Key, type KeyStatus, key } from '../resources/key.ts'
import { setStatus } from './key-status.ts'

/** A card that is just being made is not proven for a stay like this: it never leaves the machine. */
const revoked = {
  live: 'revocationPending',
  unknown: 'revocationPending',
  pendingWrite: 'revocationPending',
} as const

/** What becomes of a stay's keys, by the key's status, when the stay takes another status. */
const fates: Partial<Record<Parameters<Follower>[1], Partial<Record<KeyStatus, KeyStatus>>>> = {
  'remove-virtual-keys': { virtual: 'removed' },
  'revoke-live-keys': revoked,
  'remove-keys': { virtual: 'removed', ...revoked },
  'invalidate-keys': { virtual: 'removed', ...revoked },
}

/** A card cannot be called back: a key whose stay is over waits until something proves it dead. */
export const keysFollowStay: Follower = (tx: Transaction, effect, { id }) => {
  const fate = fates[effect]
  if (!fate) return
  for (const row of tx.select(key, [{ path: 'stayId', operator: 'eq', value: id }]) as Key[]) {
    const next = fate[row.status as KeyStatus]
    if (next) setStatus(tx, row, next, { reason: effect })
  }
}
