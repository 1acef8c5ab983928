/**
 * Messages with the check bytes that they have, worked out by a script of its own; the first stands in a vendor's
 * document. `|` is the separator.
 */
export const vectors: readonly [text: string, lrc: number][] = [
  ['CO|0', 0x8c],
  ['CN1|1|E|101', 0xc8],
  ['CN1|1', 0xbd],
  ['CN1|2|7B887824', 0x71],
  ['LT|2|E', 0x6c],
  ['CO|2|101', 0x0d],
  ['TD|1', 0x91],
  ['ES|1', 0x97],
  ['EP|1', 0x94],
  ['NC|1', 0x8c],
  ['EB|1', 0x86],
  ['EE|2', 0x82],
  ['ED|2', 0x83],
  ['OV|2', 0x9b],
  ['CN1|2|E|101|||||||12010826|FRONT|||', 0x37],
  ['CNM|+41790000000|101||||||1200010826|1100040826|FRONT', 0x24],
]

/** Whole messages, byte for byte. */
export const wholeMessages: readonly [text: string, hex: string][] = [
  ['CO|0', '02 B3 43 4F B3 30 B3 03 8C'],
  ['CN1|1|E|101', '02 B3 43 4E 31 B3 31 B3 45 B3 31 30 31 B3 03 C8'],
  ['CN1|1', '02 B3 43 4E 31 B3 31 B3 03 BD'],
]

export function bytes(hex: string): Uint8Array {
  return Uint8Array.fromHex(hex.replaceAll(' ', ''))
}
