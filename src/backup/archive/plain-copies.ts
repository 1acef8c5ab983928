import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '../../host/files/data-files.ts'
import { lockStore, StoreTaken } from '../../store/lock.ts'
import { BackupRefused } from '../backup-refused.ts'

/**
 * Excludes another backup of a data folder, also by another process. The operating system releases the lock when the
 * program ends, however it ends. Throws BackupRefused while another backup is made.
 */
export function lockBackups(data: string): { release(): void } {
  try {
    return lockStore(join(data, dataFiles.backupLock))
  } catch (error) {
    if (!(error instanceof StoreTaken)) throw error
    throw new BackupRefused('Another backup is being made. Wait until it is in the list of backups.')
  }
}

/**
 * Removes the unencrypted copy of the database that a backup has left, whose program was killed or which was canceled.
 * It leaves the copy of a backup that is being made, also by another process. It never throws: where the copy cannot be
 * removed, the next backup fails for the same reason, and reports it.
 */
export function removeLeftCopy(data: string): void {
  const work = join(data, dataFiles.backupWork)
  if (!existsSync(work)) return
  try {
    const lock = lockBackups(data)
    try {
      rmSync(work, { recursive: true, force: true })
    } finally {
      lock.release()
    }
  } catch {}
}

/**
 * Removes what a migration that was interrupted has left of its unencrypted copy. The caller must hold the lock of the
 * store. It never throws: the next migration writes the file anew, and reports when it cannot.
 */
export function removeUnfinishedMigrationCopy(data: string): void {
  const unfinished = `${dataFiles.migrationCopy}.part`
  try {
    for (const name of readdirSync(data))
      if (name.startsWith(unfinished)) rmSync(join(data, name), { force: true })
  } catch {}
}
