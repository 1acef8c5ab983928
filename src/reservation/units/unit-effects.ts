import type { Transaction } from '../../resource/command.ts'
import type { Stay } from '../resources/stay.ts'
import { unit } from '../resources/unit.ts'
import { isInUse } from './unit-occupancy.ts'

/**
 * Updates the units that the stay had before the write or has now: `occupied`, `idleSince`, and the status Dirty after
 * a guest left a unit that is in service. Journals the assigned and unassigned units. Does nothing when neither the
 * units nor the status of the stay changed.
 */
export function unitsFollow(tx: Transaction, before: Stay | null, after: Stay): void {
  const [had, has] = [unitIds(before), unitIds(after)]
  const { revision } = after
  if (before?.status === after.status && had.join() === has.join()) return
  for (const unitId of has.filter((id) => !had.includes(id)))
    tx.journal('stay.unit-assigned', `stays/${after.id}`, { revision, unitId })
  for (const unitId of had.filter((id) => !has.includes(id)))
    tx.journal('stay.unit-unassigned', `stays/${after.id}`, { revision, unitId })
  for (const id of new Set([...had, ...has])) {
    const { occupied: was, status } = tx.find(unit, id)
    const occupied = (after.status === 'InHouse' && has.includes(id)) || isInUse(tx, id)
    const isDirty = isLeft(before, after, id) && status !== 'OutOfService' && status !== 'OutOfOrder'
    tx.patch(unit, id, {
      occupied,
      ...(was && !occupied && { idleSince: tx.now }),
      ...(isDirty && { status: 'Dirty' as const }),
    })
  }
}

function unitIds(row: Stay | null): string[] {
  return (row?.units ?? []).flatMap(({ unitId }) => (unitId ? [unitId] : []))
}

/** True when the guest left the unit by a check-out or a move. A reverted check-in does not make the unit dirty. */
function isLeft(before: Stay | null, after: Stay, unitId: string): boolean {
  if (before?.status !== 'InHouse' || !unitIds(before).includes(unitId)) return false
  return after.status === 'CheckedOut' || (after.status === 'InHouse' && !unitIds(after).includes(unitId))
}
