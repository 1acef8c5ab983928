import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What the box knows of its clock; null for what it does not know. */
export interface TimeSync {
  /** The program that sets the clock. */
  source: 'systemd-timesyncd' | 'chrony' | null
  /** How far the clock is off, whichever way, in milliseconds. */
  skewMs: number | null
  /** The clock follows a time server. */
  synced: boolean | null
  /** When it was last set by one, by its own reckoning, Unix milliseconds. */
  syncedAt: number | null
}

interface TimeSyncOptions {
  /** Where the file system begins. */
  root?: string
  /** The program that asks chrony. */
  command?: string
}

/** Of a box that says nothing of its clock. */
export const nothingKnown: TimeSync = { source: null, skewMs: null, synced: null, syncedAt: null }

/** Asks who sets the clock of this box, and how well. Never rejects. */
export async function timeSync({ root = '/', command = 'chronyc' }: TimeSyncOptions = {}): Promise<TimeSync> {
  const changedAt = (path: string) => mtimeOf(join(root, path))
  if ((await changedAt('run/systemd/timesync')) !== null) {
    // Touched each time the clock was set by a server; how far it was off is told to nobody who asks by file.
    const syncedAt = await changedAt('run/systemd/timesync/synchronized')
    return { source: 'systemd-timesyncd', skewMs: null, synced: syncedAt !== null, syncedAt }
  }
  return (await changedAt('run/chrony')) === null ? nothingKnown : tracking(command)
}

async function mtimeOf(path: string): Promise<number | null> {
  try {
    return Math.round((await stat(path)).mtimeMs)
  } catch {
    return null
  }
}

const run = promisify(execFile)

/** `chronyc -c tracking`: values between commas; the fourth is when a server was last heard, the fifth the offset, both in seconds, the last says whether it leaps or follows nobody. */
async function tracking(command: string): Promise<TimeSync> {
  try {
    const { stdout } = await run(command, ['-c', 'tracking'], { timeout: 2_000, killSignal: 'SIGKILL' })
    const values = stdout.trim().split(',')
    const [heardAt, offset] = [Number(values[3]), Number(values[4])]
    if (values.length < 14 || !Number.isFinite(offset)) return { ...nothingKnown, source: 'chrony' }
    const synced = values.at(-1) !== 'Not synchronised'
    if (!synced) return { source: 'chrony', skewMs: null, synced, syncedAt: null }
    const syncedAt = heardAt > 0 ? Math.round(heardAt * 1_000) : null
    return { source: 'chrony', skewMs: Math.round(Math.abs(offset) * 1_000), synced, syncedAt }
  } catch {
    return { ...nothingKnown, source: 'chrony' }
  }
}
