import type { Transaction } from '../../resource/command.ts'
import { ratePlan } from '../resources/rate-plan.ts'
import type { Stay } from '../resources/stay.ts'
import { nightDates } from '../stays/stay-dates.ts'
import { invalidValue, referenced } from '../value-problems.ts'

/**
 * Throws 422 `validation-failed` when a stay changes to a rate plan that is not active, or that is not sold for one of
 * its nights. A stay that keeps its plan is not checked, even when the plan or the dates of the stay have changed.
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
