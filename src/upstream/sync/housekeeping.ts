import { settingsIn } from '../../reservation/resources/settings.ts'
import { unit } from '../../reservation/resources/unit.ts'
import { unitStatuses } from '../../reservation/unit-status.ts'
import { updateUnit } from '../../reservation/update-unit.ts'
import { change } from '../../resource/change.ts'
import { Problem } from '../../resource/problem.ts'
import type { HousekeepingChange } from '../sync-side.ts'

/** The PMS has inspectors of its own; but it changes nothing of a unit beyond its status. */
const rights = { write: false, inspect: true }

/**
 * Sets a unit's status on the word of a PMS, by the same table as everybody else; nothing where the house does not accept
 * that. This is the only way from a PMS to a unit's status. Throws reference-unknown, validation-failed and
 * unit-status-transition.
 */
export const applyHousekeeping = change(
  'apply-housekeeping',
  (tx, { change: told }: { change: HousekeepingChange }): 'taken' | 'ignored' => {
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
    updateUnit.run(tx, { id: row.id, attributes: { status }, whole: false, rights })
    return 'taken'
  },
)
