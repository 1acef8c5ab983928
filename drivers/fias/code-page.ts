import type { CodePageDoubt } from '../../src/devices/network/guest-link.ts'
import { isPlausibleUtf8 } from './plausible-utf8.ts'

/** The code pages that can be configured for a line. */
export const codePages = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-15',
  'utf-8',
] as const
export type CodePageName = (typeof codePages)[number]

/** Stands for a byte that is no letter of the code page. */
const noLetter = '\ufffd'

/** Converts text to bytes and back. */
export interface CodePage {
  name: CodePageName
  /** A letter that the code page lacks loses its accent, or becomes a question mark. */
  encode(text: string): Buffer
  /**
   * Returns the text of a whole record, without control characters. Bytes that are no letter become replacement characters,
   * and bytes that can only be UTF-8 are read as UTF-8. Never throws.
   */
  decode(bytes: Uint8Array): { text: string; doubt: CodePageDoubt['doubt'] | null }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** The code page of this name. */
export function codePage(name: CodePageName): CodePage {
  const decoder = new TextDecoder(name, { ignoreBOM: true })
  const lettersOf = (bytes: Uint8Array) => decoder.decode(bytes)

  function decode(bytes: Uint8Array): ReturnType<CodePage['decode']> {
    const read = lettersOf(bytes)
    const other = name === 'utf-8' || isAscii(bytes) ? null : utf8TextOf(bytes)
    if (other !== null && isPlausibleUtf8(other, read)) return { text: printable(other), doubt: 'is-utf-8' }
    const text = printable(read)
    return { text, doubt: text.includes(noLetter) ? 'no-letter' : null }
  }

  if (name === 'utf-8') return { name, decode, encode: (text) => Buffer.from(text, 'utf8') }
  const byteOf = new Map(
    Array.from({ length: 256 }, (_, byte) => [lettersOf(Uint8Array.of(byte)), byte] as const).filter(
      ([letter]) => letter !== noLetter,
    ),
  )
  const encode = (text: string) =>
    Buffer.from(Array.from(text.normalize('NFC'), (letter) => byteOf.get(letter) ?? plain(letter, byteOf)))
  return { name, decode, encode }
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80)
}

/** The text of the bytes in UTF-8; null when they are not UTF-8. */
function utf8TextOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** A byte that a code page does not define is decoded as a control character from U+0080 on. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (control) => (control < '\u0080' ? ' ' : noLetter))
}

function plain(letter: string, byteOf: ReadonlyMap<string, number>): number {
  const [bare = '?'] = letter.normalize('NFD')
  return byteOf.get(bare) ?? 0x3f
}
