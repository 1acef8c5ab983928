import { exponentOf, toDecimal } from '../../../../resource/values/currency.ts'
import { language } from './language.ts'

export { chargedNights } from '../../../../resource/charged-nights.ts'

/** English is written as in Europe: `22 Nov`. */
const locale = () => (language.value === 'en' ? 'en-GB' : language.value)

/** Returns a function that makes one formatter for each locale and style, because making one takes long. */
function madeOnce<Style, Formatter>(make: (locale: string, style: Style) => Formatter) {
  const made = new Map<string, Formatter>()
  return (locale: string, style: Style): Formatter => {
    const key = `${locale} ${JSON.stringify(style)}`
    const formatter = made.get(key) ?? make(locale, style)
    made.set(key, formatter)
    return formatter
  }
}

const dates = madeOnce((locale, style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, style))
const numbers = madeOnce((locale, style: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, style))
const plurals = madeOnce((locale, style: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, style))

/** The property's time zone, and the time of the box; set when the session is known. */
let zone = 'UTC'
let clock = Date.now
/** Sets the time zone of the property, in which moments are shown, and what the time of the box is, Unix milliseconds. */
export function setZone(timeZone: string, now: () => number): void {
  zone = timeZone
  clock = now
}

/** The style, with the year beside the month of another year. */
const yearly = (date: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormatOptions =>
  !style.month || date.slice(0, 4) === dateOf(clock()).slice(0, 4) ? style : { ...style, year: 'numeric' }

/** `20 Nov` for a date of the property, YYYY-MM-DD; `20 Nov 2027` in another year. It has no zone: it is the same day everywhere. */
export function dateText(
  date: string,
  style: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' },
): string {
  return dates(locale(), { ...yearly(date, style), timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))
}

export const longDate = (date: string) => dateText(date, { weekday: 'long', day: 'numeric', month: 'long' })
export const weekdayDate = (date: string) =>
  dateText(date, { weekday: 'short', day: 'numeric', month: 'short' })

/** `15:04` at the property, for an instant. */
export function timeText(instant: string | number | Date): string {
  return dates(locale(), {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
    hourCycle: 'h23',
  }).format(new Date(instant))
}

/** `22 Nov 15:04` at the property, for an instant. */
export const momentText = (instant: string | number | Date): string =>
  `${dateText(dateOf(instant))} ${timeText(instant)}`

/** The property's date of an instant, YYYY-MM-DD. */
export function dateOf(instant: string | number | Date): string {
  return dates('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(new Date(instant))
}

/** Adds days to a date of the property. */
export function plusDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The nights between two dates of the property. */
export function nightsBetween(start: string, end: string): number {
  return Math.round((Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / 86_400_000)
}

/** The name of a language or a country (ISO 3166-1 alpha-2) in the language of the page; undefined for one without a name. */
export function codeText(code: string, type: 'language' | 'region'): string | undefined {
  return new Intl.DisplayNames(language.value, { type }).of(code)
}

/** Formats an amount in minor units of its currency. All money on the pages goes through here. */
export function moneyText(minor: number, currency: string): string {
  return decimalText(minor, currency, { style: 'currency', currency })
}

/** Formats a price, which is a decimal number, unlike the amount of a payment. */
export function priceText(price: number, currency: string): string {
  return moneyText(minorOf(price, currency), currency)
}

/** Returns an amount in minor units as a person would type it in the language of the page, for `amountIn`: `109.00`. */
export function typedText(minor: number, currency: string): string {
  return decimalText(minor, currency, { useGrouping: false })
}

/** Returns an amount for the sentence that says how one is typed. */
export const exampleAmount = (currency: string) => typedText(minorOf(109, currency), currency)

/** Converts a price to minor units, to the nearest. */
export function minorOf(price: number, currency: string): number {
  return Math.round(price * 10 ** exponentOf(currency))
}

/** Converts minor units to a price. */
export function priceOf(minor: number, currency: string): number {
  return Number(toDecimal(minor, currency))
}

/** Always with all decimals of the currency by the server's table. Those of the browser are others, such as none for HUF. */
function decimalText(minor: number, currency: string, style: Intl.NumberFormatOptions): string {
  const digits = exponentOf(currency)
  const format = numbers(locale(), { ...style, minimumFractionDigits: digits, maximumFractionDigits: digits })
  return format.format(toDecimal(minor, currency) as Intl.StringNumericLiteral)
}

/** The decimal separator of the language, and the one between thousands. */
export function separators(): { decimal: string | undefined; group: string | undefined } {
  const parts = numbers(locale(), {}).formatToParts(12_345.5)
  const of = (kind: string) => parts.find(({ type }) => type === kind)?.value
  return { decimal: of('decimal'), group: of('group') }
}

export const numberText = (value: number) => numbers(locale(), {}).format(value)

/** The form of a counted word: `plural(3, { one: 'night', other: 'nights' })`. */
export function plural(count: number, forms: { one: string; other: string; many?: string }): string {
  const rule = plurals(language.value, {}).select(count)
  return rule === 'one' ? forms.one : rule === 'many' ? (forms.many ?? forms.other) : forms.other
}

/** Returns a part of 1 as whole per cents in the language of the page; less than nothing is 0 %. */
export function percentText(part: number): string {
  return numbers(language.value, { style: 'percent' }).format(Math.max(0, part))
}
