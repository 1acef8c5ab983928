import { join } from 'node:path'
import type { Clock } from '../host/clock.ts'
import type { BackupFile } from './backup-files.ts'
import { backupList } from './backup-list.ts'

/** A place with backups that can be restored. */
export interface BackupSource {
  /** The word for the place in the interface, such as `box`. */
  id: string
  /** Whether it is a folder of this machine, which is read without a network. */
  isFolder: boolean
  /** Returns its backups, newest first. Rejects with BackupRefused when the place does not answer in time. */
  list(): Promise<BackupFile[]>
  /**
   * Returns the path at which this machine can read a backup. A place that is not a folder first downloads the backup
   * to `into`, and calls `fetched` with the bytes so far. Rejects with BackupRefused, and with the signal's reason.
   */
  fetch(file: BackupFile, how: Fetching): Promise<string>
  /**
   * Returns the folder at which this machine can read the segments of keys beside the backups. A place that is not a
   * folder first downloads them to the new folder `into`. Rejects as `fetch` does.
   */
  segments(into: string, signal: AbortSignal): Promise<string>
}

interface Fetching {
  into: string
  signal: AbortSignal
  fetched(bytes: number): void
}

/** A folder of backups, such as the one on the box. */
export function folderSource(id: string, folder: string, clock: Clock): BackupSource {
  const { listInTime } = backupList(folder, clock)
  return {
    id,
    isFolder: true,
    list: listInTime,
    fetch: async ({ name }) => join(folder, name),
    segments: async () => folder,
  }
}
