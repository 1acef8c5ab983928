import { exclusiveOr } from '../../src/devices/driving/exclusive-or.ts'
import { joined, none } from '../../src/devices/driving/kept-bytes.ts'
import { type Direction, type WireMask, withoutKeys } from '../../src/devices/mask.ts'
import { decode } from './framing.ts'
import { commands } from './protocol.ts'

/** A message on a HID wire: 48 52 tag kind length(2) content. Only what sets and gives reports carries packets. */
const mark = [0x48, 0x52] as const
const contentAt = 6
const longestContent = 1_024
const kinds = { set: 0x01, report: 0x82 } as const
const packetAt = 8
/** STX station LEN code, before the data of a packet. */
const dataAt = 4
/** Neither nothing nor a packet: what could not be read stays so. */
const unreadable = 0xee

/** What may be kept of reports, as the table says it: keys are zeros, and so are all data of commands that are in no row, and of their answers. */
export function mask(): WireMask {
  let answersAreKnown = true

  return (direction, bytes) => {
    const kept = Uint8Array.from(bytes)
    for (let at = 0; at < bytes.length; ) {
      const size = sizeOf(bytes, at)
      if (size === null) kept[at++] = unreadable
      else {
        const content = kept.subarray(at + contentAt, at + contentAt + size)
        if (Object.values<number>(kinds).includes(bytes[at + 3]!)) hide(direction, content)
        at += contentAt + size
      }
    }
    return kept
  }

  function hide(direction: Direction, report: Uint8Array): void {
    const packet = decode(report.subarray(packetAt))
    if (!packet) {
      const isEmpty = report.subarray(1).every((byte) => byte === 0)
      if (!isEmpty) report.fill(unreadable, packetAt)
      return
    }
    const row = Object.values(commands).find(({ code }) => code === packet.code)
    if (direction === 'out') answersAreKnown = row !== undefined
    const keep = direction === 'out' ? row?.keeps : answersAreKnown ? answered : none
    const data = (keep ?? none)(packet.data)
    report.set(data, packetAt + dataAt)
    const end = packetAt + dataAt + data.length
    report[end] = exclusiveOr(report.subarray(packetAt + 1, end))
    // What lies behind a packet is left from others.
    report.fill(0, end + 2)
  }
}

/** A block stands behind 4 bytes of a serial number, and pages before 7. */
function answered(data: Uint8Array): Uint8Array {
  if (data.length === 4 + 16) return joined(data.subarray(0, 4), withoutKeys(data.subarray(4)))
  return joined(withoutKeys(data.subarray(0, 16)), data.subarray(16))
}

/** Of the content, as much as it says; null where no message begins. */
function sizeOf(bytes: Uint8Array, at: number): number | null {
  const [first, second, , , low, high] = bytes.subarray(at, at + contentAt)
  if (first !== mark[0] || second !== mark[1] || low === undefined || high === undefined) return null
  const size = low + high * 256
  return size <= longestContent ? size : null
}
