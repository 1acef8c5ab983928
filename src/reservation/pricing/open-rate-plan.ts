import type { Transaction } from '../../resource/command.ts'
import { invalidValue } from '../invalid-value.ts'
import { referenced } from '../referenced.ts'
import { ratePlan } from '../resources/rate-plan.ts'
import type { Stay } from '../resources/stay.ts'
import { nightDates } from '../stays/stay-dates.ts'

/**
 * Throws 422 `validation-failed` when a stay is put on a rate plan that is not active, or on which one of its nights
 * cannot be sold. A stay that is on the plan already keeps it, whatever becomes of the plan and of the stay's dates.
 */
export function expectOpenPlan(tx: Transaction, before: Stay | null, after: Stay): void {
  const { ratePlanId } = after
  if (!ratePlanId || ratePlanId === before?.ratePlanId) return
  const { active, startDate, endDate } = referenced(tx, ratePlan, ratePlanId, '/ratePlanId')
  if (active === false) throw invalidValue('/ratePlanId', 'The rate plan is not active.', { active })
  const lastDay = nightDates(after).at(-1) ?? after.startDate
  if (startDate <= after.startDate && lastDay <= endDate) return
  const detail = `The rate plan is sold for nights from ${startDate} to ${endDate}.`
  throw invalidValue('/ratePlanId', detail, { startDate, endDate })
}
