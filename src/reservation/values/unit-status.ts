import { Problem } from '../../resource/problem.ts'

export const unitStatuses = ['Dirty', 'Cleaning', 'Clean', 'Inspected', 'OutOfService', 'OutOfOrder'] as const
export type UnitStatus = (typeof unitStatuses)[number]

/** The status of a new unit. */
export const initialUnitStatus: UnitStatus = 'Dirty'

/**
 * The statuses in which a unit can be assigned to a guest who arrives today, for a caller of `chooseUnit` without a
 * list.
 */
export const defaultAssignableStatuses: readonly UnitStatus[] = ['Clean', 'Inspected']

/** Whether a unit with this status is excluded from availability. A unit that is out of service can still be sold. */
export const removesAvailability: Readonly<Record<UnitStatus, boolean>> = {
  Dirty: false,
  Cleaning: false,
  Clean: false,
  Inspected: false,
  OutOfService: false,
  OutOfOrder: true,
}

/** The statuses that can follow each status. A change to one in `onlyInspector` needs the scope units.inspect. */
const following: Record<UnitStatus, { any: readonly UnitStatus[]; onlyInspector: readonly UnitStatus[] }> = {
  Dirty: { any: ['Cleaning', 'Clean', 'OutOfService', 'OutOfOrder'], onlyInspector: ['Inspected'] },
  Cleaning: { any: ['Dirty', 'Clean', 'OutOfService', 'OutOfOrder'], onlyInspector: [] },
  Clean: { any: ['Inspected', 'Dirty', 'OutOfService', 'OutOfOrder'], onlyInspector: [] },
  Inspected: { any: ['Dirty', 'OutOfService', 'OutOfOrder'], onlyInspector: [] },
  OutOfService: { any: ['Dirty', 'Clean'], onlyInspector: ['Inspected'] },
  OutOfOrder: { any: ['Dirty', 'Clean'], onlyInspector: ['Inspected'] },
}

/**
 * Returns whether setting `to` changes the status. Throws 409 `unit-status-transition` with the allowed statuses, or
 * 403 `scope-required` when the change needs units.inspect.
 */
export function unitTransition(
  from: UnitStatus,
  to: UnitStatus,
  { canInspect }: { canInspect: boolean },
): boolean {
  if (from === to) return false
  const { any, onlyInspector } = following[from]
  if (any.includes(to)) return true
  if (!onlyInspector.includes(to)) {
    const allowed = canInspect ? [...any, ...onlyInspector] : [...any]
    throw new Problem('unit-status-transition', `A unit that is ${from} cannot become ${to}.`, {
      pointer: '/status',
      meta: { allowed },
    })
  }
  if (canInspect) return true
  throw new Problem('scope-required', `Setting a unit from ${from} to ${to} needs the scope units.inspect.`, {
    pointer: '/status',
    meta: { scope: 'units.inspect' },
  })
}
