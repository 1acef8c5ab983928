import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '../host/data-files.ts'
import { renameDurably, syncPath } from '../host/durable.ts'
import { addErasures, readErasures } from '../host/erasures.ts'
import { fileDigest } from './encrypted-archive.ts'
import { type BackupMade, removeUnproven } from './make-backup.ts'
import { secondFolderProblem } from './second-folder.ts'

/**
 * Copies a backup to a second folder, such as a USB stick or a network folder, and verifies the copy. Returns
 * a sentence with the reason and the remedy when that fails; null when the copy exists.
 */
export async function copyBackup(
  from: string,
  to: string,
  { name, sha256 }: BackupMade,
): Promise<string | null> {
  // A missing folder is not created: it would be on the box's own disk, at the mount point of the stick.
  if (!existsSync(to)) return secondFolderProblem(from, to)
  const [target, unproven] = [join(to, name), join(to, `${name}.part`)]
  try {
    removeUnproven(to)
    copyFileSync(join(from, name), unproven)
    syncPath(unproven)
    const read = await fileDigest(unproven)
    if (read.sha256 !== sha256)
      return `The copy in ${to} differs from the backup. Replace the stick or the disk.`
    renameDurably(unproven, target)
    addErasures(join(to, dataFiles.erasures), readErasures(join(from, dataFiles.erasures)))
    return await secondFolderProblem(from, to)
  } catch (error) {
    return `The backup could not be copied to ${to} (${(error as Error).message}). Check whether it is full or read-only.`
  } finally {
    removeQuietly(unproven)
  }
}

/**
 * Deletes a file if possible. An error is ignored: an earlier failure was already reported, or the next backup deletes
 * the file.
 */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}
