/** A price in digits: 68.50 has the whole part 68 and the fraction 50. */
export interface Price {
  whole: string
  fraction: string
}

/**
 * Reads a price with a decimal point or a decimal comma, with or without thousands separators: 68.5, 68,50, 1.234,50,
 * 1 234,50, 1'234.50, 1,23,456.00. 1.234 and 1,234 have two meanings: `decimal` decides, and without it they are a
 * problem. Returns the problem as a part of a sentence.
 */
export function readPrice(text: string, decimal: '.' | ',' | undefined): Price | { problem: string } {
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
