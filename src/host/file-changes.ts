import { statSync } from 'node:fs'
import type { Clock, Timer } from './clock.ts'

/**
 * Calls `changed` each time a file has become another one, or has appeared or gone, and all of them have rested since: files that
 * belong together are replaced one after the other, so they count when two looks find the same. Until the timer is cancelled.
 */
export function watchFiles(
  paths: readonly string[],
  { clock, everyMs, changed }: { clock: Clock; everyMs: number; changed(): void },
): Timer {
  let told = stateOf(paths)
  let seen = told
  return clock.setInterval(() => {
    const now = stateOf(paths)
    const haveRested = now === seen
    seen = now
    if (now === told || !haveRested) return
    told = now
    changed()
  }, everyMs)
}

/** Another text as soon as a file is another one. */
function stateOf(paths: readonly string[]): string {
  const found = paths.map((path) => statSync(path, { throwIfNoEntry: false }))
  return JSON.stringify(
    found.map((file) => file && [file.ino, file.size, file.mtimeMs, file.ctimeMs, file.mode]),
  )
}
