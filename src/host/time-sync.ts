import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** How the clock is synchronised; null for unknown values. */
interface Synchronisation {
  /** The program that sets the clock. */
  source: 'systemd-timesyncd' | 'chrony' | null
  /** The absolute offset of the clock, in milliseconds. */
  skewMs: number | null
  /** Whether the clock follows a time server. */
  synced: boolean | null
  /** When a time server last set the clock, by that clock, Unix milliseconds. */
  syncedAt: number | null
}

/** What the box knows about its clock; null for unknown values. */
export interface TimeSync extends Synchronisation {
  /** The running start of the machine; null where the kernel does not say it. */
  boot: Boot | null
  /** What the battery-backed clock of the machine shows, Unix milliseconds. */
  rtcAt: number | null
}

/** A start of the machine. */
interface Boot {
  /** Random for each start. */
  id: string
  /** How long the machine runs, sleep included, in milliseconds. */
  upMs: number
}

interface TimeSyncOptions {
  /** The root of the file system. */
  root?: string
  /** The client program of chrony. */
  command?: string
}

/** The state of a box on which no known program sets the clock. */
export const nothingKnown: TimeSync = {
  source: null,
  skewMs: null,
  synced: null,
  syncedAt: null,
  boot: null,
  rtcAt: null,
}

/** Finds out which program sets the clock of this box and how well, and what else says the time. Never rejects. */
export async function timeSync({ root = '/', command = 'chronyc' }: TimeSyncOptions = {}): Promise<TimeSync> {
  return { ...(await synchronisation(root, command)), boot: bootOf(root), rtcAt: rtcOf(root) }
}

async function synchronisation(root: string, command: string): Promise<Synchronisation> {
  const changedAt = (path: string) => mtimeOf(join(root, path))
  if (changedAt('run/systemd/timesync') !== null) {
    // systemd touches this file each time a server sets the clock. It offers no file with the offset.
    const syncedAt = changedAt('run/systemd/timesync/synchronized')
    return { source: 'systemd-timesyncd', skewMs: null, synced: syncedAt !== null, syncedAt }
  }
  return changedAt('run/chrony') === null ? nothingKnown : tracking(command)
}

function bootOf(root: string): Boot | null {
  const id = textOf(join(root, 'proc/sys/kernel/random/boot_id'))
  const seconds = Number.parseFloat(textOf(join(root, 'proc/uptime')) ?? '')
  return id && Number.isFinite(seconds) ? { id, upMs: Math.round(seconds * 1_000) } : null
}

/** The kernel writes this clock only while a time server sets its own, so without one it shows what the battery has kept. */
function rtcOf(root: string): number | null {
  const seconds = Number.parseInt(textOf(join(root, 'sys/class/rtc/rtc0/since_epoch')) ?? '', 10)
  return Number.isFinite(seconds) ? seconds * 1_000 : null
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
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
async function tracking(command: string): Promise<Synchronisation> {
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
