import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and its missing parents, and returns the topmost folder that it has made; undefined when the folder is
 * there. Throws the error of the system. `mkdirSync` with `recursive` must not be used: where the kernel makes no folder, as
 * below /proc, it tries for ever, and the process ignores SIGTERM.
 */
export function makeFolders(path: string, mode = 0o777): string | undefined {
  const missing: string[] = []
  for (let at = resolve(path); !isFolder(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at)
  const made = missing.filter((each) => makeOne(each, mode))
  return made[0]
}

/** Returns false when another process has made the folder meanwhile. */
function makeOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && isFolder(path)) return false
    throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
