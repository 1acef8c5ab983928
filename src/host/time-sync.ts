import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
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
}

export interface TimeSyncOptions {
  /** Where the file system begins. */
  root?: string
  /** The program that asks chrony. */
  command?: string
}

const nothingKnown: TimeSync = { source: null, skewMs: null, synced: null }

/** Asks who sets the clock of this box, and how well. Never rejects. */
export async function timeSync({ root = '/', command = 'chronyc' }: TimeSyncOptions = {}): Promise<TimeSync> {
  const isThere = (path: string) => exists(join(root, path))
  if (await isThere('run/systemd/timesync')) {
    // Touched each time the clock was set by a server; how far it was off is told to nobody who asks by file.
    const synced = await isThere('run/systemd/timesync/synchronized')
    return { source: 'systemd-timesyncd', skewMs: null, synced }
  }
  return (await isThere('run/chrony')) ? tracking(command) : nothingKnown
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}

const run = promisify(execFile)

/** `chronyc -c tracking`: values between commas; the fifth is the offset in seconds, the last says whether it leaps or follows nobody. */
async function tracking(command: string): Promise<TimeSync> {
  try {
    const { stdout } = await run(command, ['-c', 'tracking'], { timeout: 2_000, killSignal: 'SIGKILL' })
    const values = stdout.trim().split(',')
    const offset = Number(values[4])
    if (values.length < 14 || !Number.isFinite(offset)) return { ...nothingKnown, source: 'chrony' }
    const synced = values.at(-1) !== 'Not synchronised'
    return { source: 'chrony', skewMs: synced ? Math.round(Math.abs(offset) * 1_000) : null, synced }
  } catch {
    return { ...nothingKnown, source: 'chrony' }
  }
}
