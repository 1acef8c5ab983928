import { exponentOf, isCurrency } from '../../resource/values/currency.ts'
import { plainSigns } from './cell-text.ts'

/** A price and its currency, a code of ISO 4217 unless the map states another one. */
export interface WrittenMoney extends Price {
  currency: string
}

/** What the map says about a price: the currency, null where it says none, and the decimal separator of 1.234. */
export interface MoneyTerms {
  currency: string | null
  decimal: '.' | ',' | undefined
}

/**
 * Reads a price that may have its currency beside it, as a code, a sign or a name: `126.63 EUR`, `€ 126,63`,
 * `CHF 1'234.50`, `120,-`. Returns the problem as a part of a sentence: for a text that is no price, for one without a
 * currency, and for one in another currency than that of the map.
 */
export function readMoney(
  text: string,
  { currency, decimal }: MoneyTerms,
): WrittenMoney | { problem: string } {
  const plain = plainSigns(text)
  const [number = ''] = /\d(?:[\d.,' ]*\d)?/.exec(plain) ?? []
  const at = plain.indexOf(number)
  const around: [string, string] = [
    plain.slice(0, at),
    plain.slice(at + number.length).replace(/^[.,:]--?/, ''),
  ]
  if (number === '' || around.some((part) => /\d/.test(part))) return { problem: 'is not a price' }
  if (around.some((part) => part.includes('-')) || around[0].includes('('))
    return { problem: 'is not a price: it is negative' }
  const marks = around.map((part) => part.trim()).filter((part) => part !== '')
  const price = readPrice(number, decimal)
  if ('problem' in price) return price
  const found = currencyBeside(marks, currency)
  return 'problem' in found ? found : { ...price, ...found }
}

const addCurrency = 'Add "currency" beside the price in the map'

function currencyBeside(marks: string[], stated: string | null): { currency: string } | { problem: string } {
  const unknown = marks.find((mark) => currenciesOf(mark).length === 0)
  if (unknown !== undefined)
    return { problem: `is not a price: ${unknown} is no currency in force in ISO 4217` }
  const written = inCommon(marks)
  if (written?.length === 0) return { problem: 'is in two currencies' }
  // The appliance refuses a currency that is not in force.
  if (!written && stated !== null && currenciesOf(stated).length === 0) return { currency: stated }
  const all = stated === null ? marks : [...marks, stated]
  const [currency, ...more] = inCommon(all) ?? []
  if (currency && more.length === 0 && all.some(isClear)) return { currency }
  if (currency) return { problem: `may be in ${listed([currency, ...more])}. ${addCurrency}` }
  if (written) return { problem: `is in ${listed(written)}, and its currency in the map is ${stated}` }
  return { problem: 'has no currency. Add it to the cell, or "currency" beside the price in the map' }
}

/** The currencies that each of the marks may mean; undefined without marks. */
function inCommon(marks: string[]): string[] | undefined {
  const [first, ...others] = marks.map(currenciesOf)
  return first?.filter((code) => others.every((codes) => codes.includes(code)))
}

/** Whether a mark can state a currency alone: a code, a sign or a name. Abbreviations such as Fr. have many meanings. */
function isClear(mark: string): boolean {
  return isCurrency(codeOf(mark)) || /\p{Sc}|\p{L}{4}/u.test(mark)
}

function listed(codes: string[]): string {
  return codes.length > 4 ? 'one of several currencies' : codes.join(' or ')
}

/** The currencies that a code, a sign, an abbreviation or a name may mean. */
function currenciesOf(mark: string): string[] {
  const code = codeOf(mark)
  if (isCurrency(code)) return [code]
  signs ??= signsOfCurrencies()
  const name = normal(mark)
  return [...(signs.get(name) ?? signs.get(name.replace(/s$/, '')) ?? [])]
}

function codeOf(mark: string): string {
  return normal(mark).toUpperCase()
}

const languages = ['en', 'de', 'fr', 'es', 'pt']
let signs: Map<string, Set<string>> | null = null

/** Signs in use that Unicode does not have in these languages, or has for another currency only. */
const furtherSigns = {
  AED: ['Dh', 'Dhs'],
  CAD: ['C$'],
  CHF: ['Fr', 'SFr'],
  INR: ['Rs'],
  MAD: ['Dh', 'Dhs'],
  PEN: ['S/'],
  SGD: ['S$'],
  TRY: ['TL'],
  XAF: ['FCFA', 'F CFA'],
  XOF: ['FCFA', 'F CFA'],
}

/** The signs and names of the currencies in force, as Unicode has them, and further ones. */
function signsOfCurrencies(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const add = (sign: string | undefined, code: string) => {
    if (sign) found.set(normal(sign), (found.get(normal(sign)) ?? new Set()).add(code))
  }
  const codes = Intl.supportedValuesOf('currency').filter(isCurrency)
  for (const language of languages) {
    const names = new Intl.DisplayNames(language, { type: 'currency' })
    for (const code of codes) {
      add(names.of(code), code)
      for (const currencyDisplay of ['symbol', 'narrowSymbol'] as const) {
        const format = new Intl.NumberFormat(language, { style: 'currency', currency: code, currencyDisplay })
        add(format.formatToParts(0).find(({ type }) => type === 'currency')?.value, code)
      }
    }
  }
  for (const [code, written] of Object.entries(furtherSigns)) for (const sign of written) add(sign, code)
  return found
}

/** A sign for comparing: in lower case, with plain spaces, and without the dot of an abbreviation. */
function normal(sign: string): string {
  return sign.replace(/\s+/g, ' ').replace(/\.$/, '').toLowerCase()
}

/** The price of a stay in major units, as an import request has it. */
export interface Amount {
  currency: string
  amountWithTax: number
}

/** Returns a price times a number of nights, computed in integers: 68.5 for 7 nights is 479.50. */
export function timesNights({ whole, fraction, currency }: WrittenMoney, nights: number): Amount {
  const parts = BigInt(whole + fraction) * BigInt(nights)
  return { currency, amountWithTax: decimalOf(parts, fraction.length) }
}

/**
 * Returns a price rounded to the decimals of its currency, half up: 126.6314 EUR is 126.63, 1250.5 JPY is 1251. `isRounded`
 * is true when a digit other than zero was lost.
 */
export function roundedAmount({ whole, fraction, currency }: WrittenMoney): {
  amount: Amount
  isRounded: boolean
} {
  const exponent = exponentOf(currency)
  const kept = BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, '0'))
  const lost = fraction.slice(exponent)
  const minor = /^[5-9]/.test(lost) ? kept + 1n : kept
  return {
    amount: { currency, amountWithTax: decimalOf(minor, exponent) },
    isRounded: /[1-9]/.test(lost),
  }
}

/** Counts the totals that were rounded, for the summary. */
export function roundedTotals() {
  let count = 0
  let example = ''
  return {
    /** Looks at the price of an accepted booking. */
    look: ({ rounded, stay }: { rounded: string | null; stay: Record<string, unknown> }) => {
      if (rounded === null) return
      const { currency, amountWithTax } = stay.amount as Amount
      if (count++ === 0) example = `${rounded} → ${amountWithTax.toFixed(exponentOf(currency))} ${currency}`
    },
    /** Returns a line for people; none where no total was rounded. */
    notes: () => {
      const totals = count === 1 ? '1 total was' : `${count} totals were`
      return count > 0 ? [`  ${totals} rounded to the decimals of the currency, for example ${example}`] : []
    },
  }
}

/** Returns the number with these digits, of which the last `decimals` are the fraction: 12663n with 2 is 126.63. */
export function decimalOf(parts: bigint, decimals: number): number {
  const digits = String(parts).padStart(decimals + 1, '0')
  const at = digits.length - decimals
  return Number(`${digits.slice(0, at)}.${digits.slice(at)}`)
}

/** A price in digits: 68.50 has the whole part 68 and the fraction 50. */
interface Price {
  whole: string
  fraction: string
}

/**
 * Reads a price with a decimal point or a decimal comma, with or without thousands separators: 68.5, 68,50, 1.234,50,
 * 1 234,50, 1'234.50, 1,23,456.00. 1.234 and 1,234 have two meanings: `decimal` decides, and without it they are a
 * problem. Returns the problem as a part of a sentence.
 */
function readPrice(text: string, decimal: '.' | ',' | undefined): Price | { problem: string } {
  if (decimal === undefined && /^[1-9]\d{0,2}[.,]\d{3}$/.test(text))
    return {
      problem:
        'may be a thousand or a decimal fraction. Add "decimal": "." or "decimal": "," beside the price in the map',
    }
  // Only 1.234 and the like can be read with both.
  for (const separator of decimal === ',' ? ([',', '.'] as const) : (['.', ','] as const)) {
    const price = withDecimal(text, separator)
    if (price) return price
  }
  return { problem: 'is not a price' }
}

const withPoint =
  /^(?<whole>\d{1,12}|[1-9]\d{0,2}(?<mark>[,' ])\d{3}(?:\k<mark>\d{3}){0,2}|[1-9]\d?(?:,\d\d){1,4},\d{3})(?:\.(?<fraction>\d{1,15}))?$/
const withComma =
  /^(?<whole>\d{1,12}|[1-9]\d{0,2}(?<mark>[.' ])\d{3}(?:\k<mark>\d{3}){0,2})(?:,(?<fraction>\d{1,15}))?$/

function withDecimal(text: string, decimal: '.' | ','): Price | null {
  const { whole, fraction = '' } = (decimal === '.' ? withPoint : withComma).exec(text)?.groups ?? {}
  return whole === undefined ? null : { whole: whole.replace(/\D/g, ''), fraction }
}
