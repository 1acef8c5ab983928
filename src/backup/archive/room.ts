import { statfsSync } from 'node:fs'
import { makeFolders } from '../../host/files/make-folders.ts'
import { BackupRefused } from '../backup-refused.ts'

/** The space that must stay free on the disk in addition to the file. */
const roomKept = 64 * 1_048_576

/** Throws BackupRefused unless the disk of a folder, which is made if it is missing, has space for a file of so many bytes. */
export function expectRoom(folder: string, bytes: number): void {
  makeFolders(folder, 0o700)
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize >= bytes + roomKept) return
  const megabytes = Math.ceil((bytes + roomKept) / 1_048_576)
  throw new BackupRefused(`There is no space for the file: ${folder} needs ${megabytes} MB. Free some space.`)
}
