import { parse } from 'csv-parse/sync'
import { CommandFailed } from '../exit-codes.ts'
import { type BookingMap, columnsOf } from './booking-map.ts'
import { cleanText, quotedFormulaTexts } from './cell-text.ts'

/** How a file is written. */
export interface CsvFormat {
  separator: string
  /** A label of the Encoding standard. */
  encoding: string
  /** The line of the header, from 1. */
  headerLine: number
}

const separators = [',', ';', '\t', '|']
const mostNames = 40

/** Returns the encoding by the byte order mark, else by the map, else UTF-8. */
export function encodingOf(start: Buffer, { encoding = 'utf-8' }: BookingMap): string {
  if (start.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return 'utf-8'
  if (start.subarray(0, 2).equals(Buffer.from([0xff, 0xfe]))) return 'utf-16le'
  return start.subarray(0, 2).equals(Buffer.from([0xfe, 0xff])) ? 'utf-16be' : encoding
}

/**
 * Returns the separator with which the header has every column of the map. A first line such as `sep=;`, which
 * spreadsheets write, states it. Throws CommandFailed `data` when a column is missing with every separator.
 */
export function separatorOf(path: string, text: string, map: BookingMap): Omit<CsvFormat, 'encoding'> {
  const [first = '', second = ''] = text.split(/\r\n|\n|\r/, 2)
  const [, stated] = /^"?sep=(.)"?[,;\t]*$/.exec(first) ?? []
  const header = stated ? second : first
  const asked = map.separator ?? stated
  const readings = (asked ? [asked] : separators)
    .map((separator) => ({ separator, names: namesIn(header, separator) }))
    .sort((a, b) => b.names.length - a.names.length)
  const columns = columnsOf(map)
  const fitting = readings.find(({ names }) => columns.every((column) => names.includes(column)))
  const twice = fitting && columns.find((column) => isTwice(fitting.names, column))
  if (twice !== undefined)
    throw new CommandFailed(
      'data',
      `${path} has two columns ${twice}. Rename the one that the map does not mean.`,
    )
  if (fitting) return { separator: fitting.separator, headerLine: stated ? 2 : 1 }
  throw missingColumns(path, columns, readings[0]!)
}

function isTwice(names: string[], column: string): boolean {
  return names.indexOf(column) !== names.lastIndexOf(column)
}

function namesIn(header: string, delimiter: string): string[] {
  try {
    const cells = quotedFormulaTexts(header, delimiter)
    const [names = []] = parse(cells, { delimiter, bom: true, relax_column_count: true }) as string[][]
    return names.map(cleanText)
  } catch {
    return []
  }
}

function missingColumns(
  path: string,
  columns: string[],
  { separator, names }: { separator: string; names: string[] },
): CommandFailed {
  const missing = columns.filter((column) => !names.includes(column)).join(', ')
  const more = names.length > mostNames ? `, and ${names.length - mostNames} more` : ''
  return new CommandFailed(
    'data',
    `${path} has no column ${missing}, which the map names. Read with ${nameOf(separator)} as the separator, its columns are: ${names.slice(0, mostNames).join(', ')}${more}.`,
  )
}

/** The name of a separator for people. */
export function nameOf(separator: string): string {
  return separator === '\t' ? 'tab' : JSON.stringify(separator)
}
