import { toDecimal } from '../../resource/currency.ts'
import { invalidValue } from '../../resource/problem.ts'
import { checkCurrency, toMajor, toMinor } from '../payments/money.ts'
import { nightDates } from '../stays/stay-dates.ts'
import { closedObject, currencySchema, dateSchema, textOf, withoutNulls } from '../value-schema.ts'

const price = { type: 'number', minimum: 0 }

const taxSchema = closedObject(
  {
    code: textOf(1, 30),
    name: textOf(1, 100),
    percent: { type: 'number', minimum: 0, maximum: 100 },
    amount: { type: 'number' },
  },
  ['code', 'name', 'amount'],
)

const nightSchema = closedObject({ date: dateSchema, amountWithTax: price, amountWithoutTax: price }, [
  'date',
  'amountWithTax',
])

/** The JSON Schema of Amount, the price of a stay. Amounts are decimals in major units. */
export const stayAmountSchema = closedObject(
  {
    currency: currencySchema,
    amountWithTax: price,
    amountWithoutTax: price,
    taxes: { type: 'array', maxItems: 50, items: taxSchema },
    perNight: { type: 'array', maxItems: 1000, items: nightSchema },
  },
  ['currency', 'amountWithTax'],
)

interface Tax {
  code: string
  name: string
  percent?: number | null
  amount: number
}

interface NightPrice {
  date: string
  amountWithTax: number
  amountWithoutTax?: number | null
}

/** The type of a value that `stayAmountSchema` accepts. */
export interface StayAmountInput {
  currency: string
  amountWithTax: number
  amountWithoutTax?: number | null
  taxes?: readonly Tax[] | null
  perNight?: readonly NightPrice[] | null
}

/** The price of a stay, all amounts in minor units. The lists are empty when the input has none. */
interface StayAmount {
  currency: string
  amountWithTax: number
  amountWithoutTax: number
  taxes: Tax[]
  perNight: (NightPrice & { amountWithoutTax: number })[]
}

/**
 * Returns the price of a stay in minor units. Throws 422 `validation-failed` when an amount has too many decimals, when
 * the taxes differ from the difference of the two amounts by more than one minor unit, or when the nights' prices do
 * not sum up to the whole. If `dates` are given, the nights' prices must be exactly one for each night. The currency
 * must be in force, or be the `stored` one; without `stored` the price is one that is stored already.
 */
export function stayAmount(
  input: StayAmountInput,
  dates: { startDate: string; endDate: string } | null,
  stored: string | null = input.currency,
): StayAmount {
  const { currency } = input
  checkCurrency(currency, '/amount/currency', stored)
  const amountWithTax = toMinor(input.amountWithTax, currency, '/amount/amountWithTax')
  const amountWithoutTax = toMinor(
    input.amountWithoutTax ?? input.amountWithTax,
    currency,
    '/amount/amountWithoutTax',
  )
  const taxes = (input.taxes ?? []).map((tax, at) => ({
    ...withoutNulls(tax),
    amount: toMinor(tax.amount, currency, `/amount/taxes/${at}/amount`),
  }))
  const perNight = (input.perNight ?? []).map((night, at) =>
    nightPrice(night, currency, `/amount/perNight/${at}`),
  )
  const amount = { currency, amountWithTax, amountWithoutTax, taxes, perNight }
  if (taxes.length > 0) checkTaxes(amount)
  if (perNight.length > 0) {
    if (dates) checkNights(amount, nightDates(dates))
    checkSums(amount, input.perNight ?? [])
  }
  return amount
}

/** Returns the price as it appears in a document: decimals in major units, without empty lists. */
export function shownStayAmount(amount: StayAmount): StayAmountInput {
  const { currency, amountWithTax, amountWithoutTax, taxes, perNight } = amount
  return {
    currency,
    amountWithTax: toMajor(amountWithTax, currency),
    amountWithoutTax: toMajor(amountWithoutTax, currency),
    ...(taxes.length > 0 && {
      taxes: taxes.map((tax) => ({ ...tax, amount: toMajor(tax.amount, currency) })),
    }),
    ...(perNight.length > 0 && {
      perNight: perNight.map((night) => ({
        date: night.date,
        amountWithTax: toMajor(night.amountWithTax, currency),
        amountWithoutTax: toMajor(night.amountWithoutTax, currency),
      })),
    }),
  }
}

/** Returns the price in its stored form, without checking it against dates. Throws 422 as `stayAmount` does. */
export function stayAmountForm(input: StayAmountInput): StayAmountInput {
  return shownStayAmount(stayAmount(input, null))
}

function nightPrice(
  { date, amountWithTax, amountWithoutTax }: NightPrice,
  currency: string,
  pointer: string,
) {
  return {
    date,
    amountWithTax: toMinor(amountWithTax, currency, `${pointer}/amountWithTax`),
    amountWithoutTax: toMinor(amountWithoutTax ?? amountWithTax, currency, `${pointer}/amountWithoutTax`),
  }
}

function checkTaxes({ currency, amountWithTax, amountWithoutTax, taxes }: StayAmount): void {
  const difference = amountWithTax - amountWithoutTax
  if (Math.abs(sum(taxes.map(({ amount }) => amount)) - difference) <= 1) return
  const expected = toDecimal(difference, currency)
  throw invalidValue('/amount/taxes', 'The taxes must be the difference of the amounts.', { expected })
}

function checkNights({ perNight }: StayAmount, nights: string[]): void {
  const priced = perNight.map(({ date }) => date).toSorted()
  if (priced.join() === nights.join()) return
  throw invalidValue('/amount/perNight', 'There must be one price for each night of the stay.', {
    expected: nights.length,
  })
}

function checkSums(amount: StayAmount, nights: readonly NightPrice[]): void {
  const { currency, perNight } = amount
  const fields = nights.every((night) => typeof night.amountWithoutTax === 'number')
    ? (['amountWithTax', 'amountWithoutTax'] as const)
    : (['amountWithTax'] as const)
  for (const field of fields) {
    if (sum(perNight.map((night) => night[field])) === amount[field]) continue
    const expected = toDecimal(amount[field], currency)
    throw invalidValue('/amount/perNight', `The nights' ${field} must sum up to that of the stay.`, {
      expected,
    })
  }
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
