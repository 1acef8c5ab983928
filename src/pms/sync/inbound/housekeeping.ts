import { settingsIn } from '../../../reservation/resources/house.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { updateUnit } from '../../../reservation/units/update-unit.ts'
import { unitStatuses } from '../../../reservation/values/unit-status.ts'
import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import { housekeepingRecord } from '../../resources/housekeeping-record.ts'
import type { HousekeepingChange } from '../../sync-contract.ts'

/** The PMS has inspectors of its own; but it changes nothing of a unit beyond its status. */
const rights = { write: false, inspect: true }

/**
 * Sets the status of a unit that a PMS reports, by the rules for all users. Does nothing where the house does not accept that, and for
 * a revision that is not newer than the last one of this unit. This is the only way from a PMS to the status of a unit. Throws reference-unknown, validation-failed and
 * unit-status-transition.
 */
export function applyHousekeeping(
  tx: Transaction,
  configurationId: string,
  reported: HousekeepingChange,
): 'taken' | 'ignored' {
  if ((settingsIn(tx).acceptHousekeepingFrom ?? 'Local') === 'Local') return 'ignored'
  const { unitName, status } = reported
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
  if (!isNewer(tx, configurationId, reported)) return 'ignored'
  updateUnit.run(tx, { id: row.id, attributes: { status }, whole: false, rights })
  return 'taken'
}

/** Whether nothing as new was reported of the unit; then stores this report in its place. */
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
