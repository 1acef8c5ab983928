import { exponentOf } from '../../../../resource/values/currency.ts'
import { separators } from '../../lib/language/format.ts'

/**
 * Returns an amount that a person typed, in the currency's units; null for one that is not an amount or that may be two.
 * Spaces may be anywhere. Other signs group digits by threes. `1.234,50` and `1,234.50` have one meaning, `25.000` has
 * two: a separator that is the decimal one in the language of the page is read as such, and the grouping one as grouping,
 * unless the currency has three decimals. More decimals than the currency has are a mistake, such as a sum typed behind the suggested one.
 */
export function amountIn(text: string, currency: string): number | null {
  const digits = exponentOf(currency)
  const typed = inLatin(text)
  const { decimal, group } = separators()
  const [, sign] = /^[1-9]\d{0,2}([.,])\d{3}$/.exec(typed) ?? []
  if (sign !== undefined && sign !== decimal) {
    return sign === group && digits < 3 ? Number(typed.replace(sign, '')) : null
  }
  const { whole, fraction = '' } = (plainAmount.exec(typed) ?? groupedAmount.exec(typed))?.groups ?? {}
  const plain = whole?.replace(/\D/g, '')
  if (plain === undefined || fraction.length > digits || plain.length + digits > mostDigits) return null
  return Number(`${plain}.${fraction || '0'}`)
}

/** A number has as many decimal digits exactly. */
const mostDigits = 15
const plainAmount = /^(?<whole>\d+)(?:[.,٫](?<fraction>\d+))?$/
/** With one sign between thousands, and another one before the decimals. */
const groupedAmount =
  /^(?<whole>[1-9]\d{0,2}(?<sign>['٬.,])\d{3}(?:\k<sign>\d{3})*)(?:(?!\k<sign>)[.,٫](?<fraction>\d+))?$/

/** Arabic, Persian and full-width digits become 0 to 9, and apostrophes one. Spaces only group digits, and go. */
function inLatin(text: string): string {
  return text
    .replace(/[\p{Cf}\s]/gu, '')
    .replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[’‘ʼ′`´]/g, "'")
}
