import { codeText, dateOf, dateText, timeText } from '../language/format.ts'
import type { Address } from '../server/resources.ts'

/** An address in one line. */
export function addressText({ line1, line2, line3, postalCode, city, region, country }: Address): string {
  const place = [postalCode, city].filter(Boolean).join(' ')
  return [line1, line2, line3, place, region, country && codeText(country, 'region')]
    .filter(Boolean)
    .join(', ')
}

/** A date with its year, because a paper is read years later: `1 June 2026`. */
export const dayOnPaper = (date: string) => dateText(date, { day: 'numeric', month: 'long', year: 'numeric' })

/** A date and time at the property with the year: `1 June 2026, 15:04`. */
export const momentOnPaper = (instant: string | number) =>
  `${dayOnPaper(dateOf(instant))}, ${timeText(instant)}`
