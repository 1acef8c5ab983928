import { accessConditions, placeOf } from './mifare-classic.ts'

/** The direction of bytes: to the device, or from it. */
export type Direction = 'out' | 'in'

/**
 * A function that returns what may be kept of the bytes on one wire: the same number of bytes, with card keys, PINs and
 * passwords replaced, and with corrected checks, so that a driver decodes the rest as before. It receives all bytes in
 * order, in one call for each run of one direction; a long run may be cut anywhere. It never throws, and replaces all
 * bytes that it does not understand.
 */
export type WireMask = (direction: Direction, bytes: Uint8Array) => Uint8Array

/**
 * A block that is written or was read, without keys. Any block that looks like a sector trailer loses its keys,
 * wherever it lies. One block of data in 4,096 looks like a trailer.
 */
export function withoutKeys(data: Uint8Array, block?: number): Uint8Array {
  const mayHoldKeys = data.length === 16 && accessConditions(data) !== null
  if (!mayHoldKeys && (block === undefined || !placeOf(block).isTrailer)) return data
  return data.map((byte, index) => (index >= 6 && index < 10 ? byte : 0))
}

/**
 * Pages in which some Ultralight or NTAG chip keeps a password or a key. On other chips these pages hold data, which is
 * hidden as well.
 */
const secretPages: readonly number[] = [
  0x12, 0x13, 0x27, 0x28, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x85, 0x86, 0xe5, 0xe6,
]

/** The four bytes that are written to a page, without passwords and keys. */
export function withoutPassword(page: number, data: Uint8Array): Uint8Array {
  return secretPages.includes(page) ? new Uint8Array(data.length) : data
}
