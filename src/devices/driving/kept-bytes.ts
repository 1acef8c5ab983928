import { withoutKeys, withoutPassword } from '../mask.ts'

/**
 * What a recording may keep of the bytes of a command: as many bytes, with zeros in the place of secrets. Each row of a
 * protocol table says it, so that a command which is added cannot be forgotten, and bytes of a command that has no row are
 * not kept at all.
 */
export type KeptBytes = (bytes: Uint8Array) => Uint8Array

/** Bytes without a secret. */
export const all: KeptBytes = (bytes) => bytes

/** The first bytes, and no others. */
export function first(count: number): KeptBytes {
  return allBut([count, Number.POSITIVE_INFINITY])
}

/** Nothing. */
export const none: KeptBytes = first(0)

/** All but some ranges, which hold keys. */
export function allBut(...ranges: readonly [from: number, until: number][]): KeptBytes {
  const isHidden = (index: number) => ranges.some(([from, until]) => index >= from && index < until)
  return (bytes) => Uint8Array.from(bytes, (byte, index) => (isHidden(index) ? 0 : byte))
}

/** All but the keys in a block: its number stands at `number`, its bytes from `data` on. */
export function blockAt({ number, data }: { number: number; data: number }): KeptBytes {
  return (bytes) => joined(bytes.subarray(0, data), withoutKeys(bytes.subarray(data), bytes[number]))
}

/** All but the password in a page: its number stands at `number`, its bytes from `data` on. */
export function pageAt({ number, data }: { number: number; data: number }): KeptBytes {
  return (bytes) => joined(bytes.subarray(0, data), withoutPassword(bytes[number] ?? 0, bytes.subarray(data)))
}

/** All but the keys in blocks that stand one behind the other. */
export const blocks: KeptBytes = (bytes) =>
  joined(
    ...Array.from({ length: Math.ceil(bytes.length / 16) }, (_, index) =>
      withoutKeys(bytes.subarray(index * 16, index * 16 + 16)),
    ),
  )

/** What is kept of a command and its answer when bytes stand in parts that are kept differently. */
export function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}
