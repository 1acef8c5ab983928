import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What the box knows about its clock; null for unknown values. */
export interface TimeSync {
  /** The program that sets the clock. */
  source: 'systemd-timesyncd' | 'chrony' | null
  /** The absolute offset of the clock, in milliseconds. */
  skewMs: number | null
  /** Whether the clock follows a time server. */
  synced: boolean | null
  /** When a time server last set the clock, by that clock, Unix milliseconds. */
  syncedAt: number | null
}

interface TimeSyncOptions {
  /** The root of the file system. */
  root?: string
  /** The client program of chrony. */
  command?: string
}

/** The state of a box on which no known program sets the clock. */
export const nothingKnown: TimeSync = { source: null, skewMs: null, synced: null, syncedAt: null }

/** Finds out which program sets the clock of this box, and how well. Never rejects. */
export async function timeSync({ root = '/', command = 'chronyc' }: TimeSyncOptions = {}): Promise<TimeSync> {
  const changedAt = (path: string) => mtimeOf(join(root, path))
  if (changedAt('run/systemd/timesync') !== null) {
    // systemd touches this file each time a server sets the clock. It offers no file with the offset.
    const syncedAt = changedAt('run/systemd/timesync/synchronized')
    return { source: 'systemd-timesyncd', skewMs: null, synced: syncedAt !== null, syncedAt }
  }
  return changedAt('run/chrony') === null ? nothingKnown : tracking(command)
}

/** Synchronous, because the threads for other calls would start with it, and a start would wait for them. */
function mtimeOf(path: string): number | null {
  try {
    return Math.round(statSync(path).mtimeMs)
  } catch {
    return null
  }
}

const run = promisify(execFile)

/**
 * Parses `chronyc -c tracking`: values separated by commas. The fourth is when a server last answered and
 * the fifth the offset, both in seconds; the last is the leap status, or `Not synchronised`.
 */
async function tracking(command: string): Promise<TimeSync> {
  try {
    const { stdout } = await run(command, ['-c', 'tracking'], { timeout: 2_000, killSignal: 'SIGKILL' })
    const values = stdout.trim().split(',')
    const [receivedAt, offset] = [Number(values[3]), Number(values[4])]
    if (values.length < 14 || !Number.isFinite(offset)) return { ...nothingKnown, source: 'chrony' }
    const synced = values.at(-1) !== 'Not synchronised'
    if (!synced) return { source: 'chrony', skewMs: null, synced, syncedAt: null }
    const syncedAt = receivedAt > 0 ? Math.round(receivedAt * 1_000) : null
    return { source: 'chrony', skewMs: Math.round(Math.abs(offset) * 1_000), synced, syncedAt }
  } catch {
    return { ...nothingKnown, source: 'chrony' }
  }
}
