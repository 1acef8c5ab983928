import { chmodSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFiles } from '../../host/files/data-files.ts'
import { renameDurably, syncPath } from '../../host/files/durable.ts'
import { atRest, type Connection, openCopied, openReader, StoreRefused } from '../connection.ts'
import { foundedWith } from '../founded.ts'
import { isUpToDate } from '../migrate.ts'
import { troubleOfUnused } from './damage.ts'
import { troubleIn } from './disk-trouble.ts'

/**
 * The counter that only a copy of a store has: the time of the copy, Unix milliseconds. A store that starts
 * with this counter was restored from a copy, and it knows that events after this time are missing in it.
 */
export const copyTakenAt = 'copy-taken-at'

/** What a copy of a store contains. */
export interface StoreCopy {
  /** The number of the newest migration. */
  schema: number
  /** The sequence number of the newest journal line; 0 for an empty journal. */
  sequence: number
  /** The name of the property; null before the property has a name. */
  property: string | null
  /** The fingerprint of the vault's key; null before the first start was completed. */
  foundedWith: string | null
  /** The time of the copy, Unix milliseconds; 0 for a store that is not a copy. */
  takenAt: number
}

/**
 * Copies the database at `path`, as it is at one moment, to the file `to`, and checks the copy for damage.
 * Other connections may write meanwhile. The copy is on the disk when this function returns. It runs
 * synchronously and may take minutes, so the main thread must not call it. Throws StoreRefused when the copy is damaged,
 * and SqliteError when the database cannot be read; no copy is left then.
 */
export function copyStore(path: string, to: string, takenAt: number): StoreCopy {
  rmSync(to, { force: true })
  const source = openReader(path)
  try {
    // The source is opened read-only. SQLite refuses VACUUM INTO while query_only is on, although it writes
    // only the copy.
    source.pragma('query_only = OFF')
    source.prepare('VACUUM INTO ?').run(to)
  } finally {
    source.close()
  }
  try {
    const found = checkedCopy(path, to, takenAt)
    syncPath(to)
    return found
  } catch (error) {
    rmSync(to, { force: true })
    throw error
  }
}

/**
 * The path of the plain copy beside the database at `path` that the newest migration made. The file exists
 * until it is packed into a backup.
 */
export function migrationCopyOf(path: string): string {
  return join(dirname(path), dataFiles.migrationCopy)
}

/**
 * Copies the database at `path` before a migration changes its tables, so that the previous program can be
 * installed again. Throws StoreRefused when the copy fails; the database is unchanged then.
 */
export function copyBeforeMigration(path: string, takenAt: number): void {
  const to = migrationCopyOf(path)
  const unfinished = `${to}.part`
  try {
    copyStore(path, unfinished, takenAt)
  } catch (error) {
    if (error instanceof StoreRefused || troubleIn(error)?.is === 'unreadable') throw error
    throw new StoreRefused(
      `${path} could not be copied before the update (${(error as Error).message}). Nothing was changed. Free some space on the disk and start again, or install the nightporter that ran before.`,
      { cause: error },
    )
  }
  chmodSync(unfinished, 0o600)
  renameDurably(unfinished, to)
}

/**
 * Checks the copy at `path` for damage, and that the migrations of this program made it. Returns what the
 * copy contains. Throws StoreRefused.
 */
export function expectWholeStore(path: string): StoreCopy {
  expectUndamaged(path)
  const db = openCopied(path)
  try {
    // Refuses a database that other migrations made.
    isUpToDate(db, path)
    expectReferences(db, path)
    return describe(db)
  } finally {
    db.close()
  }
}

/** Throws StoreRefused when a copy that no program uses is damaged or cannot be read. */
function expectUndamaged(path: string): void {
  const trouble = troubleOfUnused(path)
  if (!trouble) return
  const is = trouble.is === 'damaged' ? 'is damaged' : 'cannot be read'
  throw new StoreRefused(`${path} ${is} (${trouble.code}).`)
}

/** Throws StoreRefused when a row in a copy of the database at `path` refers to one that is missing. */
function expectReferences(db: Connection, path: string): void {
  const broken = db.pragma('foreign_key_check') as unknown[]
  if (broken.length > 0) throw new StoreRefused(`${path} is damaged (${broken.length} rows point nowhere).`)
}

/** Checks the copy in a file for damage, and returns what it contains. Throws StoreRefused. */
export function describeCopy(path: string): StoreCopy {
  expectUndamaged(path)
  return atRest(path, describe)
}

function describe(db: Connection): StoreCopy {
  const value = (sql: string) => db.prepare(sql).pluck().get()
  return {
    schema: db.pragma('user_version', { simple: true }) as number,
    sequence: Number(value('SELECT coalesce(max(sequence), 0) FROM journal')),
    property: (value('SELECT name FROM property LIMIT 1') as string | undefined) ?? null,
    foundedWith: foundedWith(db),
    takenAt: Number(db.prepare('SELECT value FROM counter WHERE name = ?').pluck().get(copyTakenAt) ?? 0),
  }
}

function checkedCopy(path: string, to: string, takenAt: number): StoreCopy {
  expectUndamaged(to)
  const db = openCopied(to)
  try {
    db.prepare('INSERT OR REPLACE INTO counter (name, value) VALUES (?, ?)').run(copyTakenAt, takenAt)
    expectReferences(db, path)
    return describe(db)
  } finally {
    db.close()
  }
}
