import { randomInt } from 'node:crypto'

/** Letters and digits that are not taken for each other. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new or reset account is used within three days, or it is reset again. */
export const codeValidMs = 3 * 86_400_000

/** Returns a one-time code of ten characters, 49 random bits, such as `K7QF9-M2PTX`. */
export function newCode(): string {
  const signs = Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${signs.slice(0, 5)}-${signs.slice(5)}`
}

/** Returns a code as it is compared: people type it in lower case, with or without the hyphen. */
function plainCode(code: string): string {
  return code.toUpperCase().replaceAll(/[\s-]/g, '')
}

/** Returns what the store keeps of a one-time code. `mark` is that of the vault. */
export function markOfCode(mark: (text: string, context: string) => string, code: string): string {
  return mark(plainCode(code), 'account-code')
}
