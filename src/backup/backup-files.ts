import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Why a backup was made: by the schedule, because somebody asked, or before a newer program changed the tables. */
export const backupReasons = ['nightly', 'asked', 'migration'] as const
export type BackupReason = (typeof backupReasons)[number]

/** A backup as it lies in a folder. It has its name only since it was written whole and opened again. */
export interface BackupFile {
  /** The file without its ending: what the interface calls it. */
  id: string
  name: string
  reason: BackupReason
  /** Unix milliseconds: the moment whose state it holds. */
  takenAt: number
  bytes: number
}

const ending = '.tar.gz.age'
const form = /^nightporter-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-([a-z]+)\.tar\.gz\.age$/

/** The name of a backup: of letters that every file system takes, in the order of time. */
export function backupName(takenAt: number, reason: BackupReason): string {
  const moment = new Date(takenAt).toISOString().replaceAll(/[:.]/g, '')
  return `nightporter-${moment}-${reason}${ending}`
}

/** The backups in a folder, the newest first; none where there is no such folder. Other files do not count. */
export async function backupsIn(folder: string): Promise<BackupFile[]> {
  const found = await Promise.all((await namesIn(folder)).map((name) => fileOf(folder, name)))
  return found.filter((each) => each !== null).sort((one, other) => other.takenAt - one.takenAt)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => form.test(name))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Null for what has gone meanwhile, and for a name that only looks like that of a backup. */
async function fileOf(folder: string, name: string): Promise<BackupFile | null> {
  const [, date, hours, minutes, seconds, milliseconds, word] = form.exec(name) ?? []
  const reason = backupReasons.find((each) => each === word)
  const takenAt = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`)
  if (!reason || Number.isNaN(takenAt)) return null
  try {
    const { size: bytes } = await stat(join(folder, name))
    return { id: name.slice(0, -ending.length), name, reason, takenAt, bytes }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
