import { Problem } from '../../resource/problem.ts'

export const unitStatuses = ['Dirty', 'Cleaning', 'Clean', 'Inspected', 'OutOfService', 'OutOfOrder'] as const
export type UnitStatus = (typeof unitStatuses)[number]

/** What a unit is when nobody says otherwise. */
export const initialUnitStatus: UnitStatus = 'Dirty'

/** The statuses in which a unit may be given to a guest who arrives today, unless the property says otherwise. */
export const defaultAssignableStatuses: readonly UnitStatus[] = ['Clean', 'Inspected']

/** Whether a unit of this status counts as not there at all. A unit out of service is still sold. */
export const removesAvailability: Readonly<Record<UnitStatus, boolean>> = {
  Dirty: false,
  Cleaning: false,
  Clean: false,
  Inspected: false,
  OutOfService: false,
  OutOfOrder: true,
}

/** From each status, those that may follow; `Inspected` by way of `onlyInspector` needs the scope units.inspect. */
const following: Record<UnitStatus, { any: readonly UnitStatus[]; onlyInspector: readonly UnitStatus[] }> = {
  Dirty: { any: ['Cleaning', 'Clean', 'OutOfService', 'OutOfOrder'], onlyInspector: ['Inspected'] },
  Cleaning: { any: ['Dirty', 'Clean', 'OutOfService', 'OutOfOrder'], onlyInspector: [] },
  Clean: { any: ['Inspected', 'Dirty', 'OutOfService', 'OutOfOrder'], onlyInspector: [] },
  Inspected: { any: ['Dirty', 'OutOfService', 'OutOfOrder'], onlyInspector: [] },
  OutOfService: { any: ['Dirty', 'Clean'], onlyInspector: ['Inspected'] },
  OutOfOrder: { any: ['Dirty', 'Clean'], onlyInspector: ['Inspected'] },
}

/**
 * Whether setting `to` changes anything: false when the unit has that status already. Throws 409
 * `unit-status-transition` with the statuses allowed, or 403 `scope-required` where only an inspector may.
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
  throw new Problem('scope-required', `Only an inspector takes a unit from ${from} to ${to}.`, {
    pointer: '/status',
    meta: { scope: 'units.inspect' },
  })
}
