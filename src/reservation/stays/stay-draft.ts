import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { blockOn } from '../assignment/unit-block.ts'
import { nobody, overlappingStays } from '../assignment/unit-occupancy.ts'
import { momentIn } from '../availability/availability-moment.ts'
import { invalidValue } from '../invalid-value.ts'
import type { CancellationTerms } from '../pricing/cancellation-policy-terms.ts'
import { type StayAmountInput, shownStayAmount, stayAmount } from '../pricing/stay-amount.ts'
import { pricedStay } from '../pricing/stay-price.ts'
import { type PersonCountInput, personCount, sharedLimits } from '../profiles/persons.ts'
import { referenced } from '../referenced.ts'
import { reservationIds, searchForm } from '../reservations/reservation-ids.ts'
import { cancellationPolicy } from '../resources/cancellation-policy.ts'
import { ratePlan } from '../resources/rate-plan.ts'
import { houseTimes, settingsIn } from '../resources/settings.ts'
import type { Lent, Stay, StayDraft } from '../resources/stay.ts'
import { unit } from '../resources/unit.ts'
import { unitType } from '../resources/unit-type.ts'
import { holdsUnits, isLive } from './status.ts'
import { datesHeld, nights, plannedDates, type Range } from './stay-dates.ts'

/**
 * The leases by which a stay has units on nights for which it did not hold them until now; none where a PMS lends nothing.
 * Throws 422 `no-eligible-unit` for a unit that is not lent.
 */
export type LeasesFor = (tx: Transaction, before: Stay | null, after: StayDraft) => Lent[]

/** Which rules about the fields of a stay do not bind who writes it. */
export interface DraftPolicy {
  skips: {
    /** The unit types need not be for so many persons. */
    occupancy?: boolean
  }
  /** Null where units need no lease. */
  leasesFor: LeasesFor | null
}

/**
 * A stay with everything that follows from what is said of it: planned moments, nights, price, held units. `before` is the
 * stay as it is kept now; null for a new one. Throws the Problem of the first field that cannot be so.
 */
export function completedStay(
  tx: Transaction,
  before: Stay | null,
  given: StayDraft,
  { skips, leasesFor }: DraftPolicy,
): StayDraft {
  const dated = { ...given, ...datesOf(tx, given) }
  const draft: StayDraft = {
    ...dated,
    personCount: personsOf(tx, before, dated, skips),
    reservationIds: reservationIds(dated.reservationIds).map((each) => ({
      ...each,
      searchForm: searchForm(each.value),
    })),
    amount: amountOf(before, dated),
    cancellationPolicy: termsOf(tx, before, dated),
  }
  refuseUnits(tx, before, draft)
  const priced = { ...draft, heldUnits: heldUnits(draft), ...pricedStay(tx, draft, before) }
  return { ...priced, lent: withLeases(priced, leasesFor?.(tx, before, priced) ?? []) }
}

function datesOf(tx: Transaction, given: StayDraft) {
  const times = houseTimes(settingsIn(tx))
  const { dates, range } = plannedDates(given, times)
  return { ...dates, nights: nights(dates), plannedStartsAt: range.startsAt, plannedEndsAt: range.endsAt }
}

/** A limit that was lowered since does not put out who fitted in before. */
function personsOf(
  tx: Transaction,
  before: Stay | null,
  given: StayDraft,
  { occupancy }: DraftPolicy['skips'],
): PersonCountInput {
  if (occupancy) return personCount(given.personCount, {})
  const types = given.units.map(({ unitTypeId }, index) =>
    referenced(tx, unitType, unitTypeId, `/units/${index}/unitTypeId`),
  )
  const counted = personCount(given.personCount, {})
  const isSame =
    before &&
    isDeepStrictEqual(unitTypesOf(before), unitTypesOf(given)) &&
    isDeepStrictEqual(before.personCount, counted)
  return isSame ? counted : personCount(given.personCount, sharedLimits(types))
}

function unitTypesOf({ units }: StayDraft): string[] {
  return units.map(({ unitTypeId }) => unitTypeId)
}

/** The nights' prices are for the nights that were booked: a stay that ended early keeps them. */
function amountOf(before: Stay | null, { amount, ...given }: StayDraft): StayAmountInput | null {
  if (!amount) return null
  const hasEnded = before !== null && !isLive(given.status)
  return shownStayAmount(stayAmount(amount, hasEnded ? null : given))
}

/** The terms are those of the rate plan as they were when the stay was put on it. */
function termsOf(tx: Transaction, before: Stay | null, given: StayDraft): CancellationTerms | null {
  const kept = given.cancellationPolicy ?? null
  const isSamePlan = (before?.ratePlanId ?? null) === (given.ratePlanId ?? null)
  if (isSamePlan || (!before && kept)) return kept
  if (!given.ratePlanId) return null
  const { cancellationPolicyId } = referenced(tx, ratePlan, given.ratePlanId, '/ratePlanId')
  if (!cancellationPolicyId) return null
  const policy = tx.find(cancellationPolicy, cancellationPolicyId)
  const { code, name, description = null, reference, tiers, noShowFee, nonRefundable } = policy
  return { code, name, description, reference, tiers, noShowFee, nonRefundable } as CancellationTerms
}

/** Each unit is of the type it stands for, and no two live stays hold it at once. What is over stays as it was. */
function refuseUnits(tx: Transaction, before: Stay | null, draft: StayDraft): void {
  if (before && !isLive(draft.status) && isDeepStrictEqual(unitsIn(before), unitsIn(draft))) return
  for (const [index, { unitId, unitTypeId }] of draft.units.entries()) {
    if (!unitId) continue
    const pointer = `/units/${index}/unitId`
    const { unitTypeId: type = null, blocks } = referenced(tx, unit, unitId, pointer)
    if (type !== unitTypeId) throw invalidValue(pointer, 'The unit is of another type.', { unitTypeId: type })
    if (draft.units.findIndex((other) => other.unitId === unitId) !== index) {
      throw invalidValue(pointer, 'The unit stands here twice.')
    }
    const range = holdsUnits(draft.status) ? notHeldYet(unitId, before, draft) : null
    if (!range) continue
    const block = blockOn(blocks, datesHeld(draft))
    if (block) {
      const detail = `The unit is blocked from ${block.startDate} to ${block.endDate}.`
      throw new Problem('unit-blocked', detail, { pointer, meta: { ...block } })
    }
    const others = { except: before?.id ?? nobody, moment: momentIn(tx) }
    if (overlappingStays(tx, unitId, range, others) === 0) continue
    throw new Problem('unit-occupied', 'Another stay holds the unit at that time.', { pointer })
  }
}

function unitsIn({ units }: StayDraft): (string | null)[] {
  return units.map(({ unitId }) => unitId ?? null)
}

/** The part of its time for which the stay does not hold the unit yet: what it holds is not asked for again. */
function notHeldYet(unitId: string, before: Stay | null, draft: StayDraft): Range | null {
  const is = rangeOf(draft)
  if (!before?.heldUnits?.some((each) => each.unitId === unitId)) return is
  const was = rangeOf(before)
  if (is.startsAt < was.startsAt) return is
  return is.endsAt <= was.endsAt ? null : { startsAt: Math.max(was.endsAt, is.startsAt), endsAt: is.endsAt }
}

/** Only those can be held that nobody else holds; a stay that waits, or is over, holds none. */
function heldUnits({ status, units }: StayDraft): { unitId: string }[] {
  if (!holdsUnits(status)) return []
  return units.flatMap(({ unitId }) => (unitId ? [{ unitId }] : []))
}

/** The leases of the units that the stay still has; a new one takes the place of an old one. */
function withLeases({ lent, units }: StayDraft, leases: readonly Lent[]): Lent[] | null {
  if (!lent && leases.length === 0) return null
  const all = new Map([...(lent ?? []), ...leases].map((each) => [each.unitId, each]))
  const left = [...all.values()].filter(({ unitId }) => units.some((each) => each.unitId === unitId))
  return left.length > 0 ? left : null
}

/** The moments of a stay whose dates were planned. */
export function rangeOf({
  plannedStartsAt,
  plannedEndsAt,
}: Pick<StayDraft, 'plannedStartsAt' | 'plannedEndsAt'>): Range {
  return { startsAt: plannedStartsAt ?? 0, endsAt: plannedEndsAt ?? 0 }
}
