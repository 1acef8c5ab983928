import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from './host/data-files.ts'
import { renameDurably } from './host/durable.ts'
import { makeKey, openVault, type Vault, VaultRefused } from './host/vault.ts'
import { atRest, StoreRefused } from './store/connection.ts'
import { foundedWith } from './store/founded.ts'
import { isUpToDate } from './store/migrate.ts'

/**
 * What lies in a data folder: a database, and the key of what is sealed in it. The key comes first and is called
 * `secret.key.founding` until the property is founded; then its name is `secret.key`. So a start that was cut short is told
 * from a property whose database is gone, by what is on the disk alone.
 */
export interface DataFolder {
  database: string
  vault: Vault
  /** The property was founded; else the first start is not over. */
  isFounded: boolean
  /** The database is there with this program's version: it may be read before the writer is ready. */
  isCurrent: boolean
  /** Says on the disk that the property is founded. Its database has to say so already. */
  founded(): void
}

interface Files {
  database: string
  key: string
  /** The key while the property is not founded. */
  founding: string
}

/**
 * Looks at a data folder that nobody else uses, and makes the key where there is nothing yet. Throws VaultRefused or
 * StoreRefused where key and database do not belong together, or one is missing; `foundAnew`, a date and time for names of
 * files, sets both aside then, so that there is nothing.
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

/** Makes the key of a property to be founded, where it was not made yet. */
function beginning({ founding }: Files): Found {
  if (!existsSync(founding)) makeKey(founding)
  return notFounded(openVault(founding))
}

function notFounded(vault: Vault): Found {
  return { vault, isFounded: false, isCurrent: false }
}

/**
 * What may be used; null where there is nothing yet; else why the files cannot be those of one property. Throws what is wrong
 * with one of the files alone.
 */
function lookedAt({ database, key, founding }: Files): Found | VaultRefused | StoreRefused | null {
  const hasKey = existsSync(key)
  if (!hasKey && existsSync(founding)) {
    const vault = openVault(founding)
    return isOfAnother(database, vault) ? otherKey(database, founding) : notFounded(vault)
  }
  // An empty file is not even opened: SQLite would throw the log beside it away.
  const bytes = statSync(database, { throwIfNoEntry: false })?.size ?? null
  if (!hasKey) return bytes === null ? null : keyMissing(key, database, bytes)
  const vault = openVault(key)
  if (!bytes) return databaseMissing(database, key, bytes === null ? 'is missing' : 'is empty')
  // What is newer than this program, or damaged, is told as that.
  const found = atRest(database, (db) => ({ isCurrent: isUpToDate(db, database), with: foundedWith(db) }))
  if (found.with === null) return databaseMissing(database, key, 'holds no property')
  if (found.with !== vault.fingerprint) return otherKey(database, key)
  return { vault, isFounded: true, isCurrent: found.isCurrent }
}

/** Somebody put the database of a property beside the key of a first start that was cut short. */
function isOfAnother(database: string, { fingerprint }: Vault): boolean {
  if (!existsSync(database)) return false
  try {
    const found = atRest(database, foundedWith)
    return found !== null && found !== fingerprint
  } catch {
    // What cannot be read before it is recovered was never founded, or the writer tells what is wrong with it.
    return false
  }
}

const wayPast =
  'To give the old property up and begin a new one, start once with --found-anew: it sets the old files aside, and deletes nothing.'

function databaseMissing(database: string, key: string, what: string): StoreRefused {
  return new StoreRefused(
    `${database} ${what}, and ${key} beside it is the key of a property that was founded here. Nothing was changed. Put back what is missing, or restore both from the same backup with "nightporter restore FILE", and start again. ${wayPast}`,
  )
}

function keyMissing(key: string, database: string, bytes: number): VaultRefused {
  if (bytes > 0) atRest(database, (db) => isUpToDate(db, database))
  return new VaultRefused(
    `${key} is missing, and the database beside it holds what was sealed with it. Nothing was changed. Put it back, or restore both from the same backup with "nightporter restore FILE". ${wayPast}`,
  )
}

function otherKey(database: string, key: string): VaultRefused {
  return new VaultRefused(
    `${key} is not the key of ${database}: one of them comes from another property or another time. Nothing was changed. Put back what is missing, or restore both from the same backup with "nightporter restore FILE", and start again. ${wayPast}`,
  )
}

/** The log first: a new database must never find an old one beside it. */
function setAside({ database, key }: Files, when: string): void {
  for (const path of [`${database}-wal`, `${database}-shm`, `${database}-journal`, database, key])
    if (existsSync(path)) renameDurably(path, `${path}.set-aside-${when}`)
}
