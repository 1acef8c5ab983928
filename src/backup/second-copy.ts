import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '../host/files/data-files.ts'
import { copyContent, moveDurably } from '../host/files/durable.ts'
import { addErasures, readErasures } from '../host/files/erasures.ts'
import { fileDigest } from './archive/encrypted-archive.ts'
import { type BackupMade, removeUnproven } from './archive/make-backup.ts'
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
    copyContent(join(from, name), unproven)
    const isSame = async (file: string) => (await fileDigest(file)).sha256 === sha256
    const isProven = (await isSame(unproven)) && (!moveDurably(unproven, target) || (await isSame(target)))
    if (!isProven) {
      removeQuietly(target)
      return `The copy in ${to} differs from the backup. Replace the stick or the disk.`
    }
    addErasures(join(to, dataFiles.erasures), readErasures(join(from, dataFiles.erasures)))
    return await secondFolderProblem(from, to)
  } catch (error) {
    return whyNotCopied(to, error as NodeJS.ErrnoException)
  } finally {
    removeQuietly(unproven)
  }
}

function whyNotCopied(to: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `${to} is full, so there is no second copy of the backup. Free some space there, or use a larger stick.`
  if (code === 'EROFS')
    return `${to} is read-only, so there is no second copy of the backup. Switch off the write protection of the stick, or mount it for writing.`
  if (code === 'EFBIG')
    return `${to} takes no file of this size, so there is no second copy of the backup. FAT32 ends at 4 GiB: format the stick with exFAT.`
  if (code === 'EIO')
    return `${to} is failing (${message}), so there is no second copy of the backup. Replace the stick or the disk.`
  return `The backup could not be copied to ${to} (${message}). Check whether the service may write there.`
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
