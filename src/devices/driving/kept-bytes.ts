import { withoutKeys, withoutPassword } from '../mask.ts'

/**
 * Returns what a recording may keep of the bytes of a command: the same number of bytes, with zeros in the place of
 * secrets. Each row of a protocol table declares one. Bytes of a command without a row are not kept at all.
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

/** Hides these ranges, which hold keys, and keeps the rest. */
export function allBut(...ranges: readonly [from: number, until: number][]): KeptBytes {
  const isHidden = (index: number) => ranges.some(([from, until]) => index >= from && index < until)
  return (bytes) => Uint8Array.from(bytes, (byte, index) => (isHidden(index) ? 0 : byte))
}

/** Hides the keys in a block. The block number is at offset `number`, the bytes of the block begin at offset `data`. */
export function blockAt({ number, data }: { number: number; data: number }): KeptBytes {
  return (bytes) => joined(bytes.subarray(0, data), withoutKeys(bytes.subarray(data), bytes[number]))
}

/**
 * Hides the password in a page. The page number is at offset `number`, the bytes of the page begin at offset `data`.
 */
export function pageAt({ number, data }: { number: number; data: number }): KeptBytes {
  return (bytes) => joined(bytes.subarray(0, data), withoutPassword(bytes[number] ?? 0, bytes.subarray(data)))
}

/** Hides the keys in consecutive blocks. */
export const blocks: KeptBytes = (bytes) =>
  joined(
    ...Array.from({ length: Math.ceil(bytes.length / 16) }, (_, index) =>
      withoutKeys(bytes.subarray(index * 16, index * 16 + 16)),
    ),
  )

/** Concatenates the parts of a command or an answer that are masked differently. */
export function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}
