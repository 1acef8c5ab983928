import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Why a backup was made: by the schedule, on request, before a newer program migrated the tables, or before an update. */
export const backupReasons = ['nightly', 'asked', 'migration', 'update'] as const
export type BackupReason = (typeof backupReasons)[number]

/** A backup file in a folder. A file gets its name only after it was written whole and verified. */
export interface BackupFile {
  /** The file name without its ending; the id in the interface. */
  id: string
  name: string
  reason: BackupReason
  /** The time of the state that it contains, Unix milliseconds. */
  takenAt: number
  bytes: number
}

const ending = '.tar.gz.age'
const form = /^nightporter-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-([a-z]+)\.tar\.gz\.age$/

/** Returns the file name of a backup. Every file system accepts its letters, and the names sort by time. */
export function backupName(takenAt: number, reason: BackupReason): string {
  const moment = new Date(takenAt).toISOString().replaceAll(/[:.]/g, '')
  return `nightporter-${moment}-${reason}${ending}`
}

/**
 * Returns the backups in a folder, newest first; an empty list for a missing folder. Other files are ignored.
 */
export async function backupsIn(folder: string): Promise<BackupFile[]> {
  const found = await Promise.all((await namesIn(folder)).map((name) => fileOf(folder, name)))
  return found.filter((each) => each !== null).sort((one, other) => other.takenAt - one.takenAt)
}

/**
 * Returns the newest of some backups, the newest first, that was made up to now; null without one. A later one was made while the
 * clock was ahead, and must not keep the next ones from being made and sent.
 */
export function newestUpTo(backups: readonly BackupFile[], now: number): BackupFile | null {
  return backups.find(({ takenAt }) => takenAt <= now) ?? null
}

/**
 * Returns those of some backups that were made after now, Unix milliseconds, because the clock was ahead. They count for
 * nothing that goes by time.
 */
export function madeAhead(backups: readonly BackupFile[], now: number): BackupFile[] {
  return backups.filter(({ takenAt }) => takenAt > now)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => form.test(name))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Returns the backup of a file with this name; null for a name that is not that of a backup. */
export function backupNamed(name: string, bytes: number): BackupFile | null {
  const [, date, hours, minutes, seconds, milliseconds, word] = form.exec(name) ?? []
  const reason = backupReasons.find((each) => each === word)
  const takenAt = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`)
  if (!reason || Number.isNaN(takenAt)) return null
  return { id: name.slice(0, -ending.length), name, reason, takenAt, bytes }
}

/** Returns null for a file that was deleted meanwhile, and for a name that is not that of a backup. */
async function fileOf(folder: string, name: string): Promise<BackupFile | null> {
  const bytes = await sizeOf(join(folder, name))
  return bytes === null ? null : backupNamed(name, bytes)
}

/** Returns the bytes of a file; null for one that is not there, such as one that was renamed or deleted meanwhile. */
export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
