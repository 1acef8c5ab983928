import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '../../host/files/data-files.ts'
import { addErasures, erasureDigest, readErasures } from '../../host/files/erasures.ts'
import { atRest } from '../../store/connection.ts'

/**
 * Returns the digests of all erased guests in a database. Returns none for an unreadable database, because a person may
 * restore a backup for that very reason.
 */
function erasedIn(database: string): string[] {
  if (!existsSync(database)) return []
  const index = `${database}-shm`
  const isOpen = existsSync(index)
  try {
    const subjects = atRest(database, (db) =>
      db.prepare("SELECT subject FROM journal WHERE type = 'profile.anonymized'").pluck().all(),
    ) as string[]
    return subjects.map(digestOfSubject)
  } catch {
    return []
  } finally {
    // Opening a database read-only can create this file when no other program has the database open.
    if (!isOpen) rmSync(index, { force: true })
  }
}

/** Returns the digest of the person whom a line of the journal names as its subject. */
export function digestOfSubject(subject: string): string {
  return erasureDigest(subject.slice(subject.lastIndexOf('/') + 1))
}

/**
 * Adds the erased guests of a copy of a database to the list in its data folder. The list is also stored beside the
 * backups in `folder`, where the restore of an older backup finds it.
 */
export function listErased(data: string, folder: string, copy: string): void {
  const own = join(data, dataFiles.erasures)
  const beside = join(folder, dataFiles.erasures)
  const known = [...readErasures(own), ...readErasures(beside), ...erasedIn(copy)]
  addErasures(own, known)
  addErasures(beside, known)
}

/**
 * Completes the list of erased guests in an unpacked backup from all lists that exist: of this box, of its present property, and
 * of the folders `beside` the backup. The start after the restore erases these guests again.
 */
export function carryErased(data: string, unpacked: string, beside: readonly string[]): void {
  const lists = [data, ...beside].flatMap((folder) => [...readErasures(join(folder, dataFiles.erasures))])
  addErasures(join(unpacked, dataFiles.erasures), [...lists, ...erasedIn(join(data, dataFiles.database))])
}
