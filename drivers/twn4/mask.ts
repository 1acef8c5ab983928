import { joined } from '../../src/devices/driving/kept-bytes.ts'
import { keptData } from '../../src/devices/driving/reader-link.ts'
import type { WireMask } from '../../src/devices/mask.ts'
import { decode, encode } from './framing.ts'
import { commands } from './protocol.ts'

/** Replaces bytes that cannot be decoded. EE is not a valid ERR, so the result cannot be decoded either. */
const unreadable = 0xee
const lastError = 0x06
const longestFrame = 259

/**
 * The mask of a reader's line, in the mode of its options, built from the command table: keys, passwords and the
 * contents of cards become zeros. All parameters of a command in no row, and its answer, become zeros too. Bytes that are
 * not a line of the reader become unreadable.
 */
export function mask({ crc = false, binary = false }: Record<string, unknown>): WireMask {
  const hasCrc = crc === true
  const { request, answer } = keptData(commands)

  return (direction, bytes) => {
    const keep = direction === 'out' ? keptRequest : answered
    return binary === true ? inFrames(bytes, hasCrc, keep) : inLines(bytes, hasCrc, keep)
  }

  function keptRequest(command: Buffer): Uint8Array {
    const code = command.length < 2 ? -1 : command.readUInt16BE()
    return joined(command.subarray(0, 2), request(code, command.subarray(2)))
  }

  function answered(line: Buffer): Uint8Array | null {
    if (line[0]! > lastError) return null
    return joined(line.subarray(0, 1), answer(line.subarray(1)))
  }
}

/** What a recording may keep of the bytes of one line; null for bytes that are not a line. */
type KeepLine = (bytes: Buffer) => Uint8Array | null

function inLines(bytes: Uint8Array, crc: boolean, keep: KeepLine): Uint8Array {
  const lines = Buffer.from(bytes).toString('latin1').split('\r')
  const kept = lines.map((line) => {
    const body = decode(line, crc)
    const of = body && keep(body)
    if (of) return body.equals(of) ? line : encode(of, crc).subarray(0, -1).toString('latin1')
    return line.replaceAll(/[0-9a-f]/gi, 'E')
  })
  return Buffer.from(kept.join('\r'), 'latin1')
}

function inFrames(bytes: Uint8Array, crc: boolean, keep: KeepLine): Uint8Array {
  const kept = Buffer.from(bytes)
  for (let at = 0; at < kept.length; ) {
    const size = kept.length - at < 2 ? 0 : kept.readUInt16LE(at)
    const end = at + 2 + size
    const isWhole = size > 0 && size <= longestFrame && end <= kept.length
    const body = isWhole ? decode(kept.toString('hex', at + 2, end), crc) : null
    const of = body && keep(body)
    // Bytes that are not a frame may be the rest of one. The beginning of the next frame is then unknown.
    if (!isWhole) return kept.fill(unreadable, at + Math.min(2, kept.length - at))
    if (of) kept.set(encode(of, crc, true), at)
    else kept.fill(unreadable, at + 2, end)
    at = end
  }
  return kept
}
