import { finished, Readable } from 'node:stream'
import { ReadlineParser } from '@serialport/parser-readline'

/**
 * A line is bytes as hex digits, closed by CR, the same both ways; CRC only where the firmware was built with it. In
 * binary mode, of other firmware again, the bytes go as they are behind their number, which counts the CRC.
 *
 *   byte …  [CRC low  CRC high]  CR              number low  number high  byte …  [CRC low  CRC high]
 *
 * The longest legal line is the answer to GetVersionString: ERR, length, 255 characters, CRC.
 */
const longestBytes = 1 + 1 + 255 + 2
const longest = 2 * longestBytes
const cr = 0x0d

/** What stands on the wire for these bytes. */
export function encode(bytes: Iterable<number>, crc: boolean, binary = false): Buffer {
  const body = Buffer.from([...bytes])
  const whole = crc ? Buffer.concat([body, check(body)]) : body
  if (binary) return Buffer.concat([Buffer.of(whole.length & 0xff, whole.length >>> 8), whole])
  return Buffer.from(`${whole.toString('hex').toUpperCase()}\r`, 'latin1')
}

/** The bytes of a line without its CR; null for whatever is not pairs of hex digits, or fails its CRC. */
export function decode(line: string, crc: boolean): Buffer | null {
  if (line.length > longest || !/^([0-9a-f]{2})+$/i.test(line)) return null
  const bytes = Buffer.from(line, 'hex')
  if (!crc) return bytes
  const body = bytes.subarray(0, -2)
  return body.length > 0 && check(body).equals(bytes.subarray(-2)) ? body : null
}

/** Receives a wire line by line. A frame in binary mode is passed on as the equivalent line of hex digits. */
interface Hearing {
  lines: Readable
  /** Drops an incomplete line: its rest will not arrive any more. */
  forget(): void
}

/** Listens to a wire whose other end speaks this mode. */
export function hear(wire: Readable, binary: boolean): Hearing {
  return binary ? frames(wire) : { lines: lines(wire), forget() {} }
}

/** A number of bytes that none can have is noise, and all that has come with it: it becomes a line `decode` refuses. */
function frames(wire: Readable): Hearing {
  const heard = new Readable({ objectMode: true, read() {} })
  let come = Buffer.alloc(0)
  wire.on('data', (chunk: Uint8Array) => {
    come = Buffer.concat([come, chunk])
    while (come.length >= 2) {
      const size = come.readUInt16LE()
      const isNoise = size === 0 || size > longestBytes
      if (!isNoise && come.length < 2 + size) return
      heard.push(isNoise ? 'noise' : come.toString('hex', 2, 2 + size))
      come = isNoise ? Buffer.alloc(0) : come.subarray(2 + size)
    }
  })
  finished(wire, { writable: false }, () => heard.push(null))
  return {
    lines: heard,
    forget() {
      come = Buffer.alloc(0)
    },
  }
}

/**
 * The lines heard on a wire, in order, without their CR; empty ones are left out. Ends when the wire does, however
 * that comes about, and without a last line that was never closed. A line that is too long is cut off to one that
 * `decode` refuses.
 */
export function lines(wire: Readable): Readable {
  // Latin-1, for the package's `ascii` drops the top bit of every byte and would turn noise into digits.
  const parser = new ReadlineParser({ delimiter: '\r', encoding: 'latin1', readableObjectMode: true })
  const shorten = shortener()
  wire.on('data', (chunk: Uint8Array) => {
    parser.write(shorten(chunk))
  })
  // The parser is not ended: it would hand out the unclosed rest as if it were a line.
  finished(wire, { writable: false }, () => parser.push(null))
  return parser
}

/** Stands before the parser, which would hold a line without an end for ever: one byte too many, and no more. */
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
