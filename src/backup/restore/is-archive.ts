import { closeSync, openSync, readSync } from 'node:fs'

const beginning = Buffer.from('age-encryption.org/v1\n')

/** Whether a file begins as each backup does. The content is checked when it is opened. */
export function isArchive(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const found = Buffer.alloc(beginning.length)
    readSync(file, found, 0, found.length, 0)
    return found.equals(beginning)
  } finally {
    closeSync(file)
  }
}
