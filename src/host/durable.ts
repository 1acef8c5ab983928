import { closeSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Syncs a file or a folder to the disk: the file's content, or the folder's entries, survive a power cut
 * after this returns.
 */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Renames a file or folder. The new name survives a power cut after this returns. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncPath(dirname(to))
}

/** Makes a folder with mode 0700, and its missing parents. They survive a power cut after this returns. */
export function makeFolder(path: string): void {
  const topmost = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (topmost === undefined) return
  for (let made = resolve(path); ; made = dirname(made)) {
    syncPath(dirname(made))
    if (made === resolve(topmost) || made === dirname(made)) return
  }
}
