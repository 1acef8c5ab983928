import { isDeepStrictEqual } from 'node:util'
import { chargedNights } from '../../resource/charged-nights.ts'
import type { Transaction } from '../../resource/command.ts'
import { toDecimal } from '../../resource/values/currency.ts'
import { datesHeld, datesIn, nights } from '../stays/rules/stay-dates.ts'
import { fractionOf } from '../values/money.ts'
import { inProportion, sum } from './amount-sums.ts'
import {
  mostNightPrices,
  type StayAmount,
  type StayAmountInput,
  shownStayAmount,
  storedAmount,
} from './stay-amount.ts'

interface Days {
  startDate: string
  endDate: string
}

/** The stays of each command whose price followed their dates at the last write. */
const followed = new WeakMap<Transaction, Set<string>>()

/** Notes, before a stay is written, whether its price follows the dates or is another one, such as one that was stated. */
export function noteFollowing(tx: Transaction, stayId: string, isFollowing: boolean): void {
  const stays = followed.getOrInsertComputed(tx, () => new Set<string>())
  if (isFollowing) stays.add(stayId)
  else stays.delete(stayId)
}

/** Returns whether the price with which a stay was just written followed its dates. One that was stated did not, also where it is the same. */
export function hasFollowedDates(tx: Transaction, stayId: string): boolean {
  return followed.get(tx)?.has(stayId) ?? false
}

/** A price that followed the dates of a stay: the decimals in major units, and the number of nights. */
export interface NewPrice {
  /** Whether the nights have prices of their own. */
  isByNight: boolean
  currency: string
  before: string
  after: string
  nights: number
}

/** Returns whether the nights of a stored price have prices of their own. */
export function hasNightPrices(stored: StayAmountInput | null | undefined): boolean {
  return (stored?.perNight ?? []).length > 0
}

interface Priced {
  amount?: StayAmountInput | null
  nights?: number | null
}

/** Returns the price after a change that did not state it; null when it is the same. */
export function newPriceOf(before: Priced, after: Priced): NewPrice | null {
  if (!before.amount || !after.amount || isDeepStrictEqual(before.amount, after.amount)) return null
  const [was, is] = [storedAmount(before.amount), storedAmount(after.amount)]
  const { currency } = is
  return {
    isByNight: hasNightPrices(after.amount),
    currency,
    before: toDecimal(was.amountWithTax, currency),
    after: toDecimal(is.amountWithTax, currency),
    nights: after.nights ?? 0,
  }
}

/**
 * Returns the price of a stay whose dates change while its price is not stated; `stored` is its price on the dates
 * `before`. Nights that the stay keeps cost what they did, and each new one what the last night did. A price without
 * prices of its nights, or for more nights than a price has entries, changes in proportion to the nights. A day use counts
 * as one night. Taxes, and the price before tax where the nights do not say it, change in proportion. Throws 422
 * `validation-failed` for a price that is too large.
 */
export function priceOnDates(stored: StayAmountInput, before: Days, after: Days): StayAmountInput {
  const amount = storedAmount(stored)
  const isByNight = amount.perNight.length > 0 && nights(after) <= mostNightPrices
  const priced = isByNight ? byNight(amount, after) : byNumber(amount, before, after)
  const taxes = inProportion(
    amount.taxes.map((tax) => tax.amount),
    priced.amountWithTax - priced.amountWithoutTax,
  )
  return shownStayAmount({
    ...amount,
    ...priced,
    taxes: amount.taxes.map((tax, at) => ({ ...tax, amount: taxes[at]! })),
  })
}

type Sums = Pick<StayAmount, 'amountWithTax' | 'amountWithoutTax' | 'perNight'>

function byNight(amount: StayAmount, after: Days): Sums {
  const known = new Map(amount.perNight.map((night) => [night.date, night]))
  const last = amount.perNight.reduce((latest, night) => (night.date > latest.date ? night : latest))
  const perNight = datesIn(datesHeld(after)).map((date) => ({ ...(known.get(date) ?? last), date }))
  const amountWithTax = sum(perNight.map((night) => night.amountWithTax))
  // Nights that an earlier version stored may say another price before tax than the stay.
  const isNet = sum(amount.perNight.map((night) => night.amountWithoutTax)) === amount.amountWithoutTax
  if (isNet)
    return { amountWithTax, amountWithoutTax: sum(perNight.map((night) => night.amountWithoutTax)), perNight }
  const amountWithoutTax = share(amount, amountWithTax)
  const nets = inProportion(
    perNight.map((night) => night.amountWithTax),
    amountWithoutTax,
  )
  return {
    amountWithTax,
    amountWithoutTax,
    perNight: perNight.map((night, at) => ({ ...night, amountWithoutTax: nets[at]! })),
  }
}

function byNumber(amount: StayAmount, before: Days, after: Days): Sums {
  const [was, is] = [before, after].map((days) => BigInt(chargedNights(nights(days)))) as [bigint, bigint]
  const amountWithTax = fractionOf(amount.amountWithTax, is, was)
  return { amountWithTax, amountWithoutTax: share(amount, amountWithTax), perNight: [] }
}

/** Returns the price before tax of another price with tax, in the proportion of the stored price. */
function share({ amountWithTax: whole, amountWithoutTax }: StayAmount, amountWithTax: number): number {
  return whole === 0 ? amountWithTax : fractionOf(amountWithTax, BigInt(amountWithoutTax), BigInt(whole))
}
