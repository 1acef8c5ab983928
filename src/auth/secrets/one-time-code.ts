import { randomInt } from 'node:crypto'

/** Letters and digits that people do not confuse. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * The code of a new or reset account is valid for three days. After that an administrator must reset the account again.
 */
export const codeValidMs = 3 * 86_400_000

/** Returns a one-time code of ten characters, 49 random bits, such as `K7QF9-M2PTX`. */
export function newCode(): string {
  const signs = Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${signs.slice(0, 5)}-${signs.slice(5)}`
}

/** Returns a code in the form in which codes are compared: people type lower case, with or without the hyphen. */
function plainCode(code: string): string {
  return code.toUpperCase().replaceAll(/[\s-]/g, '')
}

/** Returns the mark of a one-time code, which the store keeps. `mark` is the function of the vault. */
export function markOfCode(mark: (text: string, context: string) => string, code: string): string {
  return mark(plainCode(code), 'account-code')
}
