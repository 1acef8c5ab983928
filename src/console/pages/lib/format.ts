import { language } from './language.ts'

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

/** The property's time zone and currency; set when the session is known. */
let zone = 'UTC'
export function setZone(timeZone: string): void {
  zone = timeZone
}

/** `20 Nov` for a date of the property, YYYY-MM-DD. It has no zone: it is the same day everywhere. */
export function dateText(
  date: string,
  style: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' },
): string {
  return dates(locale(), { ...style, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))
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
export function momentText(instant: string | number | Date): string {
  const options = { day: 'numeric', month: 'short', timeZone: zone } as const
  return `${dates(locale(), options).format(new Date(instant))} ${timeText(instant)}`
}

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

/** Formats an amount in minor units of its currency. */
export function moneyText(minor: number, currency: string): string {
  return priceText(minor / 10 ** digitsOf(currency), currency)
}

/** Formats a price, which is a decimal number, unlike the amount of a payment. */
export function priceText(price: number, currency: string): string {
  return numbers(locale(), { style: 'currency', currency }).format(price)
}

/** Returns the number of decimals of a currency. */
export function digitsOf(currency: string): number {
  return numbers('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/**
 * Returns an amount that a person typed, in the currency's units; null for an invalid one. More decimals than the currency
 * has are a mistake, such as a sum that was typed behind the suggested one.
 */
export function amountIn(text: string, currency: string): number | null {
  const typed = text.replace(/\s/g, '').replace(',', '.')
  const [, decimals = ''] = /^\d+(?:\.(\d+))?$/.exec(typed) ?? [null, null]
  return decimals === null || decimals.length > digitsOf(currency) ? null : Number(typed)
}

export const numberText = (value: number) => numbers(locale(), {}).format(value)

/** The form of a counted word: `plural(3, { one: 'night', other: 'nights' })`. */
export function plural(count: number, forms: { one: string; other: string; many?: string }): string {
  const rule = plurals(language.value, {}).select(count)
  return rule === 'one' ? forms.one : rule === 'many' ? (forms.many ?? forms.other) : forms.other
}
