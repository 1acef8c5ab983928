import { invalidValue } from '../../resource/problem.ts'
import { datesHeld, datesIn } from '../stays/rules/stay-dates.ts'
import { checkCurrency, toMajor, toMinor } from '../values/money.ts'
import { closedObject, currencySchema, dateSchema, textOf, withoutNulls } from '../values/value-schema.ts'
import { bothSums, carried, inProportion, isRounding, sum } from './amount-sums.ts'

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

/** How many nights a price may list. */
export const mostNightPrices = 1000

/** The JSON Schema of Amount, the price of a stay. Amounts are decimals in major units. */
export const stayAmountSchema = closedObject(
  {
    currency: currencySchema,
    amountWithTax: price,
    amountWithoutTax: price,
    taxes: { type: 'array', maxItems: 50, items: taxSchema },
    perNight: {
      type: 'array',
      maxItems: mostNightPrices,
      items: nightSchema,
      description:
        'One price for each night, or one for the date of a day use. The last one carries the rest of the rounding.',
    },
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
export interface StayAmount {
  currency: string
  amountWithTax: number
  amountWithoutTax: number
  taxes: Tax[]
  perNight: (NightPrice & { amountWithoutTax: number })[]
}

/**
 * Returns the price of a stay in minor units, in which the nights and the taxes sum up exactly: the last one carries the
 * rest of the rounding. Throws 422 `validation-failed` when an amount has too many decimals, and with both sums when the
 * taxes do not sum up to the difference of the two amounts, or the nights' prices to the whole, by more than rounding
 * explains. If `dates` are given, the nights' prices must be exactly one for each night, and one for a day use.
 * The currency must be in force, or be the `stored` one; without `stored` the price is one that is stored already.
 */
export function stayAmount(
  input: StayAmountInput,
  dates: { startDate: string; endDate: string } | null,
  stored: string | null = input.currency,
): StayAmount {
  const amount = inMinorUnits(input, stored)
  if (amount.taxes.length > 0) checkTaxes(amount)
  if (amount.perNight.length > 0) {
    if (dates) checkNights(amount, datesIn(datesHeld(dates)))
    checkSums(amount)
  }
  return settled(amount)
}

/** Returns a stored price in minor units. It is not checked, because an earlier version may have stored it. */
export function storedAmount(stored: StayAmountInput): StayAmount {
  return settled(inMinorUnits(stored, stored.currency))
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

/**
 * Returns the price in its stored form, to compare prices. Neither its dates nor its sums are checked. Throws 422
 * `validation-failed` when an amount has too many decimals.
 */
export function stayAmountForm(input: StayAmountInput): StayAmountInput {
  return shownStayAmount(storedAmount(input))
}

function inMinorUnits(input: StayAmountInput, stored: string | null): StayAmount {
  const { currency } = input
  checkCurrency(currency, '/amount/currency', stored)
  const minor = (value: number, pointer: string) => toMinor(value, currency, `/amount/${pointer}`)
  const amountWithTax = minor(input.amountWithTax, 'amountWithTax')
  const amountWithoutTax = minor(input.amountWithoutTax ?? input.amountWithTax, 'amountWithoutTax')
  const taxes = (input.taxes ?? []).map((tax, at) => ({
    ...withoutNulls(tax),
    amount: minor(tax.amount, `taxes/${at}/amount`),
  }))
  const perNight = (input.perNight ?? []).map((night, at) => ({
    date: night.date,
    amountWithTax: minor(night.amountWithTax, `perNight/${at}/amountWithTax`),
    amountWithoutTax:
      typeof night.amountWithoutTax === 'number'
        ? minor(night.amountWithoutTax, `perNight/${at}/amountWithoutTax`)
        : null,
  }))
  const amount = { currency, amountWithTax, amountWithoutTax, taxes }
  return { ...amount, perNight: withNets(perNight, amount) }
}

type Night = NightPrice & { amountWithoutTax: number | null }
type Whole = Pick<StayAmount, 'amountWithTax' | 'amountWithoutTax'>

/** Nights that state no price before tax share what the others leave of it, in proportion to their price with tax. */
function withNets(
  nights: readonly Night[],
  { amountWithTax, amountWithoutTax }: Whole,
): StayAmount['perNight'] {
  const unstated = byDate(nights.filter((night) => night.amountWithoutTax === null))
  const shares = inProportion(
    carriedByDate(nights, amountWithTax, (night) => night.amountWithTax).flatMap(([night, gross]) =>
      night.amountWithoutTax === null ? gross : [],
    ),
    Math.max(0, amountWithoutTax - sum(nights.map((night) => night.amountWithoutTax ?? 0))),
  )
  const nets = new Map(unstated.map((night, at) => [night, shares[at]!]))
  return nights.map((night) => ({ ...night, amountWithoutTax: night.amountWithoutTax ?? nets.get(night)! }))
}

/** The nights in which the last one by date, and the taxes in which the last one, carries the rest of the rounding. */
function settled(amount: StayAmount): StayAmount {
  const taxes = carried(taxParts(amount))
  const [gross, net] = nightFields.map(
    (field) => new Map(carriedByDate(amount.perNight, amount[field], (night) => night[field])),
  )
  return {
    ...amount,
    taxes: amount.taxes.map((tax, at) => ({ ...tax, amount: taxes[at]! })),
    perNight: amount.perNight.map((night) => ({
      date: night.date,
      amountWithTax: gross!.get(night)!,
      amountWithoutTax: net!.get(night)!,
    })),
  }
}

/** Returns the nights in order of date, each with its amount after the last one has taken the rest of the rounding. */
function carriedByDate<Of extends NightPrice>(
  nights: readonly Of[],
  total: number,
  amountOf: (night: Of) => number,
): [Of, number][] {
  const sorted = byDate(nights)
  const amounts = carried({ amounts: sorted.map(amountOf), total })
  return sorted.map((night, at) => [night, amounts[at]!])
}

function byDate<Of extends NightPrice>(nights: readonly Of[]): Of[] {
  return nights.toSorted((a, b) => (a.date < b.date ? -1 : 1))
}

const nightFields = ['amountWithTax', 'amountWithoutTax'] as const

function nightParts(amount: StayAmount, field: (typeof nightFields)[number]) {
  return { amounts: amount.perNight.map((night) => night[field]), total: amount[field] }
}

function taxParts({ amountWithTax, amountWithoutTax, taxes }: StayAmount) {
  return { amounts: taxes.map(({ amount }) => amount), total: amountWithTax - amountWithoutTax }
}

function checkTaxes(amount: StayAmount): void {
  const parts = taxParts(amount)
  if (isRounding(parts)) return
  const sums = bothSums(parts, amount.currency)
  throw invalidValue(
    '/amount/taxes',
    `The taxes sum up to ${sums.sum}, but the difference of the amounts is ${sums.expected}. Rounding does not explain that.`,
    sums,
  )
}

function checkNights({ perNight }: StayAmount, dates: string[]): void {
  const priced = perNight.map(({ date }) => date).toSorted()
  if (priced.join() === dates.join()) return
  throw invalidValue(
    '/amount/perNight',
    'There must be one price for each night of the stay, or one for the date of a day use.',
    { expected: dates.length },
  )
}

function checkSums(amount: StayAmount): void {
  for (const field of nightFields) {
    const parts = nightParts(amount, field)
    if (isRounding(parts)) continue
    const sums = bothSums(parts, amount.currency)
    throw invalidValue(
      '/amount/perNight',
      `The nights' ${field} sum up to ${sums.sum}, but that of the stay is ${sums.expected}. Rounding does not explain that.`,
      sums,
    )
  }
}
