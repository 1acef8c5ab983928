import { inflateSync } from 'node:zlib'

/** The limit for all unpacked bytes of one file. A receipt is a page of text. */
const mostUnpacked = 2 * 1024 * 1024
const mostStreams = 200

/**
 * Returns the texts of a PDF: one text for the strings of the file itself and one for each deflated stream. Text in
 * fonts with their own encoding, and text in images, is not found.
 */
export function pdfTexts(file: Buffer): string[] {
  return [file, ...unpackedStreams(file)].map((part) => stringsIn(part.toString('latin1')))
}

function unpackedStreams(file: Buffer): Buffer[] {
  const unpacked: Buffer[] = []
  let room = mostUnpacked
  let end = 0
  for (let count = 0; count < mostStreams; count++) {
    const start = file.indexOf('stream', end)
    if (start < 0) break
    end = file.indexOf('endstream', start)
    if (end < 0) break
    const bytes = inflated(file.subarray(start + 'stream'.length, end), room)
    end += 'endstream'.length
    if (!bytes) continue
    unpacked.push(bytes)
    room -= bytes.length
  }
  return unpacked
}

/** Returns null when the stream is not deflated, or when its content exceeds `room`. */
function inflated(stream: Buffer, room: number): Buffer | null {
  const lineEnd = stream[0] === 0x0d ? 2 : 1
  try {
    return inflateSync(stream.subarray(lineEnd), { maxOutputLength: Math.max(1, room) })
  } catch {
    return null
  }
}

/**
 * Joins the literal and the hexadecimal strings, because a line of text often consists of several. PDF dates are
 * removed, because their 14 digits can pass for a card number.
 */
function stringsIn(part: string): string {
  const strings = part.matchAll(/\(((?:\\[\s\S]|[^\\()])*)\)|<([0-9A-Fa-f\s]{2,})>/g)
  const texts = [...strings].map(([, literal, hex]) =>
    literal === undefined
      ? Buffer.from(hex!.replace(/\s/g, ''), 'hex').toString('latin1')
      : unescaped(literal),
  )
  return texts.map((text) => text.replace(/^D:\d{14}/, '')).join(' ')
}

function unescaped(literal: string): string {
  return literal.replace(/\\(?:([0-7]{1,3})|([\s\S]))/g, (_, octal?: string, other?: string) =>
    octal === undefined ? (other ?? '') : String.fromCharCode(Number.parseInt(octal, 8)),
  )
}
