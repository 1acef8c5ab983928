import { chargedNights } from '../../resource/charged-nights.ts'
import { exponentOf, toDecimal } from '../../resource/values/currency.ts'
import type { BookingMap, ValueSource } from './booking-map.ts'
import type { Booking, BookingRow } from './booking-row.ts'
import { folded } from './date-words.ts'
import type { Amount } from './read-money.ts'

/** Words in a heading for the price of one night, and for that of the whole stay. */
const ofNight = /night|rate\b|\badr\b|nacht|nuit|noche|noite|diaria|tarif/
const ofStay = /total|\bsum|gesamt|betrag|amount|importe|montant|valor/

/**
 * Says the first booking of two nights or more in words, so that a person sees whether a price was taken for one night or
 * for the whole stay.
 */
export function stayInWords({ nightly, total }: BookingMap) {
  let first: { line: number; words: string } | null = null

  /** Looks at an accepted booking. They come in any order. */
  function look({ line }: BookingRow, { stay, rooms }: Booking): void {
    const { startDate, endDate, amount } = stay as { startDate: string; endDate: string; amount?: Amount }
    const nights = Temporal.PlainDate.from(startDate).until(endDate).days
    if (nights < 2 || (first && first.line < line)) return
    const price = amount ? priceInWords(amount, nights) : 'without a price'
    const place = rooms > 1 ? ` in ${rooms} rooms` : ''
    first = { line, words: `  In words: line ${line}: ${nights} nights from ${startDate}${place}, ${price}` }
  }

  /**
   * Returns the line for people, with a question where the heading of the price does not say which price it is. After an
   * import, only where the heading contradicts the map.
   */
  function notes(isDryRun: boolean): string[] {
    const column = headingOf(nightly ?? total)
    const heading = folded(column ?? '')
    const [isOfNight, isOfStay] = [ofNight.test(heading), ofStay.test(heading)]
    const contradicts = nightly ? isOfStay && !isOfNight : isOfNight && !isOfStay
    if (!first || (!isDryRun && !contradicts)) return []
    const isClear = nightly ? isOfNight && !isOfStay : !contradicts
    if (column === null || isClear) return [first.words]
    const question = nightly
      ? 'one night? If it is that of the whole stay, write total instead of nightly in the map'
      : 'the whole stay? If it is that of one night, write nightly instead of total in the map'
    return [first.words, `  Is ${column} the price of ${question}`]
  }

  return { look, notes }
}

function priceInWords({ currency, amountWithTax }: Amount, nights: number): string {
  const minor = Math.round(amountWithTax * 10 ** exponentOf(currency))
  const ofOne = Math.round(minor / chargedNights(nights))
  return `${toDecimal(minor, currency)} ${currency} in all (${toDecimal(ofOne, currency)} a night)`
}

function headingOf(source: { price: ValueSource } | undefined): string | null {
  return source && 'column' in source.price ? source.price.column : null
}
