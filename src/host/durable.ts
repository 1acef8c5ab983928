import { closeSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** What a file holds, or what was made, renamed and removed in a folder, is on the disk when this returns. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Gives a file or folder another name; when this returns, a power cut does not take the new name back. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncPath(dirname(to))
}

/** Makes a folder for its owner alone, with those above it that are missing; when this returns, a power cut does not take them away. */
export function makeFolder(path: string): void {
  const topmost = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (topmost === undefined) return
  for (let made = resolve(path); ; made = dirname(made)) {
    syncPath(dirname(made))
    if (made === resolve(topmost) || made === dirname(made)) return
  }
}
