import { statSync } from 'node:fs'
import type { Clock, Timer } from './clock.ts'

/**
 * Calls `changed` after one of the files was replaced, created or deleted, as soon as two successive checks
 * find the same state: related files are replaced one after another. Checks every `everyMs` milliseconds
 * until the returned timer is cancelled.
 */
export function watchFiles(
  paths: readonly string[],
  { clock, everyMs, changed }: { clock: Clock; everyMs: number; changed(): void },
): Timer {
  let reported = stateOf(paths)
  let seen = reported
  return clock.setInterval(() => {
    const now = stateOf(paths)
    const haveRested = now === seen
    seen = now
    if (now === reported || !haveRested) return
    reported = now
    changed()
  }, everyMs)
}

/** Returns a text that changes when a file changes. */
function stateOf(paths: readonly string[]): string {
  const found = paths.map((path) => statSync(path, { throwIfNoEntry: false }))
  return JSON.stringify(
    found.map((file) => file && [file.ino, file.size, file.mtimeMs, file.ctimeMs, file.mode]),
  )
}
