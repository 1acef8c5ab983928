import { finished, Readable } from 'node:stream'
import { ReadlineParser } from '@serialport/parser-readline'

/**
 * A line is bytes as hex digits, ended by CR, in both directions. A CRC is present only where the firmware was built with
 * it. In binary mode, which other firmware has, the plain bytes follow their number, which includes the CRC.
 *
 *   byte …  [CRC low  CRC high]  CR              number low  number high  byte …  [CRC low  CRC high]
 *
 * The longest legal line is the answer to GetVersionString: ERR, length, 255 characters, CRC.
 */
const longestBytes = 1 + 1 + 255 + 2
const longest = 2 * longestBytes
const cr = 0x0d

/** Encodes bytes for the wire. */
export function encode(bytes: Iterable<number>, crc: boolean, binary = false): Buffer {
  const body = Buffer.from([...bytes])
  const whole = crc ? Buffer.concat([body, check(body)]) : body
  if (binary) return Buffer.concat([Buffer.of(whole.length & 0xff, whole.length >>> 8), whole])
  return Buffer.from(`${whole.toString('hex').toUpperCase()}\r`, 'latin1')
}

/** Decodes a line without its CR; null when it is not pairs of hex digits, or its CRC is wrong. */
export function decode(line: string, crc: boolean): Buffer | null {
  if (line.length > longest || !/^([0-9a-f]{2})+$/i.test(line)) return null
  const bytes = Buffer.from(line, 'hex')
  if (!crc) return bytes
  const body = bytes.subarray(0, -2)
  return body.length > 0 && check(body).equals(bytes.subarray(-2)) ? body : null
}

/** Receives a wire line by line. A frame in binary mode is passed on as the equivalent line of hex digits. */
interface Receiver {
  lines: Readable
  /** Drops an incomplete frame of binary mode, because its rest will not arrive. Does nothing in the other mode. */
  forget(): void
}

/** Receives from a wire whose other end uses this mode. */
export function receiver(wire: Readable, binary: boolean): Receiver {
  return binary ? frames(wire) : { lines: lines(wire), forget() {} }
}

/**
 * Receives frames of binary mode. When the number of bytes is impossible, all received bytes are noise: they become a
 * line that `decode` rejects.
 */
function frames(wire: Readable): Receiver {
  const completed = new Readable({ objectMode: true, read() {} })
  let received = Buffer.alloc(0)
  wire.on('data', (chunk: Uint8Array) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 2) {
      const size = received.readUInt16LE()
      const isNoise = size === 0 || size > longestBytes
      if (!isNoise && received.length < 2 + size) return
      completed.push(isNoise ? 'noise' : received.toString('hex', 2, 2 + size))
      received = isNoise ? Buffer.alloc(0) : received.subarray(2 + size)
    }
  })
  finished(wire, { writable: false }, () => completed.push(null))
  return {
    lines: completed,
    forget() {
      received = Buffer.alloc(0)
    },
  }
}

/**
 * The lines that arrive on a wire, in order, without their CR; empty lines are left out. It ends when the wire ends,
 * fails or is closed, and drops a last line without CR. A line that is too long is cut off; `decode` rejects it.
 */
export function lines(wire: Readable): Readable {
  // Latin-1, because the package's `ascii` drops the top bit of every byte, which can turn noise into digits.
  const parser = new ReadlineParser({ delimiter: '\r', encoding: 'latin1', readableObjectMode: true })
  const shorten = shortener()
  wire.on('data', (chunk: Uint8Array) => {
    parser.write(shorten(chunk))
  })
  // The parser is not ended, because it would then return an incomplete line.
  finished(wire, { writable: false }, () => parser.push(null))
  return parser
}

/** Limits each line to one byte more than the longest: the parser would buffer a line without an end for ever. */
function shortener(): (chunk: Uint8Array) => Uint8Array {
  let length = 0
  return (chunk) =>
    chunk.filter((byte) => {
      const empty = byte === cr && length === 0
      length = byte === cr ? 0 : length + 1
      return !empty && length <= longest + 1
    })
}

/** CRC-16/MCRF4XX: polynomial 1021 reflected, from FFFF, low byte first. */
function check(bytes: Uint8Array): Buffer {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x8408 : crc >>> 1
  }
  return Buffer.from([crc & 0xff, crc >>> 8])
}
