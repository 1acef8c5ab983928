import { localDate, localTime } from '../../host/zone.ts'
import type { Transaction } from '../../resource/command.ts'
import { leftIn } from '../availability/inventory-nights.ts'
import { feeAmount, feeAtCancellation } from '../pricing/cancellation-fee.ts'
import type { Fee } from '../pricing/cancellation-policy-terms.ts'
import { storedAmount } from '../pricing/stay-amount.ts'
import { type Moment, momentOf } from '../resources/house.ts'
import type { Settings } from '../resources/settings.ts'
import type { Stay, StayDraft } from '../resources/stay.ts'
import { unit } from '../resources/unit.ts'
import { blockOn } from '../units/unit-block.ts'
import { overlappingStays } from '../units/unit-occupancy.ts'
import type { Money } from '../values/money.ts'
import type { Effect } from './rules/status-rules.ts'
import { type Dates, datesHeld, plannedRange } from './rules/stay-dates.ts'
import { dueAs } from './stay-price.ts'

const minute = 60_000

/** A stay that gets a new status: the requested stay, and the stay before; null for a new stay. */
interface Change {
  before: Stay | null
  after: StayDraft
  house: Settings
}

/** The fields of a stay that an effect of a new status sets. */
export const setByEffect: Partial<Record<Effect, (tx: Transaction, change: Change) => Partial<StayDraft>>> = {
  'record-check-in': ({ now }) => ({ checkedInAt: now }),
  'undo-check-in': () => ({ checkedInAt: null }),
  'record-check-out': (tx, { before, after }) => ({ checkedOutAt: tx.now, ...dueAs(tx, after, before) }),
  'undo-check-out': (tx, { before, house }) => ({
    checkedOutAt: null,
    ...(before && endBeforeCheckOut(tx, before, house)),
  }),
  'shorten-end': ({ now }, { after, house }) => endingNow(now, after, house),
  'clear-unit': (_, { after }) => ({ units: after.units.map(({ unitTypeId }) => ({ unitTypeId })) }),
  'snapshot-fee': ({ now }, { before, house }) => ({
    cancellationFee: before && canceledFee(now, before, house.timeZone),
  }),
  'snapshot-no-show-fee': (_, { before }) => ({
    cancellationFee: before && feeOf(before, before.cancellationPolicy?.noShowFee ?? null),
  }),
  'clear-fee': () => ({ cancellationFee: null, feeCharged: null }),
}

/** The stay ends now, or one minute after the planned start for a guest who arrives and leaves before it. */
function endingNow(now: number, after: StayDraft, house: Settings): Partial<StayDraft> {
  const { startsAt } = plannedRange(after, house)
  const end = Math.max(now, startsAt + minute)
  return { endDate: localDate(end, house.timeZone), endTime: localTime(end, house.timeZone) }
}

/**
 * Restores the end that the stay had before an early check-out, if its units and its nights are still free. Otherwise
 * returns no fields: the guest has the unit until now, and the front desk must set a new end.
 */
function endBeforeCheckOut(tx: Transaction, before: Stay, house: Settings): Partial<StayDraft> {
  const { units, plannedStartsAt, plannedEndsAt } = before
  const { endsAt } = lastCheckOut(tx, before)
  if (endsAt <= (plannedEndsAt ?? 0)) return {}
  const range = { startsAt: plannedStartsAt ?? 0, endsAt }
  const moment = momentOf(tx.now, house)
  const endDate = localDate(endsAt, house.timeZone)
  const dates = datesHeld({ startDate: before.startDate, endDate })
  const isFree = units.every(
    ({ unitId }) =>
      !unitId ||
      (!blockOn(tx.find(unit, unitId).blocks, dates) &&
        overlappingStays(tx, unitId, range, { party: before, moment }) === 0),
  )
  if (
    !isFree ||
    !areLeft(
      tx,
      units,
      { first: dates.first > moment.today ? dates.first : moment.today, last: dates.last },
      moment,
    )
  ) {
    return {}
  }
  const endTime = localTime(endsAt, house.timeZone)
  return { endDate, endTime: endTime === house.checkOutTime ? null : endTime }
}

/** Returns when a stay was checked out last, and the end that it had until then; zeros for never. */
function lastCheckOut(tx: Transaction, { id }: Stay): { at: number; endsAt: number } {
  const [last] = tx.all<{ at: number; endsAt: number }>(
    `SELECT at, json_extract(data, '$.plannedEndsAt') AS endsAt FROM journal
     WHERE type = 'stay.checked-out' AND subject = ? ORDER BY sequence DESC LIMIT 1`,
    `stays/${id}`,
  )
  return last ?? { at: 0, endsAt: 0 }
}

/**
 * Returns the dates of the nights that the price of a stay is for. They are those of the stay, except after an early check-out
 * that was undone without its former end: the price is that of the booking still.
 */
export function datesOfPrice(
  tx: Transaction,
  before: Stay,
  house: Settings,
): Pick<Stay, 'startDate' | 'endDate'> {
  const { startDate, endDate, plannedEndsAt } = before
  if (before.status !== 'InHouse') return before
  const { at, endsAt } = lastCheckOut(tx, before)
  const cut = endingNow(at, before, house)
  const isCut = cut.endDate === endDate && cut.endTime === before.endTime && endsAt > (plannedEndsAt ?? 0)
  return isCut ? { startDate, endDate: localDate(endsAt, house.timeZone) } : before
}

/** Returns whether enough units of each type are left on each of the dates. */
function areLeft(tx: Transaction, units: Stay['units'], dates: Dates, moment: Moment): boolean {
  const byType = Map.groupBy(units, ({ unitTypeId }) => unitTypeId)
  return [...byType].every(([unitTypeId, { length }]) =>
    leftIn(tx, unitTypeId, dates, moment).every(({ left }) => left === null || left >= length),
  )
}

function canceledFee(now: number, row: Stay, zone: string): Money | null {
  const { cancellationPolicy, plannedStartsAt, createdAt } = row
  if (!cancellationPolicy) return null
  const moments = { canceledAt: now, createdAt, arrivesAt: plannedStartsAt ?? now, zone }
  return feeOf(row, feeAtCancellation(cancellationPolicy, moments))
}

/** Returns the amount of a fee; null when the stay has no price or the fee is null. */
function feeOf({ amount, nights }: Stay, fee: Fee | null): Money | null {
  if (!amount || !fee) return null
  const { amountWithTax, currency, perNight } = storedAmount(amount)
  return feeAmount(fee, {
    currency,
    amountWithTax,
    perNight: perNight
      .toSorted((a, b) => (a.date < b.date ? -1 : 1))
      .map(({ amountWithTax: price }) => price),
    nights: nights ?? 0,
  })
}
