import { command, type Transaction } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { type Key, key, openStatuses } from '../resources/key.ts'
import { closedBy, keepsDoors } from '../resources/key-door.ts'
import { reachNumber } from './lock-number.ts'

type KeyRow = Attributes<typeof key.fields>

const open = [...openStatuses, 'virtual', 'expired'].map((status) => `'${status}'`).join(', ')
const withoutDoors = 'NOT EXISTS (SELECT 1 FROM key_door WHERE key_door.owner = key.rid)'
const mayOpen = `validUntil > ?
  AND (proof IN ('newer-original-used', 'lock-acknowledged') OR (proof IS NULL AND status IN (${open})))`
const isMoved = `EXISTS (SELECT 1 FROM key_door
  WHERE key_door.owner = key.rid AND position = 0 AND key.lock IS NOT NULL AND key_door.lock IS NOT key.lock)`
const incomplete = `((${withoutDoors} AND (lock IS NOT NULL OR authorizations <> '[]')) OR ${isMoved}) AND ${mayOpen}`

/**
 * Gives the keys that a release without doors made, or moved, their doors. The use of a newer key, and the confirmation of a
 * lock system, have closed only the unit: the other doors of such a key are open until its end. It runs at each start, because
 * that release may have had the data back meanwhile.
 */
export const completeDoors = command('complete-doors', (tx) => {
  for (let rows = find(tx); rows.length > 0; rows = find(tx)) for (const row of rows) complete(tx, row)
  return null
})

function find(tx: Transaction): Key[] {
  return tx.rows(key, incomplete, tx.now) as Key[]
}

function complete(tx: Transaction, row: Key): void {
  const after = { ...row }
  const [main] = row.doorRows ?? []
  if (row.keyType === 'keyCard') reachNumber(tx, row)
  keepsDoors({ before: main ? { ...row, lock: main.lock ?? null } : null, after })
  const { proof, provenDeadAt, status, lock } = row
  const isTold = proof === 'lock-acknowledged'
  const locks = isTold ? null : [lock ?? '']
  const doorRows = proof
    ? closedBy(after.doorRows ?? [], proof, { locks, at: provenDeadAt ?? tx.now })
    : after.doorRows
  const isOpen = proof && doorRows?.some((door) => !door.proof)
  const wasRevoked = status === 'invalidated' || status === 'removed'
  tx.patch(key, row.id, {
    doorRows,
    ...(isOpen && {
      proof: null,
      provenDeadAt: null,
      revocationToldAt: row.revocationToldAt ?? (isTold ? provenDeadAt : null),
    }),
    ...(isOpen && wasRevoked && { status: 'revocationPending' }),
  } as Partial<KeyRow>)
}
