import type { Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Rule } from '../resource/resource.ts'
import { type PersonCountInput, personCount, sharedLimits } from './persons.ts'
import { type ReservationId, reservationIds, searchForm } from './reservation-ids.ts'
import { cancellationPolicy } from './resources/cancellation-policy.ts'
import { ratePlan } from './resources/rate-plan.ts'
import { type Settings, settingsIn } from './resources/settings.ts'
import { unitType } from './resources/unit-type.ts'
import { type StayAmountInput, shownStayAmount, stayAmount } from './stay-amount.ts'
import { nights, plannedRange, type Range, stayDates } from './stay-dates.ts'
import { overlappingStays, unitTypeOf } from './unit-occupancy.ts'

/** A stay as it is about to be written; members may be missing on a new one. */
export interface StayDraft {
  startDate: string
  startTime?: string | null
  endDate: string
  endTime?: string | null
  status: string
  personCount: PersonCountInput
  units: { unitTypeId: string; unitId?: string | null }[]
  reservationIds: (ReservationId & { searchForm?: string })[]
  amount?: StayAmountInput | null
  ratePlanId?: string | null
  cancellationPolicy?: unknown
  nights?: number
  plannedStartsAt?: number
  plannedEndsAt?: number
}

const live = ['Tentative', 'Waitlisted', 'Confirmed', 'InHouse']

/** What holds of every stay, whoever writes it; fills in what follows from the rest. */
export function stayHolds({ tx, id, before, after }: Parameters<Rule>[0]): void {
  const draft = after as unknown as StayDraft
  const house = settingsIn(tx)
  datesHold(draft, house)
  draft.personCount = personCount(draft.personCount, sharedLimits(limitsOf(tx, draft)))
  draft.reservationIds = reservationIds(draft.reservationIds).map((each) => ({
    ...each,
    searchForm: searchForm(each.value),
  }))
  if (draft.amount) draft.amount = shownStayAmount(stayAmount(draft.amount, draft))
  if (!before) draft.cancellationPolicy ??= termsOf(tx, draft.ratePlanId)
  unitsHold(tx, id, draft)
}

function datesHold(draft: StayDraft, { timeZone, checkInTime, checkOutTime }: Settings): void {
  const house = { zone: timeZone, checkInTime, checkOutTime }
  const dates = stayDates(draft, house)
  const { startsAt, endsAt } = plannedRange(dates, house)
  Object.assign(draft, dates, { nights: nights(dates), plannedStartsAt: startsAt, plannedEndsAt: endsAt })
}

function limitsOf(tx: Transaction, { units }: StayDraft) {
  return units.map(({ unitTypeId }, index) => {
    try {
      return tx.find(unitType, unitTypeId)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'not-found') throw error
      throw new Problem('reference-unknown', error.message, { pointer: `/units/${index}/unitTypeId` })
    }
  })
}

function termsOf(tx: Transaction, ratePlanId: string | null | undefined): unknown {
  if (!ratePlanId) return null
  const policyId = tx.find(ratePlan, ratePlanId).cancellationPolicyId
  if (!policyId) return null
  const { code, name, reference, tiers, noShowFee, nonRefundable } = tx.find(cancellationPolicy, policyId)
  return { code, name, reference, tiers, noShowFee, nonRefundable }
}

/** Each unit is of the type it stands for, and no two live stays hold it at the same time. */
function unitsHold(tx: Transaction, stayId: string, draft: StayDraft): void {
  for (const [index, { unitId, unitTypeId }] of draft.units.entries()) {
    if (!unitId) continue
    const pointer = `/units/${index}/unitId`
    const type = unitTypeOf(tx, unitId)
    if (type === null) throw new Problem('reference-unknown', `There is no unit ${unitId}.`, { pointer })
    if (type !== unitTypeId) {
      throw new Problem('validation-failed', 'The unit is of another type.', {
        pointer,
        meta: { unitTypeId: type },
      })
    }
    if (draft.units.findIndex((other) => other.unitId === unitId) !== index) {
      throw new Problem('validation-failed', 'The unit stands here twice.', { pointer })
    }
    if (live.includes(draft.status) && overlappingStays(tx, unitId, rangeOf(draft), stayId) > 0) {
      throw new Problem('unit-occupied', 'Another stay holds the unit at that time.', { pointer })
    }
  }
}

export function rangeOf({ plannedStartsAt = 0, plannedEndsAt = 0 }: StayDraft): Range {
  return { startsAt: plannedStartsAt, endsAt: plannedEndsAt }
}
