/**
 * The access conditions of a MIFARE Classic sector, in the card's own encoding. A condition is three bits C1 C2 C3 read
 * as a number 0..7; a sector has four: one for each data block, and one for the trailer.
 */
export type Conditions = readonly [number, number, number, number]

/** The keys that permit an operation; test for a letter with `includes`. */
type Keys = '' | 'A' | 'B' | 'AB'

export const blocksPerSector = 4
/**
 * The sector of a block, and the block's index in it. A MIFARE Classic 4K has sectors of 4 blocks up to block 127, and
 * of 16 blocks after it.
 */
export function placeOf(block: number): { sector: number; index: number; isTrailer: boolean } {
  const isSmall = block < 128
  const size = isSmall ? blocksPerSector : 16
  const from = isSmall ? 0 : 128
  const index = (block - from) % size
  return {
    sector: (isSmall ? 0 : 32) + Math.floor((block - from) / size),
    index,
    isTrailer: index === size - 1,
  }
}

/** The offset of the access bytes in a trailer: key A (6), access (3), a user byte, key B (6). */
export const accessOffset = 6

/** The key A and key B of a sector that was never personalised. */
export const transportKey = new Uint8Array(6).fill(0xff)
/** The access bytes of such a sector: key A may do everything; key B can be read and therefore does not log in. */
export const transportConditions: Conditions = [0b000, 0b000, 0b000, 0b001]

export const dataRights: Record<number, { read: Keys; write: Keys }> = {
  0: { read: 'AB', write: 'AB' },
  2: { read: 'AB', write: '' },
  4: { read: 'AB', write: 'B' },
  6: { read: 'AB', write: 'B' },
  1: { read: 'AB', write: '' },
  3: { read: 'B', write: 'B' },
  5: { read: 'B', write: '' },
  7: { read: '', write: '' },
}

/** Key A can never be read; every key that logs in can read the access bytes. */
export const trailerRights: Record<number, { writeA: Keys; writeAccess: Keys; readB: Keys; writeB: Keys }> = {
  0: { writeA: 'A', writeAccess: '', readB: 'A', writeB: 'A' },
  2: { writeA: '', writeAccess: '', readB: 'A', writeB: '' },
  4: { writeA: 'B', writeAccess: '', readB: '', writeB: 'B' },
  6: { writeA: '', writeAccess: '', readB: '', writeB: '' },
  1: { writeA: 'A', writeAccess: 'A', readB: 'A', writeB: 'A' },
  3: { writeA: 'B', writeAccess: 'B', readB: '', writeB: 'B' },
  5: { writeA: '', writeAccess: 'B', readB: '', writeB: '' },
  7: { writeA: '', writeAccess: '', readB: '', writeB: '' },
}

/**
 * The four conditions in a 16-byte trailer. Null when the bits and their complements disagree: a card that receives
 * such a trailer locks the sector permanently.
 */
export function accessConditions(trailer: Uint8Array): Conditions | null {
  const [b6 = 0, b7 = 0, b8 = 0] = trailer.subarray(accessOffset, accessOffset + 3)
  const [c1, c2, c3] = [b7 >> 4, b8 & 0xf, b8 >> 4]
  if ((b6 & 0xf) !== (~c1 & 0xf) || b6 >> 4 !== (~c2 & 0xf) || (b7 & 0xf) !== (~c3 & 0xf)) return null
  const condition = (block: number) =>
    (((c1 >> block) & 1) << 2) | (((c2 >> block) & 1) << 1) | ((c3 >> block) & 1)
  return [condition(0), condition(1), condition(2), condition(3)]
}

/** The three access bytes that encode these conditions. */
export function accessBytes(conditions: Conditions): Uint8Array {
  const nibble = (bit: number) =>
    conditions.reduce((bits, condition, block) => bits | (((condition >> bit) & 1) << block), 0)
  const [c1, c2, c3] = [nibble(2), nibble(1), nibble(0)]
  return Uint8Array.of(((~c2 & 0xf) << 4) | (~c1 & 0xf), (c1 << 4) | (~c3 & 0xf), (c3 << 4) | c2)
}

/** When the trailer lets key A read key B, key B is data: the card refuses a login with it. */
export function keyBLogsIn(conditions: Conditions): boolean {
  return trailerRights[conditions[3]]?.readB === ''
}

/** A whole trailer, with the factory value 69 as the user byte. Throws a RangeError for keys that are not 6 bytes. */
export function sectorTrailer(keyA: Uint8Array, conditions: Conditions, keyB: Uint8Array): Uint8Array {
  if (keyA.length !== 6 || keyB.length !== 6) throw new RangeError('a sector key has 6 bytes')
  return Uint8Array.of(...keyA, ...accessBytes(conditions), 0x69, ...keyB)
}
