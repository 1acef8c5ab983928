import type { Transaction } from '../../../resource/command.ts'
import type { Attributes } from '../../../resource/resource.ts'
import { type Key, key } from '../../resources/key.ts'
import { setStatus } from '../key-status.ts'

type KeyRow = Attributes<typeof key.fields>

const inUse: ReadonlySet<Key['status']> = new Set(['virtual', 'pendingWrite', 'unknown', 'live'])

/**
 * Ends keys with their stay, or because the next guest moves in. A card cannot be erased from afar, so its key is
 * revocationPending until something proves it dead. A card that is being made is revoked, too, and then never leaves the
 * machine.
 */
export function endKeys(
  tx: Transaction,
  keys: readonly Key[],
  reason: 'stay-over' | 'check-in-undone' | 'next-guest',
): void {
  for (const row of keys) {
    if (!inUse.has(row.status) && reason !== 'next-guest') continue
    const endedFrom = reason === 'next-guest' ? null : row.status
    tx.patch(key, row.id, { endedFrom } as Partial<KeyRow>)
    setStatus(tx, row, row.status === 'virtual' ? 'removed' : 'revocationPending', { reason })
  }
}
