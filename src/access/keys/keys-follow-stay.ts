import type { StayPorts } from '../../reservation/stays/write-stay.ts'
import type { Transaction } from '../../resource/command.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import { type Key, type KeyStatus, key } from '../resources/key.ts'
import { setStatus } from './key-status.ts'

/** A card that is just being made is not proven for a stay like this: it never leaves the machine. */
const revoked = {
  live: 'revocationPending',
  unknown: 'revocationPending',
  pendingWrite: 'revocationPending',
} as const

/** What becomes of a stay's keys, by the key's status, when the stay takes another status. */
const fates: Partial<Record<Parameters<StayPorts['keysFollow']>[1], Partial<Record<KeyStatus, KeyStatus>>>> =
  {
    'remove-virtual-keys': { virtual: 'removed' },
    'revoke-live-keys': revoked,
    'remove-keys': { virtual: 'removed', ...revoked },
    'invalidate-keys': { virtual: 'removed', ...revoked },
  }

/** A card cannot be called back: a key whose stay is over waits until something proves it dead. */
export const keysFollowStay: StayPorts['keysFollow'] = (tx, effect, { id }) => {
  const fate = fates[effect]
  if (!fate) return
  for (const row of tx.select(key, [{ path: 'stayId', operator: 'eq', value: id }]) as Key[]) {
    const next = fate[row.status as KeyStatus]
    if (next) setStatus(tx, row, next, { reason: effect })
  }
}

/** The names of the units whose keys were made for a stay and may still open them. */
export function keyedUnits(tx: Transaction, stayId: string): readonly string[] {
  const sql = `SELECT json_group_array(unitName) FROM key
    WHERE stayId = ${ridOf('stay')} AND status IN ('live', 'pendingWrite', 'unknown')`
  return JSON.parse(tx.text(sql, stayId) ?? '[]') as string[]
}

/** Whether a key was ever made for a stay. */
export function everHadKey(tx: Transaction, stayId: string): boolean {
  return tx.count(`SELECT count(*) FROM key WHERE stayId = ${ridOf('stay')}`, stayId) > 0
}
