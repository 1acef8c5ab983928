import { Problem } from '../../resource/problem.ts'
import type { Stay, StayInput } from '../resources/stay.ts'
import type { StayStatus } from './rules/status-rules.ts'
import { changedBy } from './stay-form.ts'

/** These fields are never frozen. The status has rules of its own. */
const alwaysFree = ['status', 'comment', 'guestComment', 'feeCharged']

/**
 * Returns the name of the first field whose change the stay's status forbids, or null. In house, the start cannot
 * change and the end cannot be before today. Checked out or canceled, only the comments, the status, and whether the fee is
 * charged can change. A
 * field that the input omits does not change. A null for a field that has no value is not a change.
 */
export function frozenField(before: Stay, input: StayInput, today: string): string | null {
  const isFrozen = frozen[before.status]
  if (!isFrozen) return null
  const changed = changedBy(before, input).filter((field) => !alwaysFree.includes(field))
  return changed.find((field) => isFrozen(field, input, today)) ?? null
}

const frozen: Partial<Record<StayStatus, (field: string, input: StayInput, today: string) => boolean>> = {
  InHouse: (field, { endDate = '' }, today) =>
    field === 'startDate' || field === 'startTime' || (field === 'endDate' && endDate < today),
  CheckedOut: () => true,
  Canceled: () => true,
}

/** Throws 409 `stay-status-transition` when the change is forbidden. The pointer and `meta.field` name the field. */
export function refuseFrozenChange(before: Stay, input: StayInput, today: string): void {
  const field = frozenField(before, input, today)
  if (field === null) return
  const ban = before.status === 'InHouse' && field === 'endDate' ? `be before today, ${today}` : 'change'
  throw new Problem('stay-status-transition', `${field} of a stay that is ${before.status} cannot ${ban}.`, {
    pointer: `/${field}`,
    meta: { field, status: before.status },
  })
}
