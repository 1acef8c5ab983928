import { closeSync, fsyncSync, openSync } from 'node:fs'

/** What a file holds, or what was made, renamed and removed in a folder, is on the disk when this returns. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
