import { statSync } from 'node:fs'

/**
 * Returns a function that looks at the files, and calls `changed` after one of them was replaced, created or deleted, as soon as two
 * successive looks find the same state: related files are replaced one after another.
 */
export function fileWatch(paths: readonly string[], changed: () => void): () => void {
  let reported = stateOf(paths)
  let seen = reported
  return () => {
    const now = stateOf(paths)
    const haveRested = now === seen
    seen = now
    if (now === reported || !haveRested) return
    reported = now
    changed()
  }
}

function stateOf(paths: readonly string[]): string {
  return JSON.stringify(paths.map(stateOfFile))
}

/** Returns what changes when a file changes. That a disk cannot read it is a state, too. */
function stateOfFile(path: string): unknown {
  try {
    const file = statSync(path, { throwIfNoEntry: false })
    return file && [file.ino, file.size, file.mtimeMs, file.ctimeMs, file.mode]
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}
