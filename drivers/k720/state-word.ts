import type { CardPosition, DispenserStatus } from '../../src/devices/capability.ts'
import type { FaultCode } from '../../src/devices/fault.ts'

/** The bits of the state word. */
export const bits = {
  boxFull: 0x8000,
  notExecuted: 0x4000,
  prepareFailed: 0x2000,
  /** A K720 and K730 prepare a card. On a K750 the hopper is nearly full, which needs no action. */
  preparing: 0x1000,
  dispensing: 0x0800,
  collecting: 0x0400,
  dispenseFailed: 0x0200,
  collectFailed: 0x0100,
  overlap: 0x0040,
  jam: 0x0020,
  hopperLow: 0x0010,
  hopperEmpty: 0x0008,
} as const

/** The bits of the sensors. `mask` covers the path. One older manual numbers the sensors in reverse. */
export interface Sensors {
  mask: number
  encoder: number
  gate: number
  /** A card waits at the hopper's exit to be fed next. */
  ready: number
}

export const sensors: Sensors = { mask: 3, encoder: 3, gate: 1, ready: 4 }

const digit = 0x30

/**
 * Decodes a state word: `SF` and four characters, 30 to 3F, the highest nibble first. Null for any other payload.
 */
export function readState(payload: Uint8Array): number | null {
  const [s, f, ...nibbles] = payload
  if (s !== 0x53 || f !== 0x46 || nibbles.length !== 4) return null
  const values = nibbles.map(nibbleOf)
  return values.includes(-1) ? null : values.reduce((word, value) => word * 16 + value, 0)
}

/** Encodes the answer with a word of state: SF and four digits, of which 3A to 3F are 10 to 15. */
export function stateText(word: number): Uint8Array {
  const nibbles = [12, 8, 4, 0].map((shift) => digit + ((word >> shift) & 0xf))
  return Uint8Array.of(0x53, 0x46, ...nibbles)
}

/** Decodes a character: 3A to 3F, or a letter A to F, is 10 to 15. -1 for any other character. */
function nibbleOf(character: number): number {
  if (character >= digit && character <= digit + 0xf) return character - digit
  return character >= 0x41 && character <= 0x46 ? character - 0x41 + 10 : -1
}

/** The position of the card by the sensors. */
export function placeOf(word: number, { mask, encoder, gate }: Sensors): CardPosition {
  const value = word & mask
  if (value === 0) return 'none'
  return value === encoder ? 'encoder' : value === gate ? 'gate' : 'unknown'
}

/** The status in a state word. A machine that `preFeeds` may hold a last card while its hopper is empty. */
export function statusOf(
  word: number,
  { sensors, preFeeds }: { sensors: Sensors; preFeeds: boolean },
): DispenserStatus {
  const hasCards = !(word & bits.hopperEmpty) || (preFeeds && (word & sensors.ready) !== 0)
  return {
    card: placeOf(word, sensors),
    stacker: !hasCards ? 'empty' : word & (bits.hopperLow | bits.hopperEmpty) ? 'nearEmpty' : 'ok',
    bin: word & bits.boxFull ? 'full' : 'ok',
  }
}

/**
 * The bits that mean trouble, the most specific first. An empty hopper explains a failed feed; a full box explains a
 * failed capture.
 */
const troubles: readonly { bit: number; with?: number; code: FaultCode }[] = [
  { bit: bits.jam, code: 'dispenser-jam' },
  { bit: bits.overlap, code: 'dispenser-jam' },
  { bit: bits.dispenseFailed, with: bits.hopperEmpty, code: 'dispenser-empty' },
  { bit: bits.prepareFailed, with: bits.hopperEmpty, code: 'dispenser-empty' },
  { bit: bits.collectFailed, with: bits.boxFull, code: 'dispenser-bin-full' },
  { bit: bits.dispenseFailed, code: 'dispenser-motor' },
  { bit: bits.prepareFailed, code: 'dispenser-motor' },
  { bit: bits.collectFailed, code: 'dispenser-motor' },
  { bit: bits.notExecuted, code: 'dispenser-reset-required' },
]

const troubleMask = troubles.reduce((mask, { bit }) => mask | bit, 0)

/** The trouble in a state word: the fault, and all trouble bits as four hexadecimal digits. Null for none. */
export function troubleIn(word: number): { code: FaultCode; vendorCode: string } | null {
  const found = troubles.find((each) => word & each.bit && (each.with === undefined || word & each.with))
  if (!found) return null
  const vendorCode = (word & troubleMask).toString(16).toUpperCase().padStart(4, '0')
  return { code: found.code, vendorCode }
}
