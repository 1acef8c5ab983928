import { inflateSync } from 'node:zlib'

/** All that is unpacked of one file together; a receipt is a page of text. */
const mostUnpacked = 2 * 1024 * 1024
const mostStreams = 200

/**
 * The texts shown by a PDF: the strings of the file and of its deflated streams, one text for each. Fonts of their own
 * encoding, and pictures, are not read.
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

/** Null for what is no deflated stream, or is more than there is room for. */
function inflated(stream: Buffer, room: number): Buffer | null {
  const lineEnd = stream[0] === 0x0d ? 2 : 1
  try {
    return inflateSync(stream.subarray(lineEnd), { maxOutputLength: Math.max(1, room) })
  } catch {
    return null
  }
}

/** Strings in parentheses and in hexadecimal; a line of text is often several of them. A date is none of a card. */
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
