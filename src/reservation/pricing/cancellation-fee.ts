import { chargedNights } from '../../resource/charged-nights.ts'
import { decimal, fractionOf, type Money, toMinor } from '../values/money.ts'
import type { CancellationTerms, Fee } from './cancellation-policy-terms.ts'

/** The moments on which a fee depends, in Unix milliseconds, and the property's IANA time zone. */
interface CancellationMoments {
  canceledAt: number
  createdAt: number
  arrivesAt: number
  zone: string
}

/**
 * Returns the fee of the last tier that was reached when the stay was canceled; null when none was reached. The days of
 * an offset are calendar days in the zone: with P1D and an arrival at 15:00, the tier is reached at 15:00 the day
 * before, even when the clocks change that night.
 */
export function feeAtCancellation(terms: CancellationTerms, moments: CancellationMoments): Fee | null {
  const reached = terms.tiers.filter(({ offset }) => reachedAt(terms, offset, moments) <= moments.canceledAt)
  return reached.at(-1)?.fee ?? null
}

function reachedAt({ reference }: CancellationTerms, offset: string, moments: CancellationMoments): number {
  const at = (moment: number) =>
    Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(moments.zone)
  const reached =
    reference === 'Arrival' ? at(moments.arrivesAt).subtract(offset) : at(moments.createdAt).add(offset)
  return reached.epochMilliseconds
}

/**
 * The price of a stay, in minor units. `perNight` is in order of date. It is empty when the nights have no individual
 * prices.
 */
export interface FeeBase {
  currency: string
  amountWithTax: number
  perNight: readonly number[]
  nights: number
}

/**
 * Returns the amount of a fee; null when its currency differs from that of the stay's price. Fractions are rounded half
 * up.
 */
export function feeAmount(fee: Fee, base: FeeBase): Money | null {
  const { currency } = base
  if ('amount' in fee) {
    return fee.currency === currency ? { currency, amount: toMinor(fee.amount, currency, '/amount') } : null
  }
  if ('nights' in fee) return { currency, amount: firstNights(fee.nights, base) }
  const whole = fee.of === 'Stay' ? base.amountWithTax : firstNights(1, base)
  const { units, places } = decimal(fee.percent)!
  return { currency, amount: fractionOf(whole, units, 100n * 10n ** BigInt(places)) }
}

/** Returns the price of the first nights, at most the price of the stay. */
function firstNights(count: number, { amountWithTax, perNight, nights }: FeeBase): number {
  const charged = chargedNights(nights)
  if (count >= charged) return amountWithTax
  if (perNight.length > 0) return perNight.slice(0, count).reduce((total, price) => total + price, 0)
  return fractionOf(amountWithTax, BigInt(count), BigInt(charged))
}
