import type { Deframer } from '../network/listening.ts'
import { exclusiveOr } from './exclusive-or.ts'

/**
 * Messages that end with a byte of their own:
 *
 *   STX | text | ETX | [check]          check: XOR of all bytes after STX, ETX included; it may equal STX or ETX
 *
 * There are control bytes between messages.
 */
export const stx = 0x02
export const etx = 0x03

interface MessageFormat<Word extends string> {
  /** The maximum length of a text, in bytes. */
  longest: number
  hasCheck: boolean
  /** A check byte of this value disables the check. */
  unchecked?: number
  control: Readonly<Partial<Record<Word, number>>>
  /**
   * The first byte of every text, where it is known. All bytes of a text are then `lowestText` or above: any other byte
   * breaks the message, and control bytes in the remains of a broken message are ignored. Without `begins`, every byte
   * other than ETX and STX is text.
   */
  begins?: number
}

/** The lowest byte of a printable character. */
export const lowestText = 0x20

/**
 * What arrived on the line. `damaged`: bytes that begin like a message, but are not a valid one. One that is too long is reported as soon as
 * it is, because it may never end.
 */
export type ReceivedMessage<Word extends string> =
  | { kind: 'control'; word: Word }
  | { kind: 'message'; text: Buffer }
  | { kind: 'damaged' }

/** Encodes a message. */
export function message(text: Uint8Array, hasCheck: boolean): Buffer {
  const end = hasCheck ? [etx, checkOf(text)] : [etx]
  return Buffer.concat([Uint8Array.of(stx), text, Uint8Array.from(end)])
}

/** The check byte of a message with this text. */
export function checkOf(text: Uint8Array): number {
  return exclusiveOr(text) ^ etx
}

/** A decoder in the middle of a stream. */
interface Decoder<Word extends string> {
  format: MessageFormat<Word>
  words: ReadonlyMap<number | undefined, Word>
  /** The current text, of which `length` bytes have arrived. */
  text: Buffer
  length: number
  at: 'outside' | 'text' | 'check' | 'noise'
  isTooLong: boolean
}

type Taken<Word extends string> = ReceivedMessage<Word> | null

/** Finds messages and control bytes in a stream that arrives in pieces of any size. It buffers at most one message. */
export function messages<Word extends string>(format: MessageFormat<Word>): Deframer<ReceivedMessage<Word>> {
  const { longest, control } = format
  const words = new Map((Object.keys(control) as Word[]).map((word) => [control[word], word]))
  const text = Buffer.alloc(longest)
  const decoder: Decoder<Word> = { format, words, text, length: 0, at: 'outside', isTooLong: false }
  return {
    push: (chunk) => [...chunk].flatMap((byte) => take(decoder, byte) ?? []),
    quiet() {
      const isBroken = (decoder.at === 'text' || decoder.at === 'check') && !decoder.isTooLong
      decoder.at = 'outside'
      return isBroken ? [{ kind: 'damaged' }] : []
    },
    get restless() {
      return decoder.at !== 'outside'
    },
  }
}

function take<Word extends string>(decoder: Decoder<Word>, byte: number): Taken<Word> {
  if (decoder.at === 'check') return ended(decoder, byte)
  if (byte === stx) return begun(decoder)
  return decoder.at === 'text' ? inText(decoder, byte) : between(decoder, byte)
}

function begun<Word extends string>(decoder: Decoder<Word>): Taken<Word> {
  const { at, length, format, isTooLong } = decoder
  const isCutOff = at === 'text' && !isTooLong && (length > 0 || format.begins === undefined)
  Object.assign(decoder, { at: 'text', length: 0, isTooLong: false })
  return isCutOff ? { kind: 'damaged' } : null
}

function inText<Word extends string>(decoder: Decoder<Word>, byte: number): Taken<Word> {
  const { format, text } = decoder
  if (!fits(decoder, byte)) {
    decoder.at = 'noise'
    return decoder.length > 0 ? { kind: 'damaged' } : null
  }
  if (byte === etx) {
    if (!format.hasCheck) return ended(decoder, null)
    decoder.at = 'check'
    return null
  }
  if (decoder.length < format.longest) {
    text[decoder.length++] = byte
    return null
  }
  const isNews = !decoder.isTooLong
  decoder.isTooLong = true
  return isNews ? { kind: 'damaged' } : null
}

function fits<Word extends string>({ format, length }: Decoder<Word>, byte: number): boolean {
  const { begins, longest } = format
  if (begins === undefined) return true
  return length === 0 ? byte === begins : byte === etx || (byte >= lowestText && length < longest)
}

function ended<Word extends string>(decoder: Decoder<Word>, check: number | null): Taken<Word> {
  const { format, isTooLong } = decoder
  const text = Buffer.from(decoder.text.subarray(0, decoder.length))
  decoder.at = 'outside'
  // It was reported when it became too long.
  if (isTooLong) return null
  const isIntact = check === null || check === format.unchecked || check === checkOf(text)
  return isIntact ? { kind: 'message', text } : { kind: 'damaged' }
}

function between<Word extends string>(decoder: Decoder<Word>, byte: number): Taken<Word> {
  if (decoder.format.begins !== undefined && byte >= lowestText) decoder.at = 'noise'
  const word = decoder.at === 'noise' ? undefined : decoder.words.get(byte)
  return word === undefined ? null : { kind: 'control', word }
}
