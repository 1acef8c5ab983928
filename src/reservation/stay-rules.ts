import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Rule } from '../resource/resource.ts'
import { momentIn } from './availability-moment.ts'
import { invalidValue } from './invalid-value.ts'
import { type PersonCountInput, personCount, sharedLimits } from './persons.ts'
import { referenced } from './referenced.ts'
import { type ReservationId, reservationIds, searchForm } from './reservation-ids.ts'
import { cancellationPolicy } from './resources/cancellation-policy.ts'
import { ratePlan } from './resources/rate-plan.ts'
import { houseTimes, settingsIn } from './resources/settings.ts'
import type { Stay } from './resources/stay.ts'
import { unit } from './resources/unit.ts'
import { unitType } from './resources/unit-type.ts'
import { holdsUnits, isLive, type StayStatus } from './status.ts'
import { type StayAmountInput, shownStayAmount, stayAmount } from './stay-amount.ts'
import { datesHeld, type HouseTimes, nights, plannedDates, type Range } from './stay-dates.ts'
import { pricedStay } from './stay-price.ts'
import { isTold } from './told.ts'
import { blockOn } from './unit-block.ts'
import { overlappingStays } from './unit-occupancy.ts'

/** A stay as it is about to be written; members may be missing on a new one. */
interface StayDraft {
  startDate: string
  startTime?: string | null
  endDate: string
  endTime?: string | null
  status: StayStatus
  personCount: PersonCountInput
  units: { unitTypeId: string; unitId?: string | null }[]
  reservationIds: (ReservationId & { searchForm?: string })[]
  amount?: StayAmountInput | null
  ratePlanId?: string | null
  cancellationPolicy?: unknown
  nights?: number
  plannedStartsAt?: number | null
  plannedEndsAt?: number | null
  heldUnits?: { unitId: string }[] | null
}

/** What holds of every stay, whoever writes it; fills in what follows from the rest. */
export function stayHolds({ tx, id, before, after }: Parameters<Rule>[0]): void {
  // What a stay is was decided when it was booked; that it was paid for asks nothing again.
  if (before && isOnlyBalance(before, after)) return
  const draft = after as unknown as StayDraft
  const kept = before as unknown as StayDraft | null
  datesHold(draft, houseTimes(settingsIn(tx)))
  personsFit(tx, draft, kept)
  draft.reservationIds = reservationIds(draft.reservationIds).map((each) => ({
    ...each,
    searchForm: searchForm(each.value),
  }))
  amountHolds(draft, kept)
  termsAreKept(tx, draft, kept)
  unitsHold(tx, id, draft, kept)
  draft.heldUnits = heldUnits(draft)
  Object.assign(draft, pricedStay(tx, after as unknown as Stay, before as unknown as Stay | null))
}

const balance = ['due', 'paid', 'outstanding', 'currency']

function isOnlyBalance(before: Record<string, unknown>, after: Record<string, unknown>): boolean {
  const changed = Object.keys(after).filter((name) => after[name] !== before[name])
  return changed.length > 0 && changed.every((name) => balance.includes(name))
}

/** A stay with a guest in it cannot be deleted. */
export function nobodyIsInHouse({ id, after }: Parameters<Rule>[0]): void {
  if (after.status !== 'InHouse') return
  throw new Problem('resource-referenced', 'The guest is in house; check out first.', {
    meta: { stayId: id },
  })
}

function datesHold(draft: StayDraft, house: HouseTimes): void {
  const { dates, range } = plannedDates(draft, house)
  Object.assign(draft, dates, {
    nights: nights(dates),
    plannedStartsAt: range.startsAt,
    plannedEndsAt: range.endsAt,
  })
}

/** A limit that was lowered since does not put out who fitted in before; a PMS tells who is there, whether or not they fit. */
function personsFit(tx: Transaction, draft: StayDraft, kept: StayDraft | null): void {
  if (isTold(tx)) {
    draft.personCount = personCount(draft.personCount, {})
    return
  }
  const typesOf = ({ units }: StayDraft) => units.map(({ unitTypeId }) => unitTypeId)
  const types = draft.units.map(({ unitTypeId }, index) =>
    referenced(tx, unitType, unitTypeId, `/units/${index}/unitTypeId`),
  )
  const same = kept && isDeepStrictEqual(typesOf(kept), typesOf(draft))
  const counted = personCount(draft.personCount, {})
  draft.personCount =
    same && isDeepStrictEqual(kept.personCount, counted)
      ? counted
      : personCount(draft.personCount, sharedLimits(types))
}

/** The nights' prices are for the nights that were booked: a stay that ended early keeps them. */
function amountHolds(draft: StayDraft, kept: StayDraft | null): void {
  if (!draft.amount) return
  const hasEnded = kept !== null && !isLive(draft.status)
  draft.amount = shownStayAmount(stayAmount(draft.amount, hasEnded ? null : draft))
}

/** The terms are those of the rate plan as they were when the stay was put on it. */
function termsAreKept(tx: Transaction, draft: StayDraft, kept: StayDraft | null): void {
  const samePlan = (kept?.ratePlanId ?? null) === (draft.ratePlanId ?? null)
  if (samePlan || (!kept && draft.cancellationPolicy)) return
  draft.cancellationPolicy = draft.ratePlanId ? termsOf(tx, draft.ratePlanId) : null
}

function termsOf(tx: Transaction, ratePlanId: string): unknown {
  const { cancellationPolicyId } = referenced(tx, ratePlan, ratePlanId, '/ratePlanId')
  if (!cancellationPolicyId) return null
  const policy = tx.find(cancellationPolicy, cancellationPolicyId)
  const { code, name, description = null, reference, tiers, noShowFee, nonRefundable } = policy
  return { code, name, description, reference, tiers, noShowFee, nonRefundable }
}

/** Each unit is of the type it stands for, and no two live stays hold it at once. What is over stays as it was. */
function unitsHold(tx: Transaction, stayId: string, draft: StayDraft, kept: StayDraft | null): void {
  const idsOf = ({ units }: StayDraft) => units.map(({ unitId }) => unitId ?? null)
  if (kept && !isLive(draft.status) && isDeepStrictEqual(idsOf(kept), idsOf(draft))) return
  for (const [index, { unitId, unitTypeId }] of draft.units.entries()) {
    if (!unitId) continue
    const pointer = `/units/${index}/unitId`
    const type = referenced(tx, unit, unitId, pointer).unitTypeId ?? null
    if (type !== unitTypeId) throw invalidValue(pointer, 'The unit is of another type.', { unitTypeId: type })
    if (draft.units.findIndex((other) => other.unitId === unitId) !== index) {
      throw invalidValue(pointer, 'The unit stands here twice.')
    }
    const range = holdsUnits(draft.status) ? notHeldYet(unitId, draft, kept) : null
    if (range) expectFree(tx, { unitId, stayId, pointer, range }, draft)
  }
}

/** The part of its time for which the stay does not hold the unit yet: what it holds is not asked for again. */
function notHeldYet(unitId: string, draft: StayDraft, kept: StayDraft | null): Range | null {
  const is = rangeOf(draft)
  if (!kept?.heldUnits?.some((each) => each.unitId === unitId)) return is
  const was = rangeOf(kept)
  if (is.startsAt < was.startsAt) return is
  return is.endsAt <= was.endsAt ? null : { startsAt: Math.max(was.endsAt, is.startsAt), endsAt: is.endsAt }
}

function expectFree(
  tx: Transaction,
  { unitId, stayId, pointer, range }: { unitId: string; stayId: string; pointer: string; range: Range },
  draft: StayDraft,
): void {
  const block = blockOn(tx.find(unit, unitId).blocks, datesHeld(draft))
  if (block) {
    const detail = `The unit is blocked from ${block.startDate} to ${block.endDate}.`
    throw new Problem('unit-blocked', detail, { pointer, meta: { ...block } })
  }
  if (overlappingStays(tx, unitId, range, { except: stayId, moment: momentIn(tx) }) === 0) return
  throw new Problem('unit-occupied', 'Another stay holds the unit at that time.', { pointer })
}

/** Only those can be held that nobody else holds; a stay that waits, or is over, holds none. */
function heldUnits({ status, units }: StayDraft): { unitId: string }[] {
  if (!holdsUnits(status)) return []
  return units.flatMap(({ unitId }) => (unitId ? [{ unitId }] : []))
}

/** The moments of a stay whose dates were planned. */
export function rangeOf(planned: Pick<StayDraft, 'plannedStartsAt' | 'plannedEndsAt'>): Range {
  return { startsAt: planned.plannedStartsAt ?? 0, endsAt: planned.plannedEndsAt ?? 0 }
}
