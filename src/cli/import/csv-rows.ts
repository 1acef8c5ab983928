import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import { fileKindOf, remedyOf } from '../../resource/values/spreadsheet.ts'
import { CommandFailed } from '../exit-codes.ts'
import type { BookingMap } from './booking-map.ts'
import type { BookingRow } from './booking-row.ts'
import { cleanText, withoutFormulaTexts } from './cell-text.ts'
import { type CsvFormat, encodingOf, separatorOf } from './csv-format.ts'
import { decoded } from './decode.ts'
import { decodedHtml } from './html-text.ts'

const longestArchive = 64 << 20

/**
 * Finds out how a CSV file is written. A file whose name ends in .gz is decompressed. Throws CommandFailed `missing`
 * for a missing file, and `data` when the file lacks a column of the map.
 */
export async function formatOf(path: string, map: BookingMap): Promise<CsvFormat> {
  await expectFile(path)
  try {
    for await (const start of bytesOf(path)) {
      const encoding = encodingOf(start, map)
      const text = new TextDecoder(encoding).decode(start)
      await expectText(path, start, text)
      if (text.includes('\ufffd')) await expectDecodable(path, encoding)
      return { encoding, ...separatorOf(path, text, map) }
    }
  } catch (error) {
    throw unreadable(path, error)
  }
  throw new CommandFailed('data', `${path} is empty. A CSV file names its columns in the first line.`)
}

/** Returns the rows of a CSV file as a stream, without those that are empty. While they are read, throws CommandFailed `data` for invalid CSV. */
export async function* rowsOf(path: string, map: BookingMap, format: CsvFormat): AsyncGenerator<BookingRow> {
  const { separator, encoding, headerLine } = format
  const parser = parse({
    delimiter: separator,
    info: true,
    columns: (names: string[]) => names.map(cleanText),
    from_line: headerLine,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  const text = Readable.from(withoutFormulaTexts(decoded(path, bytesOf(path), encoding), separator))
  const steps: Readable = pipeline(text, parser, () => {})
  try {
    for await (const { record, info } of steps as AsyncIterable<CsvRecord>)
      yield { line: info.lines, written: record, cells: readCells(record), empty: map.empty }
  } catch (error) {
    throw unreadable(path, error, separator)
  }
}

/** Decodes the HTML text of the cells and cleans them; returns the same object where nothing differs. */
function readCells(written: Record<string, string>): Record<string, string> {
  const differing = Object.entries(written).flatMap(([column, text]) => {
    const read = cleanText(decodedHtml(text))
    return read === text ? [] : [[column, read] as const]
  })
  return differing.length === 0 ? written : { ...written, ...Object.fromEntries(differing) }
}

/** Throws CommandFailed `data` for a spreadsheet or an archive, whatever its name is. */
async function expectText(path: string, start: Buffer, text: string): Promise<void> {
  const isOther = fileKindOf(start.toString('latin1')) !== null
  const kind = fileKindOf(isOther ? await wholeOf(path) : text)
  if (!kind) return
  throw new CommandFailed(
    'data',
    `${path} is ${kind.name}, not a CSV file. Nothing was imported. ${remedyOf(kind)}`,
  )
}

/** The bytes of a file as Latin-1, at most 64 MiB: an archive names its parts at its end. */
async function wholeOf(path: string): Promise<string> {
  const chunks: string[] = []
  let length = 0
  for await (const chunk of bytesOf(path)) {
    chunks.push((chunk as Buffer).toString('latin1'))
    length += chunk.length
    if (length > longestArchive) break
  }
  return chunks.join('')
}

/** Throws CommandFailed `data` with the first line that is in another encoding: its header can name no column. */
async function expectDecodable(path: string, encoding: string): Promise<void> {
  for await (const _ of decoded(path, bytesOf(path), encoding));
}

function bytesOf(path: string): Readable {
  const source = createReadStream(path)
  return path.endsWith('.gz') ? pipeline(source, createGunzip(), () => {}) : source
}

function unreadable(path: string, error: unknown, separator = ''): CommandFailed {
  if (error instanceof CommandFailed) return error
  const { message, record } = error as Error & { record?: unknown }
  const cells = Array.isArray(record) ? record : []
  const hint =
    separator === ';' && cells.some((cell) => /&(?:#\w+|[a-z]\w+)$/i.test(cell))
      ? ' HTML text such as &#39; has the separator in it: put quotes around such cells, or separate the columns by commas.'
      : ''
  return new CommandFailed(
    'data',
    `${path} cannot be read to its end: ${message}. Nothing was imported.${hint}`,
    {
      cause: error,
    },
  )
}

interface CsvRecord {
  record: Record<string, string>
  info: { lines: number }
}

async function expectFile(path: string): Promise<void> {
  try {
    const file = await open(path)
    await file.close()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === 'ENOENT'
      ? new CommandFailed('missing', `There is no file ${path}.`)
      : new CommandFailed('permission', `${path} cannot be opened: ${message}`)
  }
}
