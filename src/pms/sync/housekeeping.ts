import { settingsIn } from '../../reservation/property/house.ts'
import { unitStatuses } from '../../reservation/property/unit-status.ts'
import { updateUnit } from '../../reservation/property/update-unit.ts'
import { unit } from '../../reservation/resources/unit.ts'
import { command, type Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { housekeepingRecord } from '../resources/housekeeping-record.ts'
import type { HousekeepingChange } from '../sync-contract.ts'

/** The PMS has inspectors of its own; but it changes nothing of a unit beyond its status. */
const rights = { write: false, inspect: true }

interface HousekeepingInput {
  configurationId: string
  change: HousekeepingChange
}

/**
 * Sets a unit's status on the word of a PMS, by the same table as everybody else; nothing where the house does not accept
 * that, and for what is no newer than what that PMS has told of the unit before. This is the only way from a PMS to a unit's status. Throws reference-unknown, validation-failed and
 * unit-status-transition.
 */
export const applyHousekeeping = command(
  'apply-housekeeping',
  (tx, { configurationId, change: told }: HousekeepingInput): 'taken' | 'ignored' => {
    if ((settingsIn(tx).acceptHousekeepingFrom ?? 'Local') === 'Local') return 'ignored'
    const { unitName, status } = told
    if (!(unitStatuses as readonly string[]).includes(status)) {
      throw new Problem('validation-failed', `${status.slice(0, 60)} is not a unit status.`, {
        pointer: '/status',
        meta: { allowed: unitStatuses },
      })
    }
    const [row] = tx.select(unit, [{ path: 'name', operator: 'eq', value: unitName.normalize('NFC') }], [], 1)
    if (!row) {
      const detail = `There is no unit ${unitName.slice(0, 60)}.`
      throw new Problem('reference-unknown', detail, { pointer: '/unitName' })
    }
    if (!isNewer(tx, configurationId, told)) return 'ignored'
    updateUnit.run(tx, { id: row.id, attributes: { status }, whole: false, rights })
    return 'taken'
  },
)

/** Whether nothing as new was told of the unit; keeps what is told now in its place then. */
function isNewer(
  tx: Transaction,
  configurationId: string,
  { unitName, revision: pmsRevision, status }: HousekeepingChange,
): boolean {
  const [known] = tx.select(
    housekeepingRecord,
    [
      { path: 'configurationId', operator: 'eq', value: configurationId },
      { path: 'unitName', operator: 'eq', value: unitName },
    ],
    [],
    1,
  )
  if (!known) {
    tx.insert(housekeepingRecord, { configurationId, unitName, pmsRevision, status })
    return true
  }
  const isSame = known.pmsRevision === pmsRevision && known.status === status
  if (known.pmsRevision > pmsRevision || isSame) return false
  tx.patch(housekeepingRecord, known.id, { pmsRevision, status })
  return true
}
