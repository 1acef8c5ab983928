import { toDecimal } from '../../resource/values/currency.ts'
import { fractionOf } from '../values/money.ts'

/** Parts that a client rounded one by one, and what they sum up to. All amounts are in minor units. */
interface Parts {
  amounts: readonly number[]
  total: number
}

/**
 * Returns whether rounding explains that the parts do not sum up to the total: at most one minor unit for each part. A
 * rounded part is off by half a unit at most, and a truncated one by less than a unit.
 */
export function isRounding({ amounts, total }: Parts): boolean {
  return Math.abs(total - sum(amounts)) <= Math.max(1, amounts.length)
}

/**
 * Returns the parts with the rest of the rounding on the last one, so that they sum up to the total. A part does not
 * fall below zero: the one before it carries what is left. Parts that rounding does not explain are returned unchanged.
 */
export function carried({ amounts, total }: Parts): number[] {
  const parts = [...amounts]
  if (!isRounding({ amounts, total })) return parts
  let rest = total - sum(parts)
  for (let at = parts.length - 1; at >= 0 && rest !== 0; at--) {
    const part = rest > 0 ? rest : Math.max(rest, -Math.max(0, parts[at]!))
    parts[at]! += part
    rest -= part
  }
  if (parts.length > 0) parts[parts.length - 1]! += rest
  return parts
}

/**
 * Returns the parts of another total in the proportion of these parts, to the minor unit. Parts that sum up to zero say no
 * proportion: the last one takes the total.
 */
export function inProportion(amounts: readonly number[], total: number): number[] {
  const whole = sum(amounts)
  if (whole === 0) return amounts.map((amount, at) => (at === amounts.length - 1 ? amount + total : amount))
  // Taxes of a rebate sum up to less than zero, and a denominator is positive.
  const [numerator, denominator] = whole < 0 ? [-total, -whole] : [total, whole]
  const parts = amounts.map((amount) => fractionOf(amount, BigInt(numerator), BigInt(denominator)))
  return carried({ amounts: parts, total })
}

/** Returns what the parts sum up to and what is expected, as decimals in major units, for the refusal of the parts. */
export function bothSums({ amounts, total }: Parts, currency: string): { sum: string; expected: string } {
  return { sum: toDecimal(sum(amounts), currency), expected: toDecimal(total, currency) }
}

/** Returns the sum of the amounts. */
export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
