import type { WireMask } from '../../src/devices/mask.ts'
import { commandNamed } from './protocol.ts'

const stx = 0x02
const payloadAt = 5
const control = { ack: 0x06, nak: 0x15, enq: 0x05, eot: 0x04 }

/**
 * What may be kept of a machine's line: of commands that are not in the table, which are those of its card reader, and of
 * what is answered to them, all of the payload but its first two bytes is zeros.
 */
export function mask(): WireMask {
  let isKnown = true

  return (direction, bytes) => {
    const kept = Uint8Array.from(bytes)
    for (let start = bytes.indexOf(stx); start >= 0; start = bytes.indexOf(stx, start + 1)) {
      const end = start + payloadAt + (bytes[start + 3] ?? 0) * 256 + (bytes[start + 4] ?? 0)
      if (direction === 'out' && isFrame(bytes, start))
        isKnown = commandNamed(bytes.subarray(start + payloadAt, end)) !== null
      if (!isKnown) hide(bytes, kept, start, end)
    }
    return kept
  }
}

function isFrame(bytes: Uint8Array, start: number): boolean {
  return start === 0 || Object.values(control).includes(bytes[start - 3] ?? -1)
}

function hide(bytes: Uint8Array, kept: Uint8Array, start: number, etx: number): void {
  for (let at = start + payloadAt + 2; at < Math.min(etx, bytes.length); at++) kept[at] = 0
  if (etx + 1 >= bytes.length) return
  // A sound frame stays sound, and a damaged one damaged.
  const isSound = bytes[etx + 1] === check(bytes.subarray(start, etx + 1))
  kept[etx + 1] = check(kept.subarray(start, etx + 1)) ^ (isSound ? 0 : 0xff)
}

function check(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0)
}
