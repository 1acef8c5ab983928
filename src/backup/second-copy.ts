import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { renameDurably, syncPath } from '../host/durable.ts'
import { fileDigest } from './archive.ts'
import { type BackupMade, removeUnproven } from './make-backup.ts'

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
  if (!existsSync(to))
    return `${to} is not there, so the backup lies on this box alone. Plug the stick in, or mount the folder of the network.`
  const [target, unproven] = [join(to, name), join(to, `${name}.part`)]
  try {
    removeUnproven(to)
    copyFileSync(join(from, name), unproven)
    syncPath(unproven)
    const read = await fileDigest(unproven)
    if (read.sha256 !== sha256)
      return `What was written to ${to} is not what lies there: replace the stick or the disk.`
    renameDurably(unproven, target)
    return isSameDisk(from, to)
      ? `${to} is on the disk of the backups themselves, and does not survive it. Name another.`
      : null
  } catch (error) {
    return `The backup could not be copied to ${to} (${(error as Error).message}). Look whether it is full or read-only.`
  } finally {
    removeQuietly(unproven)
  }
}

function isSameDisk(one: string, other: string): boolean {
  return statSync(one).dev === statSync(other).dev
}

/** Deletes a file if possible. A failure was reported already, or the next backup deletes the file. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}
