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

/** Converts text to bytes and back. */
export interface CodePage {
  /** A letter that the code page lacks loses its accent, or becomes a question mark. */
  encode(text: string): Buffer
  /** Bytes that are not a letter become a replacement character. Never throws. */
  decode(bytes: Uint8Array): string
}

/** The code page of this name. */
export function codePage(name: CodePageName): CodePage {
  const decoder = new TextDecoder(name, { ignoreBOM: true })
  const decode = (bytes: Uint8Array) => decoder.decode(bytes)
  if (name === 'utf-8') return { decode, encode: (text) => Buffer.from(text, 'utf8') }
  const byteOf = new Map(
    Array.from({ length: 256 }, (_, byte) => [decode(Uint8Array.of(byte)), byte] as const).filter(
      ([letter]) => letter !== '\ufffd',
    ),
  )
  const encode = (text: string) =>
    Buffer.from(Array.from(text.normalize('NFC'), (letter) => byteOf.get(letter) ?? plain(letter, byteOf)))
  return { decode, encode }
}

function plain(letter: string, byteOf: ReadonlyMap<string, number>): number {
  const [bare = '?'] = letter.normalize('NFD')
  return byteOf.get(bare) ?? 0x3f
}
