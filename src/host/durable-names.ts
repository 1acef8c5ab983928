import { closeSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Gives a file another name in the same folder; when this returns, a power cut does not take it back. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  keepNames(dirname(to))
}

/** Makes a folder for its owner alone, with those above it that are missing; when this returns, a power cut does not take them away. */
export function makeFolder(path: string): void {
  const topmost = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (topmost === undefined) return
  for (let made = resolve(path); ; made = dirname(made)) {
    keepNames(dirname(made))
    if (made === resolve(topmost) || made === dirname(made)) return
  }
}

function keepNames(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
