import { closeSync, openSync, writeSync } from 'node:fs'
import { csvLine } from '../../resource/values/csv.ts'
import { CommandFailed } from '../exit-codes.ts'

/** A CSV file for people, which is written row by row. */
export interface CsvFile {
  write(row: readonly (string | number)[]): void
  close(): void
}

/** Creates a CSV file with these columns, or replaces it. Throws CommandFailed `permission`. */
export function createdCsv(path: string, columns: readonly string[]): CsvFile {
  const file = opened(path)
  const write = (row: readonly (string | number)[]) => {
    writeSync(file, `${csvLine(row)}\n`)
  }
  write(columns)
  return { write, close: () => closeSync(file) }
}

function opened(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw new CommandFailed('permission', `${path} cannot be written: ${(error as Error).message}`)
  }
}
