import type { Stored } from '../resource/fields.ts'

/** SQLite's order of what columns hold: NULL, numbers by size, texts by their bytes. */
export function compareStored(left: Stored, right: Stored): number {
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return rankOf(left) - rankOf(right)
}

function rankOf(value: Stored): number {
  return value === null ? 0 : typeof value === 'number' ? 1 : 2
}

/** Bytes of UTF-8 are in the order of code points; the units of a JavaScript string are not, where two make one. */
function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)]
    if (one !== other) return placeOf(one) - placeOf(other)
  }
  return left.length - right.length
}

/** Halves of a pair stand after all that are whole. */
function placeOf(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
