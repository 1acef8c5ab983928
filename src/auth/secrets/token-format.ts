import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** `test` marks the tokens of an appliance with simulated devices, so that people can tell them apart. */
export type TokenEnvironment = 'live' | 'test'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shape = /^(lk_(?:live|test)_[0-9A-Za-z]{22})_([0-9A-Za-z]{6})$/

/** Returns a new token `lk_<env>_<22 random base62>_<6 characters of checksum>`: 131 random bits. */
export function newToken(environment: TokenEnvironment): string {
  const random = Array.from({ length: 22 }, () => alphabet[randomInt(alphabet.length)]).join('')
  const secret = `lk_${environment}_${random}`
  return `${secret}_${checksum(secret)}`
}

/**
 * Whether the text has the form of a token and a valid checksum. False for a token that was mistyped or cut
 * off.
 */
export function looksLikeToken(text: string): boolean {
  const [, secret, check] = shape.exec(text) ?? []
  return secret !== undefined && check === checksum(secret)
}

/**
 * Returns the SHA-256 of a token, which is all that the store contains. With 131 random bits, a salt would
 * add nothing.
 */
export function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Returns the CRC-32 in base62, six characters. */
function checksum(secret: string): string {
  let rest = crc32(secret)
  let text = ''
  for (let place = 0; place < 6; place++) {
    text = alphabet[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
