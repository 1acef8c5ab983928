import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** `test` is for an appliance whose devices are simulated, so that its tokens are told apart at a glance. */
export type TokenEnvironment = 'live' | 'test'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shape = /^(lk_(?:live|test)_[0-9A-Za-z]{22})_([0-9A-Za-z]{6})$/

/** A fresh token `lk_<env>_<22 random base62>_<6 characters of checksum>`: 131 random bits. */
export function newToken(environment: TokenEnvironment): string {
  const random = Array.from({ length: 22 }, () => alphabet[randomInt(alphabet.length)]).join('')
  const secret = `lk_${environment}_${random}`
  return `${secret}_${checksum(secret)}`
}

/** Whether a text is a token of ours, given by us or not: false for a token that was mistyped or cut off. */
export function looksLikeToken(text: string): boolean {
  const [, secret, check] = shape.exec(text) ?? []
  return secret !== undefined && check === checksum(secret)
}

/** SHA-256 of the token: all that is kept of it. A salt would add nothing to 131 random bits. */
export function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** CRC-32 in base62, six characters. */
function checksum(secret: string): string {
  let rest = crc32(secret)
  let text = ''
  for (let place = 0; place < 6; place++) {
    text = alphabet[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
