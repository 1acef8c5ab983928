import type { Deframer } from '../../src/devices/listening.ts'

/**
 * STX | sep | field | sep | field | sep | ETX | LRC
 *  02 | B3  | Latin-1             | B3  | 03  | XOR of all after STX, ETX included; 0D: not to be checked
 *
 * The LRC is one byte by its place, and may be any of the others. Between messages stand ENQ 05, ACK 06 and NAK 15.
 */
export const stream = { stx: 0x02, etx: 0x03, separator: 0xb3, uncheckedLrc: 0x0d, firstText: 0x20 } as const
const { stx, etx, separator, uncheckedLrc, firstText } = stream
/** Four rooms, two card tracks and a text of an error fit many times. */
const longest = 2_048

export const control = { enq: 0x05, ack: 0x06, nak: 0x15 } as const
type ControlWord = keyof typeof control

/** What was made out on the line. `damaged` is something that began like a message and is none. */
export type Heard =
  | { kind: 'control'; word: ControlWord }
  | { kind: 'message'; fields: string[] }
  | { kind: 'damaged' }

/** What a field may hold: printable Latin-1 without the separator (U+00B3). */
export const fieldText = /^[ -~\u00a0-\u00b2\u00b4-\u00ff]*$/

/** The bytes of a message; its fields must be `fieldText`, and together shorter than 2,000 characters. */
export function message(fields: readonly string[]): Uint8Array {
  const sep = String.fromCharCode(separator)
  const body = Buffer.from(`${sep}${fields.join(sep)}${sep}\u0003`, 'latin1')
  return Uint8Array.of(stx, ...body, exclusiveOr(body))
}

/** Finds messages and control bytes in a stream, holding at most one message. */
export function deframer(): Deframer<Heard> {
  /** A message from STX on; empty between messages. */
  let held: number[] = []
  /** Bytes went by that belong to nothing: what follows them is no control byte until STX or quiet. */
  let lost = false

  return {
    push(chunk) {
      const heard: Heard[] = []
      for (const byte of chunk) take(byte, heard)
      return heard
    },
    quiet() {
      const broken = held.length > 0
      held = []
      lost = false
      return broken ? [{ kind: 'damaged' }] : []
    },
    get restless() {
      return held.length > 0 || lost
    },
  }

  function take(byte: number, heard: Heard[]): void {
    if (held.length === 0) between(byte, heard)
    else if (held.at(-1) === etx) {
      heard.push(whole(held, byte))
      held = []
    } else grow(byte, heard)
  }

  function grow(byte: number, heard: Heard[]): void {
    const fits = held.length === 1 ? byte === separator : byte >= firstText || byte === etx
    if (fits && held.length < longest) {
      held.push(byte)
      return
    }
    if (held.length > 1) heard.push({ kind: 'damaged' })
    held = byte === stx ? [stx] : []
    lost = byte !== stx
  }

  function between(byte: number, heard: Heard[]): void {
    if (byte === stx) {
      held = [stx]
      lost = false
    } else if (byte >= firstText) lost = true
    else if (!lost) {
      const word = words.get(byte)
      if (word) heard.push({ kind: 'control', word })
    }
  }
}

const words = new Map<number, ControlWord>(
  (Object.keys(control) as ControlWord[]).map((word) => [control[word], word]),
)

/** The fields between the separators; a last separator that was left out is not missed. */
function whole(held: readonly number[], lrc: number): Heard {
  const after = held.slice(1)
  if (lrc !== uncheckedLrc && lrc !== exclusiveOr(after)) return { kind: 'damaged' }
  const text = Buffer.from(after.slice(1, -1)).toString('latin1')
  const fields = text.split(String.fromCharCode(separator))
  return { kind: 'message', fields: fields.length > 1 && fields.at(-1) === '' ? fields.slice(0, -1) : fields }
}

function exclusiveOr(bytes: Iterable<number>): number {
  let sum = 0
  for (const byte of bytes) sum ^= byte
  return sum
}
