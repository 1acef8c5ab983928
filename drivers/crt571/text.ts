import type { Crt571Command } from './protocol.ts'

const head = { command: 0x43, positive: 0x50, negative: 0x4e, negativeAsPrinted: 0x45 } as const

/** The three status characters: card in the path, cards in the stacker, bin. */
interface StatusBytes {
  card: string
  stacker: string
  bin: string
}

export type Crt571Reply = Positive | Negative

export interface Positive extends StatusBytes {
  ok: true
  cm: number
  pm: number
  data: Uint8Array
}

export interface Negative {
  ok: false
  cm: number
  pm: number
  /** The two error characters e1 e0. */
  code: string
}

/** Encodes the TEXT of a command. */
export function commandText(
  { cm, pm }: Pick<Crt571Command, 'cm' | 'pm'>,
  data: Uint8Array = new Uint8Array(),
): Uint8Array {
  return Uint8Array.of(head.command, cm, pm, ...data)
}

/** Decodes the TEXT of a command; null when it is none. */
export function readCommand([first, cm, pm, ...data]: Uint8Array): {
  cm: number
  pm: number
  data: Uint8Array
} | null {
  if (first !== head.command || cm === undefined || pm === undefined) return null
  return { cm, pm, data: Uint8Array.from(data) }
}

/** Encodes the TEXT of a reply, as the machine sends it. */
export function replyText(reply: Crt571Reply): Uint8Array {
  const { cm, pm } = reply
  if (!reply.ok) return Uint8Array.of(head.negative, cm, pm, ...Buffer.from(reply.code, 'latin1'))
  const status = Buffer.from(reply.card + reply.stacker + reply.bin, 'latin1')
  return Uint8Array.of(head.positive, cm, pm, ...status, ...reply.data)
}

/** Decodes the TEXT of a reply; null when it is not a whole reply. */
export function readReply(text: Uint8Array): Crt571Reply | null {
  const [first, cm, pm] = text
  if (cm === undefined || pm === undefined) return null
  if (first === head.positive && text.length >= 6) {
    const [card, stacker, bin] = Buffer.from(text.subarray(3, 6)).toString('latin1')
    return { ok: true, cm, pm, card: card!, stacker: stacker!, bin: bin!, data: text.slice(6) }
  }
  if ((first === head.negative || first === head.negativeAsPrinted) && text.length >= 5)
    return { ok: false, cm, pm, code: Buffer.from(text.subarray(3, 5)).toString('latin1') }
  return null
}

/** The printable characters of a reply's data. */
export function printable(data: Uint8Array): string {
  return [...data]
    .filter((byte) => byte >= 0x20 && byte < 0x7f)
    .map((byte) => String.fromCharCode(byte))
    .join('')
    .trim()
}
