import type { Transaction } from '../../resource/command.ts'
import { isInUse } from '../assignment/unit-occupancy.ts'
import type { Stay } from '../resources/stay.ts'
import { unit } from '../resources/unit.ts'
import type { UnitStatus } from './unit-status.ts'

/**
 * Updates the units that the stay had before the write or has now: `occupied`, `idleSince`, and the status Dirty after
 * a guest left. Journals the assigned and unassigned units. Does nothing when neither the units nor the status of the
 * stay changed.
 */
export function unitsFollow(tx: Transaction, before: Stay | null, after: Stay): void {
  const [had, has] = [unitIds(before), unitIds(after)]
  if (before?.status === after.status && had.join() === has.join()) return
  for (const unitId of has.filter((id) => !had.includes(id)))
    tx.journal('stay.unit-assigned', `stays/${after.id}`, { unitId })
  for (const unitId of had.filter((id) => !has.includes(id)))
    tx.journal('stay.unit-unassigned', `stays/${after.id}`, { unitId })
  for (const unitId of new Set([...had, ...has])) {
    unitFollows(tx, unitId, isLeft(before, after, unitId))
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

/** A unit with one of these statuses keeps it when its guest leaves. */
const takenOut: readonly (UnitStatus | null | undefined)[] = ['OutOfService', 'OutOfOrder']

function unitFollows(tx: Transaction, id: string, isLeft: boolean): void {
  const { occupied: was, status } = tx.find(unit, id)
  const occupied = isInUse(tx, id)
  tx.patch(unit, id, {
    occupied,
    ...(was && !occupied && { idleSince: tx.now }),
    ...(isLeft && !takenOut.includes(status) && { status: 'Dirty' as const }),
  })
}
