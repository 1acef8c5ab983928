import { accessConditions, placeOf } from './mifare-classic.ts'

/** Which way bytes go: to the device, or from it. */
export type Direction = 'out' | 'in'

/**
 * What may be kept of the bytes on one wire: as many bytes as it is given, with card keys, PINs and passwords replaced,
 * and checks put right so that a driver reads the rest as before. It is told of all bytes in order, joined from one change
 * of direction to the next, though a cut may fall anywhere. Never throws; what it does not know it replaces.
 */
export type WireMask = (direction: Direction, bytes: Uint8Array) => Uint8Array

/**
 * A block that is written or was read, without keys: anything that a card would take for a trailer loses them, wherever
 * it stands. One block of data in 4,096 looks like one.
 */
export function withoutKeys(data: Uint8Array, block?: number): Uint8Array {
  const mayHoldKeys = data.length === 16 && accessConditions(data) !== null
  if (!mayHoldKeys && (block === undefined || !placeOf(block).isTrailer)) return data
  return data.map((byte, index) => (index >= 6 && index < 10 ? byte : 0))
}

/** Pages in which some Ultralight or NTAG keeps a password or a key; for another they are data, and hidden as well. */
const secretPages: readonly number[] = [
  0x12, 0x13, 0x27, 0x28, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x85, 0x86, 0xe5, 0xe6,
]

/** Four bytes that are written to a page, without passwords and keys. */
export function withoutPassword(page: number, data: Uint8Array): Uint8Array {
  return secretPages.includes(page) ? new Uint8Array(data.length) : data
}
