import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
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

/**
 * Replaces the content of a file, which only its owner may read. After a power cut the file has the old content or the new
 * one, and the new one once this has returned. Only one caller may write a file at a time.
 */
export function writeDurably(path: string, content: string | Uint8Array): void {
  const unfinished = `${path}.new`
  const file = openSync(unfinished, 'w', 0o600)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameDurably(unfinished, path)
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
