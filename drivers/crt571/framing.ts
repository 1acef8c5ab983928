import type { Deframer } from '../../src/devices/listening.ts'

/**
 * STX | ADDR  | LENH LENL          | TEXT ...       | ETX | BCC
 *  F2 | 00-0F | big endian, of TEXT | 3 to 518 bytes |  03 | XOR of all before it
 *
 * Between frames there are single bytes without a check: ACK 06, NAK 15, EOT 04. TEXT begins with C (command),
 * P (positive reply) or N (negative reply; two manuals print it as E). All of these bytes can occur inside TEXT.
 */
const stx = 0xf2
const etx = 0x03
const heads: readonly number[] = [0x43, 0x50, 0x4e, 0x45]
const highestAddress = 0x0f
const shortestText = 3
const longestText = 518
const around = 6

export const control = { ack: 0x06, nak: 0x15, eot: 0x04 } as const
export type ControlWord = keyof typeof control

/** What was made out on the line. `damaged` is a stretch long enough to have been a frame; its address is a guess. */
export type Heard =
  | { kind: 'control'; word: ControlWord }
  | { kind: 'frame'; address: number; text: Uint8Array }
  | { kind: 'damaged'; address: number | undefined }

/** The bytes of one frame. `text` is 3 to 518 bytes long. */
export function frame(address: number, text: Uint8Array): Uint8Array {
  const body = [stx, address, text.length >> 8, text.length & 0xff, ...text, etx]
  return Uint8Array.from([...body, check(body)])
}

/**
 * Finds frames and control bytes in a stream of bytes, holding at most one frame. Control bytes carry no check, so
 * they are believed only in a clean stretch: never among noise or in the remains of a broken frame.
 */
export function deframer(): Deframer<Heard> {
  let held: number[] = []
  let dropped = 0
  let suspect: number | undefined

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
      if (dropped >= shortestText + around) heard.push({ kind: 'damaged', address: suspect })
      settle()
      return heard
    },
    get restless() {
      return held.length > 0 || dropped > 0
    },
  }

  function sift(heard: Heard[]) {
    while (held.length > 0) {
      const word = controlWord(held[0]!)
      if (word && dropped === 0) {
        held.shift()
        heard.push({ kind: 'control', word })
      } else if (!couldBeFrame(held)) {
        drop()
      } else if (held.length < around - 2 || held.length < sizeOf(held)) {
        return
      } else if (!isSound(held)) {
        drop()
      } else {
        const size = sizeOf(held)
        heard.push({ kind: 'frame', address: held[1]!, text: Uint8Array.from(held.slice(4, size - 2)) })
        held = held.slice(size)
        settle()
      }
    }
  }

  function drop() {
    if (held[0] === stx) suspect ??= held[1]
    held.shift()
    dropped++
  }

  function settle() {
    dropped = 0
    suspect = undefined
  }
}

function controlWord(byte: number): ControlWord | undefined {
  return (Object.keys(control) as ControlWord[]).find((word) => control[word] === byte)
}

/** Looks at as much of a header as there is. */
function couldBeFrame([
  first,
  address = 0,
  high = 0,
  low = shortestText,
  head = heads[0]!,
]: number[]): boolean {
  const length = high * 256 + low
  return (
    first === stx &&
    address <= highestAddress &&
    high * 256 <= longestText &&
    length >= shortestText &&
    length <= longestText &&
    heads.includes(head)
  )
}

function sizeOf([, , high, low]: number[]): number {
  return high! * 256 + low! + around
}

function isSound(held: number[]): boolean {
  const size = sizeOf(held)
  return held[size - 2] === etx && held[size - 1] === check(held.slice(0, size - 1))
}

function check(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0)
}
