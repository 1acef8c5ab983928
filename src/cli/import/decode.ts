import { CommandFailed } from '../exit-codes.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
/** A text without line ends is no CSV file. */
const longestLine = 1 << 20

/**
 * Decodes a file in whole lines. Throws CommandFailed `data` for the first line that is not in this encoding, with that
 * line as Windows-1252.
 */
export async function* decoded(
  path: string,
  chunks: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  if (encoding.startsWith('utf-16')) return yield* streamed(path, chunks, decoder, encoding)
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  const decodeLines = (bytes: Buffer) => {
    try {
      // With `stream`, a byte order mark is left out at the start of the file only.
      const text = decoder.decode(bytes, { stream: true })
      line += bytes.reduce((count, byte) => count + Number(byte === lineFeed), 0)
      return text
    } catch {
      throw notInEncoding(path, bytes, line, encoding)
    }
  }
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn)) + 1
    rest = bytes.subarray(end)
    if (rest.length > longestLine)
      throw new CommandFailed('data', `${path} is not a CSV file: line ${line} is longer than 1 MiB.`)
    if (end > 0) yield decodeLines(bytes.subarray(0, end))
  }
  if (rest.length > 0) yield decodeLines(Buffer.concat([rest, Buffer.from('\n')]))
}

async function* streamed(
  path: string,
  chunks: AsyncIterable<Buffer>,
  decoder: TextDecoder,
  encoding: string,
): AsyncGenerator<string> {
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new CommandFailed(
      'data',
      `${path} is not ${encoding.toUpperCase()}, as its first bytes say. Save it as UTF-8.`,
    )
  }
}

function notInEncoding(path: string, bytes: Buffer, from: number, encoding: string): CommandFailed {
  const lines = bytes.toString('latin1').split('\n')
  const isWrong = (line: string) => {
    try {
      new TextDecoder(encoding, { fatal: true }).decode(Buffer.from(line, 'latin1'))
      return false
    } catch {
      return true
    }
  }
  const at = Math.max(0, lines.findIndex(isWrong))
  const bytesOfLine = Buffer.from(lines[at] ?? '', 'latin1')
  const text = new TextDecoder('windows-1252').decode(bytesOfLine).trim().slice(0, 120)
  return new CommandFailed(
    'data',
    `${path} is not ${encoding.toUpperCase()}: line ${from + at} is in another encoding. Nothing was imported. As Windows-1252 it reads: ${text}\nIf that is right, add "encoding": "windows-1252" to the map. Otherwise name its encoding there, or save the file as UTF-8.`,
  )
}
