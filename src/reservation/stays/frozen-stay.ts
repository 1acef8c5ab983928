import { Problem } from '../../resource/problem.ts'
import type { Stay, StayInput } from '../resources/stay.ts'
import type { StayStatus } from './status.ts'
import { changedBy } from './stay-form.ts'

/** The status has rules of its own, and comments may always change. */
const alwaysFree = ['status', 'comment', 'guestComment']

/**
 * The name of the first field whose change the stay's present status forbids, or null. In house, the start stays as
 * it is and the end cannot move into the past; checked out or canceled, only comments change. A field that the input
 * does not say is left as it is; absent and null are the same.
 */
export function frozenField(before: Stay, input: StayInput, today: string): string | null {
  const isFrozen = frozen[before.status]
  if (!isFrozen) return null
  const changed = changedBy(before, input).filter((field) => !alwaysFree.includes(field))
  return changed.find((field) => isFrozen(field, input, today)) ?? null
}

type IsFrozen = (field: string, input: StayInput, today: string) => boolean

const frozen: Partial<Record<StayStatus, IsFrozen>> = {
  InHouse: (field, { endDate = '' }, today) =>
    field === 'startDate' || field === 'startTime' || (field === 'endDate' && endDate < today),
  CheckedOut: () => true,
  Canceled: () => true,
}

/** Throws 409 `stay-status-transition` naming the field in the pointer and in `meta.field`. */
export function refuseFrozenChange(before: Stay, input: StayInput, today: string): void {
  const field = frozenField(before, input, today)
  if (field === null) return
  const ban = before.status === 'InHouse' && field === 'endDate' ? `be before today, ${today}` : 'change'
  throw new Problem('stay-status-transition', `${field} of a stay that is ${before.status} cannot ${ban}.`, {
    pointer: `/${field}`,
    meta: { field, status: before.status },
  })
}
