import { type Direction, type WireMask, withoutKeys, withoutPassword } from '../../src/devices/mask.ts'
import { profiles } from './protocol.ts'

const stx = 0xf2
const textAt = 4
const highestAddress = 0x0f
/** CM of commands that work the machine itself. Most others work a card, with keys and passwords in them. */
const machineCommands: ReadonlySet<number> = new Set(
  Object.values(profiles).flatMap(({ commands }) => Object.values(commands).map(({ cm }) => cm)),
)
/** CM 60 is the reader over the antenna: looking for a card holds no secret, and PM 33 is a command for the card. */
const antenna = 0x60
const antennaPlain: readonly number[] = [0x30, 0x31, 0x32]
const forCard = 0x33
const ins = { read: 0xb0, write: 0xd1 } as const

/**
 * What may be kept of a machine's line: keys are zeros, and so is all that follows CM and PM of a command that is not known
 * here, and of its answer. Where a frame may begin is looked at byte by byte, so noise before it hides nothing.
 */
export function mask(): WireMask {
  let isRead = false

  return (direction, bytes) => {
    const kept = Uint8Array.from(bytes)
    for (let start = bytes.indexOf(stx); start >= 0; start = bytes.indexOf(stx, start + 1)) {
      if ((bytes[start + 1] ?? 0) > highestAddress) continue
      const text = textIn(bytes, start)
      if (direction === 'out' && text.length > 4) isRead = text[1] === antenna && text[4] === ins.read
      keep(bytes, kept, start, keptText(direction, text, isRead))
    }
    return kept
  }
}

/** STX ADDR LENH LENL TEXT ETX BCC: as much of TEXT as there is. */
function textIn(bytes: Uint8Array, start: number): Uint8Array {
  const [, , high = 0, low = 0] = bytes.subarray(start, start + textAt)
  return bytes.subarray(start + textAt, start + textAt + high * 256 + low)
}

/** TEXT is a head, CM, PM and data; in an answer three status characters come before the data. */
function keptText(direction: Direction, text: Uint8Array, isRead: boolean): Uint8Array {
  const [, cm = 0, pm = 0] = text
  if (cm !== antenna && machineCommands.has(cm)) return text
  if (cm === antenna && antennaPlain.includes(pm)) return text
  if (cm !== antenna || pm !== forCard) return behind(text, 3)
  return direction === 'out' ? cardCommand(text) : cardAnswer(text, isRead)
}

/** Head CM PM 00 INS P1 P2 LENGTH data. */
function cardCommand(text: Uint8Array): Uint8Array {
  if (text[4] === ins.read) return text
  if (text[4] !== ins.write) return behind(text, 8)
  const data = text.subarray(8)
  // An Ultralight has blocks of four bytes, and its pages where blocks are numbered.
  const kept = data.length === 4 ? withoutPassword(text[6] ?? 0, data) : inBlocks(data)
  return Buffer.concat([text.subarray(0, 8), kept])
}

/** Head CM PM ST ST ST data 90 00. What came of it is kept. */
function cardAnswer(text: Uint8Array, isRead: boolean): Uint8Array {
  const data = text.subarray(6, -2)
  const kept = isRead ? inBlocks(data) : new Uint8Array(data.length)
  return text.length < 8 ? text : Buffer.concat([text.subarray(0, 6), kept, text.subarray(-2)])
}

function inBlocks(data: Uint8Array): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(data.length / 16) }, (_, index) =>
    withoutKeys(data.subarray(index * 16, index * 16 + 16)),
  )
  return Buffer.concat(blocks)
}

function behind(text: Uint8Array, from: number): Uint8Array {
  return text.map((byte, index) => (index < from ? byte : 0))
}

/** A sound frame stays sound, and a damaged one damaged. */
function keep(bytes: Uint8Array, kept: Uint8Array, start: number, text: Uint8Array): void {
  const etx = start + textAt + text.length
  if (Buffer.compare(text, bytes.subarray(start + textAt, etx)) === 0) return
  kept.set(text, start + textAt)
  if (etx + 1 >= bytes.length) return
  const isSound = bytes[etx + 1] === check(bytes.subarray(start, etx + 1))
  kept[etx + 1] = check(kept.subarray(start, etx + 1)) ^ (isSound ? 0 : 0xff)
}

function check(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0)
}
