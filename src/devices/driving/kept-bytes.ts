import { hiddenUid } from '../mask.ts'

/**
 * Returns what a recording may keep of the bytes of a command or of its answer: the same number of bytes, with zeros in
 * the place of keys, passwords and the contents of cards. Each row of a protocol table declares both. Bytes of a command
 * without a row are not kept at all.
 */
export type KeptBytes = (bytes: Uint8Array) => Uint8Array

/** Keeps all bytes. For commands without a secret. */
export const all: KeptBytes = (bytes) => bytes

/** Keeps the first `count` bytes and hides the rest. */
export function first(count: number): KeptBytes {
  return allBut([count, Number.POSITIVE_INFINITY])
}

/** Hides all bytes. */
export const none: KeptBytes = first(0)

/** Hides these ranges, and keeps the rest. */
export function allBut(...ranges: readonly [from: number, until: number][]): KeptBytes {
  const isHidden = (index: number) => ranges.some(([from, until]) => index >= from && index < until)
  return (bytes) => Uint8Array.from(bytes, (byte, index) => (isHidden(index) ? 0 : byte))
}

/** Replaces the serial number of a card in this range, and keeps what `rest` keeps. */
export function uidAt(from: number, until?: number, rest: KeptBytes = all): KeptBytes {
  return (bytes) => {
    const kept = Uint8Array.from(rest(bytes))
    kept.set(hiddenUid(bytes.subarray(from, until)), Math.min(from, bytes.length))
    return kept
  }
}

/** Concatenates the parts of a command or an answer that are masked differently. */
export function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}
