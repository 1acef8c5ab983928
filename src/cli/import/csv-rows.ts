import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import { CommandFailed } from '../exit-codes.ts'
import { type BookingMap, columnsOf } from './booking-map.ts'
import type { BookingRow } from './booking-row.ts'

/**
 * Returns the rows of a CSV file as a stream. A file whose name ends in .gz is decompressed. Throws CommandFailed
 * `missing` for a missing file and `data` when the file lacks a column of the map. While the rows are read, throws
 * `data` for invalid CSV.
 */
export async function rowsOf(path: string, map: BookingMap): Promise<AsyncIterable<BookingRow>> {
  await expectFile(path)
  const rows = read(path, map)
  return startingWith(await rows.next(), rows)
}

async function* startingWith(
  first: IteratorResult<BookingRow>,
  rest: AsyncGenerator<BookingRow>,
): AsyncIterable<BookingRow> {
  if (first.done) return
  yield first.value
  yield* rest
}

async function* read(path: string, map: BookingMap): AsyncGenerator<BookingRow> {
  const parser = parse({
    bom: true,
    info: true,
    columns: (header: string[]) => expectColumns(path, header, map),
  })
  const source = createReadStream(path)
  const steps: Readable = path.endsWith('.gz')
    ? pipeline(source, createGunzip(), parser, () => {})
    : pipeline(source, parser, () => {})
  try {
    for await (const { record, info } of steps as AsyncIterable<Parsed>)
      yield { line: info.lines, cells: record }
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    throw new CommandFailed('data', `${path} cannot be read to its end: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

interface Parsed {
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

function expectColumns(path: string, header: string[], map: BookingMap): string[] {
  const missing = columnsOf(map).filter((column) => !header.includes(column))
  if (missing.length === 0) return header
  throw new CommandFailed('data', `${path} has no column ${missing.join(', ')}, which the map names.`)
}
