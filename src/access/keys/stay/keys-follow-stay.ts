import type { StayPorts } from '../../../reservation/stays/stay-policy.ts'
import type { Transaction } from '../../../resource/command.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import { type Key, type KeyStatus, key } from '../../resources/key.ts'
import { setStatus } from '../key-status.ts'

/** The statuses of a revocation. A card that is being made is revoked, too, and then never leaves the machine. */
const revoked = {
  live: 'revocationPending',
  unknown: 'revocationPending',
  pendingWrite: 'revocationPending',
} as const

/** The new status of a stay's keys, by the effect of the stay's change and the key's status. */
const fates: Partial<Record<Parameters<StayPorts['keysFollow']>[1], Partial<Record<KeyStatus, KeyStatus>>>> =
  {
    'remove-virtual-keys': { virtual: 'removed' },
    'revoke-live-keys': revoked,
    'remove-keys': { virtual: 'removed', ...revoked },
    'invalidate-keys': { virtual: 'removed', ...revoked },
  }

/**
 * Ends the keys of a stay. A card cannot be erased from afar, so its key is revocationPending until something proves it
 * dead.
 */
export const keysFollowStay: StayPorts['keysFollow'] = (tx, effect, { id }) => {
  const fate = fates[effect]
  if (!fate) return
  for (const row of tx.select(key, [{ path: 'stayId', operator: 'eq', value: id }]) as Key[]) {
    const next = fate[row.status as KeyStatus]
    if (next) setStatus(tx, row, next, { reason: effect })
  }
}

/** The names of the units of a stay's keys that are live, pendingWrite or unknown. */
export function keyedUnits(tx: Transaction, stayId: string): readonly string[] {
  const sql = `SELECT json_group_array(unitName) FROM key
    WHERE stayId = ${ridOf('stay')} AND status IN ('live', 'pendingWrite', 'unknown')`
  return JSON.parse(tx.text(sql, stayId) ?? '[]') as string[]
}

/** Whether a key was ever made for a stay. */
export function everHadKey(tx: Transaction, stayId: string): boolean {
  return tx.count(`SELECT count(*) FROM key WHERE stayId = ${ridOf('stay')}`, stayId) > 0
}
