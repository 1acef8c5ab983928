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

/** What arrived on the line. `damaged`: bytes that begin like a message, but are not a valid one. */
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

/** Finds messages and control bytes in a stream that arrives in pieces of any size. It buffers at most one message. */
export function messages<Word extends string>(format: MessageFormat<Word>): Deframer<ReceivedMessage<Word>> {
  const { longest, hasCheck, begins, control } = format
  const words = new Map((Object.keys(control) as Word[]).map((word) => [control[word], word]))
  const text = Buffer.alloc(longest)
  let at: 'outside' | 'text' | 'check' | 'noise' = 'outside'
  let length = 0
  let isTooLong = false

  return {
    push: (chunk) => [...chunk].flatMap((byte) => take(byte) ?? []),
    quiet() {
      const isBroken = at === 'text' || at === 'check'
      at = 'outside'
      return isBroken ? [{ kind: 'damaged' }] : []
    },
    get restless() {
      return at !== 'outside'
    },
  }

  function take(byte: number): ReceivedMessage<Word> | null {
    if (at === 'check') return ended(byte)
    if (byte === stx) return begun()
    return at === 'text' ? inText(byte) : between(byte)
  }

  function begun(): ReceivedMessage<Word> | null {
    const isCutOff = at === 'text' && (length > 0 || begins === undefined)
    at = 'text'
    length = 0
    isTooLong = false
    return isCutOff ? { kind: 'damaged' } : null
  }

  function inText(byte: number): ReceivedMessage<Word> | null {
    if (!fits(byte)) return broken()
    if (byte === etx) {
      if (!hasCheck) return ended(null)
      at = 'check'
    } else if (length < longest) text[length++] = byte
    else isTooLong = true
    return null
  }

  function fits(byte: number): boolean {
    if (begins === undefined) return true
    return length === 0 ? byte === begins : byte === etx || (byte >= lowestText && length < longest)
  }

  function broken(): ReceivedMessage<Word> | null {
    at = 'noise'
    return length > 0 ? { kind: 'damaged' } : null
  }

  function ended(check: number | null): ReceivedMessage<Word> {
    at = 'outside'
    const whole = text.subarray(0, length)
    const isIntact = check === null || check === format.unchecked || check === checkOf(whole)
    return isIntact && !isTooLong ? { kind: 'message', text: Buffer.from(whole) } : { kind: 'damaged' }
  }

  function between(byte: number): ReceivedMessage<Word> | null {
    if (begins !== undefined && byte >= lowestText) at = 'noise'
    const word = at === 'noise' ? undefined : words.get(byte)
    return word === undefined ? null : { kind: 'control', word }
  }
}
