import { invalidValue, type Problem } from '../../resource/problem.ts'
import { exponentOf, isCurrency, isStoredCurrency, toDecimal } from '../../resource/values/currency.ts'

/** An amount in minor units (cents) of a currency. */
export interface Money {
  amount: number
  currency: string
}

/**
 * An exact decimal number: `units` divided by 10 to the power of `places`. `places` is the smallest possible value, at
 * least 0.
 */
interface Decimal {
  units: bigint
  places: number
}

/**
 * Parses a number by its shortest decimal text, or a decimal text such as `-12.50`, without binary fractions. Returns
 * undefined for any other value.
 */
export function decimal(value: number | string): Decimal | undefined {
  if (Number.isSafeInteger(value)) return { units: BigInt(value), places: 0 }
  const form =
    typeof value === 'number' ? /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/ : /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/
  const [, sign = '', whole, fraction = '', exponent = '0'] = form.exec(String(value)) ?? []
  if (whole === undefined) return undefined
  const shown = fraction.replace(/0+$/, '')
  const places = shown.length - Number(exponent)
  const units = BigInt(`${sign}${whole}${shown}`) * 10n ** BigInt(Math.max(0, -places))
  return { units, places: Math.max(0, places) }
}

/** A JSON number represents fifteen significant digits exactly. A longer number may represent a neighbouring amount. */
const mostInNumber = 999_999_999_999_999

/**
 * Converts a decimal amount in major units to an integer of minor units: 19.99 or `'19.99'` EUR is 1999. Throws 422
 * `validation-failed` for an unknown currency, for more decimals than the currency has, and for an amount that no exact
 * integer holds.
 */
export function toMinor(value: number | string, currency: string, pointer: string): number {
  if (!isStoredCurrency(currency)) throw noCurrency(pointer)
  const exponent = exponentOf(currency)
  const read = decimal(value)
  if (!read || read.places > exponent) {
    throw invalidValue(pointer, `Expected an amount with at most ${exponent} decimals.`, {
      decimals: exponent,
    })
  }
  const minor = Number(read.units * 10n ** BigInt(exponent - read.places))
  const most = typeof value === 'number' ? mostInNumber : Number.MAX_SAFE_INTEGER
  if (Math.abs(minor) > most) throw tooLarge(pointer)
  return minor
}

/** Converts an exact result to an amount. Throws 422 `validation-failed` when no exact integer holds it. */
export function amountOf(exact: bigint, pointer: string): number {
  const amount = Number(exact)
  if (!Number.isSafeInteger(amount)) throw tooLarge(pointer)
  return amount
}

function tooLarge(pointer: string): Problem {
  return invalidValue(pointer, 'The amount is too large.')
}

/**
 * Throws 422 `validation-failed` unless the code is in force in ISO 4217, or is the one that is stored already: what was
 * priced in a currency that has been withdrawn since can still be changed. `pointer` points at the code.
 */
export function checkCurrency(currency: string, pointer: string, stored?: string | null): void {
  if (isCurrency(currency) || (currency === stored && isStoredCurrency(currency))) return
  throw noCurrency(pointer)
}

function noCurrency(pointer: string): Problem {
  return invalidValue(pointer, 'Expected an ISO 4217 currency code.', { expected: 'ISO 4217 currency code' })
}

/** Converts minor units to the number in a JSON document: 1999 EUR is 19.99. */
export function toMajor(minor: number, currency: string): number {
  return Number(toDecimal(minor, currency))
}

/**
 * Returns `minor` times a fraction, rounded to the nearest integer, halves away from zero. The denominator must be
 * positive.
 */
export function fractionOf(minor: number, numerator: bigint, denominator: bigint): number {
  return Number(divide(BigInt(minor) * numerator, denominator, 'Round'))
}

export const roundingModes = ['Round', 'Truncate', 'Up'] as const
export type RoundingMode = (typeof roundingModes)[number]

/** Divides integers and rounds: to the nearest with halves away from zero, towards zero, or away from zero. */
export function divide(dividend: bigint, divisor: bigint, mode: RoundingMode): bigint {
  const quotient = dividend / divisor
  const rest = dividend % divisor
  const size = rest < 0n ? -rest : rest
  const away = mode === 'Up' ? size > 0n : mode === 'Round' && size * 2n >= divisor
  if (!away) return quotient
  return dividend < 0n ? quotient - 1n : quotient + 1n
}
