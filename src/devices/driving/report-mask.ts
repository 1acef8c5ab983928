import { headLength, kinds, longest, mark } from '../hid/hid-messages.ts'
import type { Direction, WireMask } from '../mask.ts'

/** Replaces bytes that cannot be decoded. It is neither an empty report nor the beginning of a packet. */
export const unreadable = 0xee
/** The messages that carry a packet: one sets a report, one returns it. */
const reports: readonly number[] = [kinds.set, kinds.report]

/**
 * A mask for a wire of feature reports. `hide` changes a report in place; bytes that are no message become unreadable.
 */
export function reportMask(hide: (direction: Direction, report: Uint8Array) => void): WireMask {
  return (direction, bytes) => {
    const kept = Uint8Array.from(bytes)
    for (let at = 0; at < bytes.length; ) {
      const size = sizeOf(bytes.subarray(at, at + headLength))
      if (size === null) kept[at++] = unreadable
      else {
        const content = kept.subarray(at + headLength, at + headLength + size)
        if (reports.includes(bytes[at + 3]!)) hide(direction, content)
        at += headLength + size
      }
    }
    return kept
  }
}

/** The size of the content according to the header; null where no message begins. */
function sizeOf([first, second, , , low, high]: Uint8Array): number | null {
  if (first !== mark[0] || second !== mark[1] || low === undefined || high === undefined) return null
  const size = low + high * 256
  return size <= longest ? size : null
}
