import { exclusiveOr } from '../../src/devices/driving/exclusive-or.ts'

/**
 * A packet, and the report it travels in:
 *
 *   STX  station  LEN  command or status  data …  BCC  ETX         LEN counts from command to the last data byte
 *   id  00 00 00 00 00  length of the packet  00  packet …  00 …    256 bytes
 *
 * BCC is the XOR of all bytes between STX and BCC. STX and ETX depend on the sender: on a serial line they are 02 and 03 in
 * both directions; in reports they are AA and BB to the device, 02 and 03 from it. `decode` accepts both pairs.
 */
export const ends = { host: [0xaa, 0xbb], device: [0x02, 0x03] } as const
type Ends = readonly [stx: number, etx: number]

export interface Packet {
  /** The address of the device on a shared serial line; 0 addresses any device. */
  station: number
  /** The command, or in an answer the status. */
  code: number
  data: Uint8Array
}

/** Encodes a packet: 6 bytes beside its data. */
export function encode([stx, etx]: Ends, code: number, data: Iterable<number> = [], station = 0): Buffer {
  const bytes = [...data]
  const body = [station, 1 + bytes.length, code, ...bytes]
  return Buffer.from([stx, ...body, exclusiveOr(body), etx])
}

/** Decodes the packet at the beginning of these bytes; null when there is none. Bytes after the packet are ignored. */
export function decode(bytes: Uint8Array): Packet | null {
  const [stx, station = 0, length = 0, code = 0] = bytes
  const end = length + 4
  if (length === 0 || bytes.length <= end || !starts.has(stx!) || !closes.has(bytes[end]!)) return null
  if (exclusiveOr(bytes.subarray(1, end - 1)) !== bytes[end - 1]) return null
  return { station, code, data: Uint8Array.from(bytes.subarray(4, end - 1)) }
}

export const reportLength = 256
/**
 * The report ids. An answer is requested with the id `answer`; real devices were seen to return it with the id
 * `answered`.
 */
export const reportIds = { request: 0x01, answer: 0x02, answered: 0x03 } as const
export const packetOffset = 8
const lengthOffset = 6

/** Encodes the report that carries this packet. */
export function report(packet: Uint8Array): Buffer {
  const bytes = Buffer.alloc(reportLength)
  bytes[0] = reportIds.request
  bytes[lengthOffset] = packet.length
  bytes.set(packet, packetOffset)
  return bytes
}

/** Decodes a report, which may be cut off after its packet: null when it holds no packet yet, or an incomplete one. */
export function carried(bytes: Uint8Array): { empty: boolean; packet: Packet | null } {
  return {
    empty: bytes.subarray(1).every((byte) => byte === 0),
    packet: decode(bytes.subarray(packetOffset)),
  }
}

/** Decodes a request report; null when the report does not state the packet's exact length. */
export function requestIn(bytes: Uint8Array): Packet | null {
  const packet = decode(bytes.subarray(packetOffset))
  const isWhole = bytes[0] === reportIds.request && bytes[lengthOffset] === (packet?.data.length ?? 0) + 6
  return isWhole ? packet : null
}

/** An answer report of the device: the bytes between the id and the packet are 0. */
export function answerReport(packet: Uint8Array, id: number = reportIds.answered): Buffer {
  return Buffer.concat([Buffer.from([id]), Buffer.alloc(packetOffset - 1), packet])
}

const starts: ReadonlySet<number> = new Set([ends.host[0], ends.device[0]])
const closes: ReadonlySet<number> = new Set([ends.host[1], ends.device[1]])
