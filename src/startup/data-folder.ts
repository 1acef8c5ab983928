import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '../host/files/data-files.ts'
import { renameDurably } from '../host/files/durable.ts'
import { makeKey, openVault, type Vault, VaultRefused } from '../host/vault.ts'
import { atRest, StoreRefused } from '../store/connection.ts'
import { foundedWith } from '../store/founded.ts'
import { isUpToDate } from '../store/migrate.ts'

/**
 * A data folder: a database, and the key that encrypts its secrets. The first start creates the key before the
 * database, as `secret.key.founding`, and renames it to `secret.key` when the database is complete. The files therefore
 * show whether a first start was interrupted or the database of a property is missing.
 */
export interface DataFolder {
  database: string
  vault: Vault
  /** Whether the first start is complete. */
  isFounded: boolean
  /**
   * Whether the database has this program's version, so that readers may open it before the writer is ready.
   */
  isCurrent: boolean
  /** Records on the disk that the first start is complete. The database must contain its own mark already. */
  founded(): void
}

interface Files {
  database: string
  key: string
  /** The key until the first start is complete. */
  founding: string
}

/**
 * Checks a data folder that no other program uses, and makes the key in an empty folder. Throws VaultRefused
 * or StoreRefused when key and database do not belong together, or one is missing. With `foundAnew`, a date
 * and time for file names, it instead renames both and starts with an empty folder.
 */
export function openDataFolder(data: string, foundAnew: string | null): DataFolder {
  const files = {
    database: join(data, dataFiles.database),
    key: join(data, dataFiles.key),
    founding: join(data, dataFiles.keyOfFounding),
  }
  const found = lookedAt(files)
  if (!(found instanceof Error)) return folderOf(files, found ?? beginning(files))
  if (foundAnew === null) throw found
  setAside(files, foundAnew)
  return folderOf(files, beginning(files))
}

type Found = Pick<DataFolder, 'vault' | 'isFounded' | 'isCurrent'>

function folderOf({ database, key, founding }: Files, found: Found): DataFolder {
  return { database, ...found, founded: found.isFounded ? () => {} : () => renameDurably(founding, key) }
}

/** Returns the vault of an unfinished first start. Makes the key if it is missing. */
function beginning({ founding }: Files): Found {
  if (!existsSync(founding)) makeKey(founding)
  return notFounded(openVault(founding))
}

function notFounded(vault: Vault): Found {
  return { vault, isFounded: false, isCurrent: false }
}

/**
 * Returns the usable files; null for an empty folder; otherwise the reason why the files cannot belong to one property.
 * Throws when a file is invalid in itself.
 */
function lookedAt({ database, key, founding }: Files): Found | VaultRefused | StoreRefused | null {
  const hasKey = existsSync(key)
  if (!hasKey && existsSync(founding)) {
    const vault = openVault(founding)
    return isOfAnother(database, vault) ? otherKey(database, founding) : notFounded(vault)
  }
  // SQLite must not open an empty database file, because it would delete the write-ahead log beside it.
  const bytes = statSync(database, { throwIfNoEntry: false })?.size ?? null
  if (!hasKey) return bytes === null ? null : keyMissing(key, database, bytes)
  const vault = openVault(key)
  if (!bytes) return databaseMissing(database, key, bytes === null ? 'is missing' : 'is empty')
  // A database that is damaged or newer than this program is reported as such.
  const found = atRest(database, (db) => ({ isCurrent: isUpToDate(db, database), with: foundedWith(db) }))
  if (found.with === null) return databaseMissing(database, key, 'holds no property')
  if (found.with !== vault.fingerprint) return otherKey(database, key)
  return { vault, isFounded: true, isCurrent: found.isCurrent }
}

/** Whether the database beside the key of an unfinished first start belongs to another property. */
function isOfAnother(database: string, { fingerprint }: Vault): boolean {
  if (!existsSync(database)) return false
  try {
    const found = atRest(database, foundedWith)
    return found !== null && found !== fingerprint
  } catch {
    // A database that SQLite must recover first contains no finished first start, or the writer reports its fault.
    return false
  }
}

const wayPast =
  'To give up the old property and begin a new one, start once with --found-anew: it renames the old files and deletes nothing.'

function databaseMissing(database: string, key: string, what: string): StoreRefused {
  return new StoreRefused(
    `${database} ${what}, and ${key} beside it is the key of an existing property. The appliance cannot start; no file was changed. Put back what is missing, or restore both from the same backup with "nightporter restore FILE --data FOLDER", and start again. ${wayPast}`,
  )
}

function keyMissing(key: string, database: string, bytes: number): VaultRefused {
  if (bytes > 0) atRest(database, (db) => isUpToDate(db, database))
  return new VaultRefused(
    `${key} is missing. It encrypts data in the database beside it, so the appliance cannot start; no file was changed. Put the key back, or restore both from the same backup with "nightporter restore FILE --data FOLDER". ${wayPast}`,
  )
}

function otherKey(database: string, key: string): VaultRefused {
  return new VaultRefused(
    `${key} is not the key of ${database}: one of them comes from another property or another time. The appliance cannot start; no file was changed. Put back the file that belongs to the other, or restore both from the same backup with "nightporter restore FILE --data FOLDER", and start again. ${wayPast}`,
  )
}

/** The write-ahead log is renamed first: a new database must never find an old log beside it. */
function setAside({ database, key }: Files, when: string): void {
  for (const path of [`${database}-wal`, `${database}-shm`, `${database}-journal`, database, key])
    if (existsSync(path)) renameDurably(path, `${path}.set-aside-${when}`)
}
