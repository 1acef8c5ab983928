import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../resource/command.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import { uuidBytes } from '../../resource/uuid-sql.ts'
import type { CancellationTerms } from '../pricing/cancellation-policy-terms.ts'
import { type StayAmountInput, shownStayAmount, stayAmount } from '../pricing/stay-amount.ts'
import { cancellationPolicy } from '../resources/cancellation-policy.ts'
import { momentIn, settingsIn } from '../resources/house.ts'
import { ratePlan } from '../resources/rate-plan.ts'
import type { AllottedUnit, Stay, StayDraft } from '../resources/stay.ts'
import { unit } from '../resources/unit.ts'
import { unitType } from '../resources/unit-type.ts'
import { blockOn } from '../units/unit-block.ts'
import { partyOf, staysInHouse, staysInTheWay } from '../units/unit-occupancy.ts'
import { type OccupancyLimits, type PersonCountInput, personCount, sharedLimits } from '../values/persons.ts'
import { reservationIds } from '../values/reservation-ids.ts'
import { referenced } from '../values/value-problems.ts'
import { holdsUnits, isLive } from './rules/status-rules.ts'
import { datesHeld, nights, plannedDates, type Range, rangeOf, type StayDates } from './rules/stay-dates.ts'
import { pricedStay } from './stay-price.ts'

/** The largest number of stays that a refusal names. */
const mostNamed = 20

/**
 * Returns the allotments for the nights on which the stay newly takes its units. Returns none when the PMS grants no
 * allotments. Throws 422 `no-eligible-unit` for a unit without an allotment.
 */
export type AllotmentsFor = (tx: Transaction, before: Stay | null, after: StayDraft) => AllottedUnit[]

/** The rules about fields that do not apply to a write of a stay. */
export interface DraftPolicy {
  skips: {
    /** The number of persons may exceed the limits of the unit types. */
    occupancy?: boolean
    /** A unit may be held by another stay at the same time. The caller must list that for a decision. */
    exclusivity?: boolean
    /** A new price may be in a currency that is withdrawn: the other system has already sold in it. */
    currency?: boolean
  }
  /** Null when units need no allotment. */
  allotmentsFor: AllotmentsFor | null
}

/**
 * Returns a stay with all computed fields: planned moments, nights, price, held units. `before` is the stored stay;
 * null for a new one. Throws the Problem of the first invalid field.
 */
export function completedStay(
  tx: Transaction,
  before: Stay | null,
  given: StayDraft,
  { skips, allotmentsFor }: DraftPolicy,
): StayDraft {
  const { dates, range } = plannedDates(given, settingsIn(tx))
  const { amount, units } = given
  // The nights' prices belong to the booked nights. A stay that has ended keeps them, even if it ended early, also when
  // its check-out is undone: they are checked only when they or the nights change.
  const pricedDates = before && (!isLive(given.status) || hasSameNights(before, given)) ? null : dates
  const draft: StayDraft = {
    ...given,
    ...dates,
    nights: nights(dates),
    plannedStartsAt: range.startsAt,
    plannedEndsAt: range.endsAt,
    personCount: personsOf(tx, before, given, skips),
    reservationIds: reservationIds(given.reservationIds),
    amount: amount ? priceOf(amount, before, pricedDates, skips) : null,
    cancellationPolicy: termsOf(tx, before, given),
  }
  refuseUnits(tx, before, draft, skips)
  // Only the units of a stay whose status holds units exclude other stays.
  const held = holdsUnits(draft.status) ? units.flatMap(({ unitId }) => unitId ?? []) : []
  const priced = {
    ...draft,
    heldUnits: held.map((unitId) => ({ unitId })),
    ...pricedStay(tx, draft, before),
  }
  const leases = held.length > 0 && allotmentsFor ? allotmentsFor(tx, before, priced) : []
  return { ...priced, lent: given.lent || leases.length > 0 ? withAllotments(priced, leases) : null }
}

/** A stored price is not checked again while it and its nights stay: an earlier version may have stored it. */
function priceOf(
  amount: StayAmountInput,
  before: Stay | null,
  dates: StayDates | null,
  skips: DraftPolicy['skips'],
): StayAmountInput {
  if (dates === null && isDeepStrictEqual(amount, before?.amount)) return amount
  const sold = skips.currency ? amount.currency : (before?.amount?.currency ?? null)
  return shownStayAmount(stayAmount(amount, dates, sold))
}

function hasSameNights(before: Stay, { startDate, endDate, amount }: StayDraft): boolean {
  const isSame = before.startDate === startDate && before.endDate === endDate
  return isSame && isDeepStrictEqual(before.amount?.perNight, amount?.perNight)
}

const limitsOf = `SELECT maxOccupancy, maxAdults, maxChildren FROM unit_type WHERE id = ${uuidBytes()}`

/**
 * Limits are checked only when the unit types or the persons change. A limit that was lowered later does not invalidate
 * a stored stay.
 */
function personsOf(
  tx: Transaction,
  before: Stay | null,
  given: StayDraft,
  { occupancy }: DraftPolicy['skips'],
): PersonCountInput {
  const hasSameTypes = before && isDeepStrictEqual(unitTypesOf(before), unitTypesOf(given))
  if (occupancy || hasSameTypes) {
    const counted = personCount(given.personCount, {})
    if (occupancy || isDeepStrictEqual(before?.personCount, counted)) return counted
  }
  const limits = given.units.map(({ unitTypeId }, index) => {
    const [found] = tx.all<OccupancyLimits>(limitsOf, unitTypeId)
    return found ?? referenced(tx, unitType, unitTypeId, `/units/${index}/unitTypeId`)
  })
  return personCount(given.personCount, sharedLimits(limits))
}

function unitTypesOf({ units }: StayDraft): string[] {
  return units.map(({ unitTypeId }) => unitTypeId)
}

/** The terms are a copy of those of the rate plan, made when the stay takes the plan. */
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

/**
 * Throws unless each unit has the type of its place and no other stay holds it at that time. The units of a stay that
 * is over are not checked unless they change.
 */
function refuseUnits(
  tx: Transaction,
  before: Stay | null,
  draft: StayDraft,
  { exclusivity }: DraftPolicy['skips'],
): void {
  if (before && !isLive(draft.status) && isDeepStrictEqual(unitsIn(before), unitsIn(draft))) return
  // A stay that leaves its party, or joins another one, is checked anew: those who were no strangers may be some now.
  const sameParty = (before?.shareId ?? null) === (draft.shareId ?? null) ? before : null
  for (const [index, { unitId, unitTypeId }] of draft.units.entries()) {
    if (!unitId) continue
    const pointer = `/units/${index}/unitId`
    const { unitTypeId: type = null, blocks, name, status } = referenced(tx, unit, unitId, pointer)
    if (type !== unitTypeId) throw invalidValue(pointer, 'The unit is of another type.', { unitTypeId: type })
    if (draft.units.findIndex((other) => other.unitId === unitId) !== index) {
      throw invalidValue(pointer, 'The unit is listed twice.')
    }
    const range = holdsUnits(draft.status) ? notHeldYet(unitId, sameParty, draft) : null
    if (!range) continue
    const block = blockOn(blocks, datesHeld(draft))
    if (block) {
      const { startDate: from, endDate: to, reason } = block
      const detail = reason
        ? `The unit is blocked from ${from} to ${to}: ${reason}.`
        : `The unit is blocked from ${from} to ${to}.`
      throw new Problem('unit-blocked', detail, { pointer, meta: { ...block } })
    }
    if (exclusivity) continue
    // A guest may wait for a room that is repaired by the arrival. One who is in house would sleep there now.
    const isInHouse = before?.status === 'InHouse' && draft.status === 'InHouse'
    if (status === 'OutOfOrder' && isInHouse && !holds(before, unitId))
      throw new Problem('unit-blocked', `Room ${name} is out of order. Assign another room.`, { pointer })
    const party = partyOf(before, draft)
    const booked = staysInTheWay(tx, unitId, range, { party, moment: momentIn(tx) })
    // A guest can be in the unit before the planned start of the stay, or after its end.
    const present =
      draft.status === 'InHouse' && !holds(sameParty, unitId) ? staysInHouse(tx, unitId, party) : []
    const stayIds = [...new Set([...booked, ...present])]
    if (stayIds.length === 0) continue
    throw new Problem(
      'unit-occupied',
      'Another stay has the unit in this period. Choose another unit or other dates.',
      { pointer, meta: { count: stayIds.length, stayIds: stayIds.slice(0, mostNamed) } },
    )
  }
}

function holds(stay: Stay | null, unitId: string): boolean {
  return stay?.heldUnits?.some((each) => each.unitId === unitId) ?? false
}

function unitsIn({ units }: StayDraft): (string | null)[] {
  return units.map(({ unitId }) => unitId ?? null)
}

/**
 * Returns the part of the stay for which it does not hold the unit yet; null when there is none. The part that it holds
 * already is not checked again.
 */
function notHeldYet(unitId: string, before: Stay | null, draft: StayDraft): Range | null {
  const is = rangeOf(draft)
  if (!before || !holds(before, unitId)) return is
  const was = rangeOf(before)
  if (is.startsAt < was.startsAt) return is
  return is.endsAt <= was.endsAt ? null : { startsAt: Math.max(was.endsAt, is.startsAt), endsAt: is.endsAt }
}

/** Returns the allotments of the units that the stay still has. A new allotment of a unit replaces the old one. */
function withAllotments({ lent, units }: StayDraft, leases: readonly AllottedUnit[]): AllottedUnit[] | null {
  const all = new Map([...(lent ?? []), ...leases].map((each) => [each.unitId, each]))
  const left = [...all.values()].filter(({ unitId }) => units.some((each) => each.unitId === unitId))
  return left.length > 0 ? left : null
}
