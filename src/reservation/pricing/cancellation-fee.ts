import { decimal, fractionOf, type Money, toMinor } from '../payments/money.ts'
import type { CancellationTerms, Fee } from './cancellation-policy-terms.ts'

/** The moments that a fee depends on, in Unix milliseconds, and the property's IANA time zone. */
interface CancellationMoments {
  canceledAt: number
  createdAt: number
  arrivesAt: number
  zone: string
}

/**
 * The fee of the last tier that was reached when the stay was canceled; null when none was. Days of an offset are
 * calendar days in the zone, so that a clock change does not move the hour.
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

/** The price that a fee is a part of, in minor units; `perNight` is empty when the nights have no prices of their own. */
export interface FeeBase {
  currency: string
  amountWithTax: number
  perNight: readonly number[]
  nights: number
}

/** What a fee comes to; null when it is in another currency than the stay's price. Parts are rounded half up. */
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

/** The price of the first nights, at most that of the stay; a stay without nights counts as one. */
function firstNights(count: number, { amountWithTax, perNight, nights }: FeeBase): number {
  if (count >= nights) return amountWithTax
  if (perNight.length > 0) return perNight.slice(0, count).reduce((total, price) => total + price, 0)
  return fractionOf(amountWithTax, BigInt(count), BigInt(nights))
}
