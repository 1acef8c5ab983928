/** Where a card number was found in a text; `length` counts the separators in it. */
export interface CardNumberAt {
  at: number
  length: number
}

/**
 * The first run of 13 to 19 digits that passes the Luhn test, or null. The digits may stand in groups with one or
 * two spaces or hyphens between them; a run is made of whole groups, so that a time or an item count before a card
 * number does not hide it. No card number starts with 0, which spares padded references and tables of zeros.
 */
export function findCardNumber(text: string): CardNumberAt | null {
  for (const { 0: chain, index } of text.matchAll(/\d+(?:[ \u00a0-]{1,2}\d+)*/g)) {
    const found = findInChain(chain)
    if (found) return { at: index + found.at, length: found.length }
  }
  return null
}

function findInChain(chain: string): CardNumberAt | null {
  const groups = [...chain.matchAll(/\d+/g)]
  for (const [first, { index: at }] of groups.entries()) {
    let digits = ''
    for (const { 0: group, index } of groups.slice(first, first + maxDigits)) {
      digits += group
      if (digits.length > maxDigits) break
      if (isCardNumber(digits)) return { at, length: index + group.length - at }
    }
  }
  return null
}

const maxDigits = 19

function isCardNumber(digits: string): boolean {
  return digits.length >= 13 && !digits.startsWith('0') && passesLuhn(digits)
}

/** Whether the last digit is the check digit of those before it (ISO/IEC 7812-1). The text is digits only. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  // A long receipt of short numbers has very many runs to try, so nothing is allocated here.
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48
    const value = place % 2 === 0 ? digit : digit * 2
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
