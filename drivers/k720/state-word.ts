import type { CardPosition, DispenserStatus } from '../../src/devices/capability.ts'
import type { FaultCode } from '../../src/devices/fault.ts'

/** The bits of the state word that the machine shows. */
export const bits = {
  boxFull: 0x8000,
  notExecuted: 0x4000,
  prepareFailed: 0x2000,
  /** A K720 and K730 prepare a card; on a K750 the hopper is nearly full, which nobody has to do anything about. */
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

/** Which values of the sensors mean what. One older manual numbers the sensors the other way round. */
export interface Sensors {
  mask: number
  encoder: number
  gate: number
  /** A card waits at the hopper's exit to be fed next. */
  ready: number
}

export const sensors: Sensors = { mask: 3, encoder: 3, gate: 1, ready: 4 }

const digit = 0x30

/** The word behind `SF`: four characters, 30 to 3F, the first the highest nibble. Null when it is not that. */
export function readState(payload: Uint8Array): number | null {
  const [s, f, ...nibbles] = payload
  if (s !== 0x53 || f !== 0x46 || nibbles.length !== 4) return null
  const values = nibbles.map(nibbleOf)
  return values.includes(-1) ? null : values.reduce((word, value) => word * 16 + value, 0)
}

export function stateText(word: number): Uint8Array {
  const nibbles = [12, 8, 4, 0].map((shift) => digit + ((word >> shift) & 0xf))
  return Uint8Array.of(0x53, 0x46, ...nibbles)
}

/** 3A to 3F stand for ten to fifteen; letters are taken as well. */
function nibbleOf(character: number): number {
  if (character >= digit && character <= digit + 0xf) return character - digit
  return character >= 0x41 && character <= 0x46 ? character - 0x41 + 10 : -1
}

/** Where a card stands. */
export function placeOf(word: number, { mask, encoder, gate }: Sensors): CardPosition {
  const value = word & mask
  if (value === 0) return 'none'
  return value === encoder ? 'encoder' : value === gate ? 'gate' : 'unknown'
}

/** What the word says of the whole machine. One that `preFeeds` has a card that waits for the next move. */
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

/** Bits that mean trouble, the most telling first. An empty hopper explains a failed feed, a full box a failed capture. */
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

/** What is wrong with the machine: our word for it, and its own trouble bits as four hexadecimal digits. */
export function troubleIn(word: number): { code: FaultCode; vendorCode: string } | null {
  const found = troubles.find((each) => word & each.bit && (each.with === undefined || word & each.with))
  if (!found) return null
  const vendorCode = (word & troubleMask).toString(16).toUpperCase().padStart(4, '0')
  return { code: found.code, vendorCode }
}
