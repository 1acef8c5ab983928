import { language } from './language.ts'

/** English is written as in Europe: `22 Nov`. */
const locale = () => (language.value === 'en' ? 'en-GB' : language.value)

/** What the property says about its time and money; set when the session is known. */
let zone = 'UTC'
export function setZone(timeZone: string): void {
  zone = timeZone
}

/** `20 Nov` for a date of the property, YYYY-MM-DD. It has no zone: it is the same day everywhere. */
export function dateText(
  date: string,
  style: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' },
): string {
  return new Intl.DateTimeFormat(locale(), { ...style, timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  )
}

export const longDate = (date: string) => dateText(date, { weekday: 'long', day: 'numeric', month: 'long' })
export const weekdayDate = (date: string) =>
  dateText(date, { weekday: 'short', day: 'numeric', month: 'short' })

/** `15:04` at the property, for an instant. */
export function timeText(instant: string | number | Date): string {
  return new Intl.DateTimeFormat(locale(), {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
    hourCycle: 'h23',
  }).format(new Date(instant))
}

/** `22 Nov 15:04` at the property, for an instant. */
export function momentText(instant: string | number | Date): string {
  const options = { day: 'numeric', month: 'short', timeZone: zone } as const
  return `${new Intl.DateTimeFormat(locale(), options).format(new Date(instant))} ${timeText(instant)}`
}

/** The property's date of an instant, YYYY-MM-DD. */
export function dateOf(instant: string | number | Date): string {
  return new Intl.DateTimeFormat('en-CA', {
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

/** An amount in the smallest unit of its currency, as people write it. */
export function moneyText(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(locale(), { style: 'currency', currency })
  return format.format(minor / 10 ** digitsOf(currency))
}

/** How many digits after the point a currency has. */
export function digitsOf(currency: string): number {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  )
}

export const numberText = (value: number) => new Intl.NumberFormat(locale()).format(value)

/** The form of a counted word: `plural(3, { one: 'night', other: 'nights' })`. */
export function plural(count: number, forms: { one: string; other: string; many?: string }): string {
  const rule = new Intl.PluralRules(language.value).select(count)
  return rule === 'one' ? forms.one : rule === 'many' ? (forms.many ?? forms.other) : forms.other
}
