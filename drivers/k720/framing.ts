import type { Deframer } from '../../src/devices/listening.ts'

/**
 * STX | ADDRH ADDRL       | LENH LENL              | payload    | ETX | BCC
 *  02 | "00".."15", ASCII | big endian, of payload | 1 to 293 B |  03 | XOR of all before it
 *
 * Between frames there are triples without a check, a control byte and the address: ACK 06, NAK 15, ENQ 05, EOT 04.
 * All of these bytes can occur inside a payload.
 */
const stx = 0x02
const etx = 0x03
const zero = 0x30
const longestPayload = 293
const around = 7

const control = { ack: 0x06, nak: 0x15, enq: 0x05, eot: 0x04 } as const
export type ControlWord = keyof typeof control

/** What was made out on the line. `damaged` is a stretch that began like a frame and is none. */
export type Heard =
  | { kind: 'control'; word: ControlWord; address: number }
  | { kind: 'frame'; address: number; payload: Uint8Array }
  | { kind: 'damaged' }

/** The bytes of one frame. `address` is 0 to 15, `payload` 1 to 293 bytes long. */
export function frame(address: number, payload: Uint8Array): Uint8Array {
  const body = [stx, ...digits(address), payload.length >> 8, payload.length & 0xff, ...payload, etx]
  return Uint8Array.from([...body, check(body)])
}

/** The bytes of a control triple. */
export function triple(word: ControlWord, address: number): Uint8Array {
  return Uint8Array.of(control[word], ...digits(address))
}

/** Finds frames and triples in a stream of bytes, holding at most one frame. */
export function deframer(): Deframer<Heard> {
  let held: number[] = []
  /** Since the last thing made out, bytes were dropped that had begun like a frame. */
  let broken = false

  return {
    push(chunk) {
      const heard: Heard[] = []
      for (const byte of chunk) {
        held.push(byte)
        sift(heard)
      }
      return heard
    },
    quiet() {
      const heard: Heard[] = []
      while (held.length > 0) {
        drop()
        sift(heard)
      }
      if (broken) heard.push({ kind: 'damaged' })
      broken = false
      return heard
    },
    get restless() {
      return held.length > 0 || broken
    },
  }

  function sift(heard: Heard[]) {
    while (held.length > 0) {
      const size = sizeOf(held)
      if (size === null) drop()
      else if (held.length < size) return
      else if (held[0] === stx && !isSound(held)) drop()
      else {
        heard.push(held[0] === stx ? frameIn(held) : tripleIn(held))
        held = held.slice(size)
        broken = false
      }
    }
  }

  function drop() {
    broken ||= held[0] === stx && held.length > 1
    held.shift()
  }
}

/** How many bytes there will be, as far as can be told; null when these begin nothing. */
function sizeOf(held: readonly number[]): number | null {
  const [first = 0, high, low, lengthHigh = 0, lengthLow = 1] = held
  const isControl = Object.values(control).some((byte) => byte === first)
  if (!isControl && first !== stx) return null
  if (addressOf(high ?? zero, low ?? zero) === null) return null
  if (isControl) return 3
  const length = lengthHigh * 256 + lengthLow
  return length < 1 || length > longestPayload ? null : length + around
}

function tripleIn([first, high, low]: readonly number[]): Heard {
  const words = Object.keys(control) as ControlWord[]
  return {
    kind: 'control',
    word: words.find((word) => control[word] === first)!,
    address: addressOf(high!, low!)!,
  }
}

function frameIn(held: readonly number[]): Heard {
  const payload = Uint8Array.from(held.slice(5, -2))
  return { kind: 'frame', address: addressOf(held[1]!, held[2]!)!, payload }
}

function isSound(held: readonly number[]): boolean {
  return held.at(-2) === etx && held.at(-1) === check(held.slice(0, -1))
}

function digits(address: number): [number, number] {
  return [zero + Math.floor(address / 10), zero + (address % 10)]
}

function addressOf(high: number, low: number): number | null {
  const tens = high - zero
  const ones = low - zero
  const address = tens * 10 + ones
  return tens >= 0 && tens <= 1 && ones >= 0 && ones <= 9 && address <= 15 ? address : null
}

function check(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0)
}
