import { readdirSync, statSync } from 'node:fs'
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
export function backupsIn(folder: string): BackupFile[] {
  return namesIn(folder)
    .flatMap((name) => fileOf(folder, name) ?? [])
    .sort((one, other) => other.takenAt - one.takenAt)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function fileOf(folder: string, name: string): BackupFile | null {
  const [, date, hours, minutes, seconds, milliseconds, word] = form.exec(name) ?? []
  const reason = backupReasons.find((each) => each === word)
  const takenAt = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`)
  if (!reason || Number.isNaN(takenAt)) return null
  const bytes = statSync(join(folder, name), { throwIfNoEntry: false })?.size
  return bytes === undefined ? null : { id: name.slice(0, -ending.length), name, reason, takenAt, bytes }
}
