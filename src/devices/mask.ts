import { createHmac, randomBytes } from 'node:crypto'

/** The direction of bytes: to the device, or from it. */
export type Direction = 'out' | 'in'

/**
 * A function that returns what may be kept of the bytes on one wire: the same number of bytes, with PINs, passwords, card
 * keys, the contents of cards and their serial numbers replaced, and with corrected checks, so that a driver decodes the
 * rest as before. It receives all bytes in order, in one call for each run of one direction; a long run may be cut
 * anywhere. It never throws, and replaces all bytes that it does not understand.
 */
export type WireMask = (direction: Direction, bytes: Uint8Array) => Uint8Array

/** Known to this run of the program alone. */
const ofThisRun = randomBytes(32)

/**
 * Replaces the serial number of a card: some locks open by it alone. The first byte, which names the maker, is kept. In
 * one run of the program a card has the same replacement each time, so that a recording shows whether it is another card.
 */
export function hiddenUid(uid: Uint8Array): Uint8Array {
  const replacement = createHmac('sha256', ofThisRun).update(uid).digest()
  return Uint8Array.from(uid, (byte, index) =>
    index === 0 ? byte : replacement[index % replacement.length]!,
  )
}
