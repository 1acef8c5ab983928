import { chmodSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFiles } from '../host/data-files.ts'
import { renameDurably, syncPath } from '../host/durable.ts'
import { atRest, type Connection, openCopied, openReader, refusing, StoreRefused } from './connection.ts'
import { foundedWith } from './founded.ts'
import { isUpToDate } from './migrate.ts'

/**
 * The counter that a copy has and the original has not: when the copy was taken, Unix milliseconds. A store that is started
 * from a copy, however it came to its place, knows by it that something happened later that it does not know.
 */
export const copyTakenAt = 'copy-taken-at'

/** What a copy was found to hold. */
export interface StoreCopy {
  /** The number of its newest migration. */
  schema: number
  /** Its newest line of the journal; 0 without any. */
  sequence: number
  /** What the house is called; null before it has a name. */
  property: string | null
  /** The fingerprint of the key of its vault; null before it was founded. */
  foundedWith: string | null
  /** When it was taken, Unix milliseconds; 0 for a store that is no copy. */
  takenAt: number
}

/**
 * Copies the database at `path` as it is at one moment to the file `to`, while others go on writing, and reads the copy
 * whole for damage. The copy is on the disk when this returns. Runs synchronously, for as long as it takes: not on the main
 * thread. Throws StoreRefused, and leaves no copy, when the database is damaged.
 */
export function copyStore(path: string, to: string, takenAt: number): StoreCopy {
  rmSync(to, { force: true })
  const source = openReader(path)
  try {
    // The file is open for reading alone; what is written is the copy.
    source.pragma('query_only = OFF')
    refusing(path, () => source.prepare('VACUUM INTO ?').run(to))
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

/** The plain copy beside the database at `path` that the newest migration left, until it is packed into a backup. */
export function migrationCopyOf(path: string): string {
  return join(dirname(path), dataFiles.migrationCopy)
}

/**
 * Copies the database at `path` before its tables are changed: the way back to the program before. Throws StoreRefused when that
 * cannot be done; nothing was changed then.
 */
export function copyBeforeMigration(path: string, takenAt: number): void {
  const to = migrationCopyOf(path)
  const unfinished = `${to}.part`
  try {
    copyStore(path, unfinished, takenAt)
  } catch (error) {
    if (error instanceof StoreRefused) throw error
    throw new StoreRefused(
      `${path} could not be copied before the update (${(error as Error).message}). Nothing was changed. Free some space on the disk and start again, or install the nightporter that ran before.`,
      { cause: error },
    )
  }
  chmodSync(unfinished, 0o600)
  renameDurably(unfinished, to)
}

/**
 * Reads the copy at `path` whole for damage, and that it was made by the migrations of this program. Answers what it says of
 * itself. Throws StoreRefused.
 */
export function expectWholeStore(path: string): StoreCopy {
  const db = openCopied(path)
  try {
    // Refuses tables that are not of this program.
    isUpToDate(db, path)
    expectWhole(db, path)
    return describe(db)
  } finally {
    db.close()
  }
}

/** Reads a copy whole for damage; throws StoreRefused. */
function expectWhole(db: Connection, path: string): void {
  const found = refusing(path, () => db.pragma('integrity_check(5)', { simple: true }))
  const broken = found === 'ok' ? refusing(path, () => db.pragma('foreign_key_check') as unknown[]) : []
  if (found === 'ok' && broken.length === 0) return
  const what = found === 'ok' ? `${broken.length} rows point nowhere` : String(found).split('\n')[0]
  throw new StoreRefused(`${path} is damaged (${what}).`)
}

/** What the copy in a file says of itself. Throws StoreRefused. */
export function describeCopy(path: string): StoreCopy {
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
  const db = openCopied(to)
  try {
    db.prepare('INSERT OR REPLACE INTO counter (name, value) VALUES (?, ?)').run(copyTakenAt, takenAt)
    expectWhole(db, path)
    return describe(db)
  } finally {
    db.close()
  }
}
