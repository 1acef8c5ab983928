import { exclusiveOr } from '../../src/devices/driving/exclusive-or.ts'
import { keptData } from '../../src/devices/driving/reader-link.ts'
import { reportMask, unreadable } from '../../src/devices/driving/report-mask.ts'
import type { WireMask } from '../../src/devices/mask.ts'
import { decode, packetOffset } from './framing.ts'
import { commands } from './protocol.ts'

/** STX station LEN code, before the data of a packet. */
const dataAt = packetOffset + 4

/**
 * The mask of the reports, built from the command table: keys and the contents of cards become zeros. All data of a
 * command in no row, and of its answer, become zeros too.
 */
export function mask(): WireMask {
  const { request, answer } = keptData(commands)
  return reportMask((direction, report) => {
    const packet = decode(report.subarray(packetOffset))
    if (!packet) {
      const isEmpty = report.subarray(1).every((byte) => byte === 0)
      if (!isEmpty) report.fill(unreadable, packetOffset)
      return
    }
    const data = direction === 'out' ? request(packet.code, packet.data) : answer(packet.data)
    report.set(data, dataAt)
    const end = dataAt + data.length
    report[end] = exclusiveOr(report.subarray(packetOffset + 1, end))
    // The bytes after a packet are left over from earlier packets.
    report.fill(0, end + 2)
  })
}
