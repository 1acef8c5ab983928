import { command, type Transaction } from '../../../resource/command.ts'
import { type Key, key, openStatuses } from '../../resources/key.ts'
import { closedBy, keepsDoors } from '../../resources/key-door.ts'
import { happen } from '../life/key-life.ts'
import { reachNumber } from './lock-number.ts'

const open = [...openStatuses, 'virtual', 'expired'].map((status) => `'${status}'`).join(', ')
const withoutDoors = 'NOT EXISTS (SELECT 1 FROM key_door WHERE key_door.owner = key.rid)'
const mayOpen = `validUntil > ?
  AND (proof IN ('newer-original-used', 'lock-acknowledged') OR (proof IS NULL AND status IN (${open})))`
const whoseMain = (differs: string) =>
  `EXISTS (SELECT 1 FROM key_door WHERE key_door.owner = key.rid AND position = 0 AND ${differs})`
const isMoved = whoseMain('key.lock IS NOT NULL AND key_door.lock IS NOT key.lock')
const isSuperseded = `lock IS NOT NULL AND supersededById IS NOT NULL AND ${whoseMain('key_door.endedById IS NULL')}`
const incomplete = `((${withoutDoors} AND (lock IS NOT NULL OR authorizations <> '[]')) OR ${isMoved} OR (${isSuperseded})) AND ${mayOpen}`

/**
 * Gives the keys that a release without doors made, moved or superseded, their doors. The use of a newer key, and the confirmation
 * of a lock system, have closed only the unit: the other doors of such a key are open until its end. It runs at each start, because
 * that release may have had the data back meanwhile.
 */
export const completeDoors = command('complete-doors', (tx) => {
  for (let rows = find(tx); rows.length > 0; rows = find(tx)) for (const row of rows) complete(tx, row)
  return null
})

function find(tx: Transaction): Key[] {
  return tx.rows(key, incomplete, tx.now)
}

function complete(tx: Transaction, row: Key): void {
  const { proof, provenDeadAt, lock = null, lockSequence, supersededById: endedById = null } = row
  const [main] = row.doorRows ?? []
  if (row.keyType === 'keyCard') reachNumber(tx, row)
  const known = Map.groupBy(row.doorRows ?? [], (door) => door.lock === lock && lock !== null)
  const ofLock = { lock, number: lockSequence ?? null, ...known.get(true)?.[0] }
  const others = known.get(false) ?? []
  const after = { ...row, doorRows: lock ? [ofLock, ...others] : others }
  keepsDoors({ before: main ? { ...row, lock: main.lock ?? null } : null, after })
  for (const door of after.doorRows) if (door.lock && door.lock === lock) door.endedById ??= endedById
  const isTold = proof === 'lock-acknowledged'
  const locks = isTold ? null : [lock ?? '']
  const doorRows = proof
    ? closedBy(after.doorRows, proof, { locks, at: provenDeadAt ?? tx.now })
    : after.doorRows
  const isOpen = proof && doorRows.some((door) => !door.proof)
  const now = tx.patch(key, row.id, {
    doorRows,
    ...(isOpen && {
      proof: null,
      provenDeadAt: null,
      revocationToldAt: row.revocationToldAt ?? (isTold ? provenDeadAt : null) ?? null,
    }),
  })
  if (isOpen) happen(tx, now, 'reopened')
}
