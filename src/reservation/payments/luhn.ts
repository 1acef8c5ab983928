/** The position of a card number in a text. `length` includes the separators. */
interface CardNumberAt {
  at: number
  length: number
}

/**
 * Returns the first run of 13 to 19 digits that passes the Luhn test, or null. The digits can stand in groups,
 * separated by one or two spaces or hyphens. A run consists of whole groups, so that a time or an item count before a
 * card number does not hide it. Runs that start with 0, 20 or 21 are skipped, because no card number starts with these
 * digits: padded references, tables of zeros and references that begin with the year are not reported.
 */
export function findCardNumber(text: string): CardNumberAt | null {
  for (const { 0: chain, index } of text.matchAll(/\d+(?:[ \u00a0-]{1,2}\d+)*/g)) {
    const found = findInChain(chain)
    if (found) return { at: index + found.at, length: found.length }
  }
  return null
}

const fewestDigits = 13
const mostDigits = 19

function findInChain(chain: string): CardNumberAt | null {
  for (let at = 0; at < chain.length; at++) {
    if (!isDigit(chain, at) || isDigit(chain, at - 1)) continue
    const end = endOfCardNumber(chain, at)
    if (end !== null) return { at, length: end - at }
  }
  return null
}

/**
 * Returns the end of the card number whose first digit is at `start`, or null. The Luhn sum (ISO/IEC 7812-1) counts
 * from the right, but the number of digits is unknown while scanning. The function therefore keeps two sums: one for an
 * even and one for an odd number of digits.
 */
function endOfCardNumber(chain: string, start: number): number | null {
  if (neverIssued.test(chain.slice(start))) return null
  const sums: [even: number, odd: number] = [0, 0]
  let digits = 0
  for (let at = start; at < chain.length; at++) {
    if (!isDigit(chain, at)) continue
    if (++digits > mostDigits) return null
    const digit = chain.charCodeAt(at) - zero
    const twice = digit > 4 ? digit * 2 - 9 : digit * 2
    sums[0] += digits % 2 === 1 ? twice : digit
    sums[1] += digits % 2 === 1 ? digit : twice
    const sum = digits % 2 === 0 ? sums[0] : sums[1]
    if (digits >= fewestDigits && sum % 10 === 0 && !isDigit(chain, at + 1)) return at + 1
  }
  return null
}

/** Prefixes that no issuer uses. Separators can stand between the digits. */
const neverIssued = /^(?:0|2[\s\u00a0-]{0,2}[01])/

const zero = 48

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= zero && code <= zero + 9
}
