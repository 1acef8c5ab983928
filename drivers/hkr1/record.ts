import { createHmac, timingSafeEqual } from 'node:crypto'

/** The content of an HKR1 record. Numbers are unsigned; instants are Unix seconds. */
export interface KeyRecord {
  /** True for a copy of a key that was issued before. */
  duplicate: boolean
  /** True for a key that opens each door once. */
  oneShot: boolean
  /** True for a key that opens although the bolt is thrown from inside. */
  privacyOverride: boolean
  staff: boolean
  site: number
  /** The number of the site key that made the MAC. */
  keyId: number
  sequence: number
  validFrom: number
  validUntil: number
  lock: number
  /** One bit for each common door. */
  doors: number
  credential: number
}

/**
 * `stranger`: not a record of this version, or made with an unknown key. `broken`: it names a known key, but it is
 * incomplete, not authentic or made for another card.
 */
type Decoded = { record: KeyRecord } | { refused: 'stranger' | 'broken' }

export const recordBytes = 48
const macAt = 32
const magic = 0x484b
const version = 1
const flags = ['duplicate', 'oneShot', 'privacyOverride', 'staff'] as const

/** The offsets of the numbers, which are big endian. */
const numbers = [
  ['site', 4, 2],
  ['keyId', 6, 1],
  ['sequence', 8, 4],
  ['validFrom', 12, 4],
  ['validUntil', 16, 4],
  ['lock', 20, 4],
  ['doors', 24, 4],
  ['credential', 28, 4],
] as const

/**
 * Encodes the 48 bytes for the card with this serial number. Throws a RangeError for a number that does not fit its
 * field.
 */
export function encode(record: KeyRecord, uid: Uint8Array, key: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(recordBytes)
  put(bytes, 0, 2, magic)
  put(bytes, 2, 1, version)
  for (const [bit, flag] of flags.entries()) bytes[3]! |= Number(record[flag]) << bit
  for (const [name, at, size] of numbers) put(bytes, at, size, record[name])
  bytes.set(mac(bytes, uid, key), macAt)
  return bytes
}

/** Decodes 48 bytes that were read from the card with this serial number; `keyOf` returns a known key. */
export function decode(
  bytes: Uint8Array,
  uid: Uint8Array,
  keyOf: (site: number, keyId: number) => Uint8Array | undefined,
): Decoded {
  if (bytes.length !== recordBytes || get(bytes, 0, 2) !== magic || get(bytes, 2, 1) !== version) {
    return { refused: 'stranger' }
  }
  const [site, keyId] = [get(bytes, 4, 2), get(bytes, 6, 1)]
  const key = keyOf(site, keyId)
  if (!key) return { refused: 'stranger' }
  const reserved = bytes[3]! >> flags.length || bytes[7]
  if (reserved || !timingSafeEqual(mac(bytes, uid, key), bytes.subarray(macAt))) return { refused: 'broken' }
  const flagged = flags.map((flag, bit) => [flag, ((bytes[3]! >> bit) & 1) === 1])
  const numbered = numbers.map(([name, at, size]) => [name, get(bytes, at, size)])
  return { record: Object.fromEntries([...flagged, ...numbered]) }
}

/** The first 16 bytes of HMAC-SHA256 over the format's name, the serial number and bytes 0 to 31. */
function mac(bytes: Uint8Array, uid: Uint8Array, key: Uint8Array): Uint8Array {
  return createHmac('sha256', key)
    .update('HKR1')
    .update(Uint8Array.of(uid.length, ...uid))
    .update(bytes.subarray(0, macAt))
    .digest()
    .subarray(0, recordBytes - macAt)
}

function put(bytes: Uint8Array, at: number, size: number, value: number): void {
  if (!Number.isInteger(value) || value < 0 || value >= 256 ** size) {
    throw new RangeError(`${value} does not fit ${size} bytes at offset ${at}`)
  }
  for (let index = at + size - 1, rest = value; index >= at; index--, rest = Math.floor(rest / 256)) {
    bytes[index] = rest % 256
  }
}

function get(bytes: Uint8Array, at: number, size: number): number {
  return bytes.subarray(at, at + size).reduce((sum, byte) => sum * 256 + byte, 0)
}
