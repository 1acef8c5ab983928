import Database from 'better-sqlite3'
import { lettersOf } from '../resource/values/letters.ts'
import { fold } from './query/filter.ts'

export type Connection = Database.Database

/** The database must not be used. The message says what a person can do about it. */
export class StoreRefused extends Error {}

const pageSize = 1024
/**
 * The log length, in pages, that starts a checkpoint: 32 MiB. SQLite reuses the log file and never truncates
 * it. A page that many commands change reaches the database once for each checkpoint: with 8 MiB a create
 * wrote 13 kB more.
 */
export const checkpointPages = 32_000
/**
 * The log length, in pages, at which the writer itself runs the checkpoint, however long that takes. It
 * bounds the log.
 */
const mostPages = 4 * checkpointPages

/**
 * Opens the one connection that writes. A commit returns after it is on the disk; the settings for this are
 * asserted here. Throws StoreRefused.
 */
export function openWritingConnection(path: string): Connection {
  return refusing(path, () => {
    const db = connect(path, {})
    db.pragma(`page_size = ${pageSize}`)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma(`wal_autocheckpoint = ${mostPages}`)
    db.pragma('foreign_keys = ON')
    db.pragma('cache_size = -4000')
    assertPragma(db, 'journal_mode', 'wal')
    assertPragma(db, 'synchronous', 2)
    assertPragma(db, 'foreign_keys', 1)
    return db
  })
}

/** Opens a connection that only runs checkpoints. Throws StoreRefused. */
export function openCopier(path: string): Connection {
  return refusing(path, () => {
    const db = connect(path, { fileMustExist: true })
    db.pragma('synchronous = FULL')
    return db
  })
}

/**
 * Opens a copy of the database that no other program uses: one file without a write-ahead log. Throws
 * StoreRefused.
 */
export function openCopied(path: string): Connection {
  return refusing(path, () => {
    const db = connect(path, { fileMustExist: true })
    db.pragma('journal_mode = DELETE')
    db.pragma('synchronous = FULL')
    return db
  })
}

/** Opens a read-only connection. Throws StoreRefused. */
export function openReader(path: string): Connection {
  return refusing(path, () => {
    const db = connect(path, { readonly: true, fileMustExist: true })
    db.pragma('query_only = ON')
    db.pragma('cache_size = -4000')
    return db
  })
}

/** Opens a connection that reads the file, and writes only to temporary tables, in memory. Throws StoreRefused. */
export function openScratchConnection(path: string): Connection {
  return refusing(path, () => {
    const db = connect(path, { readonly: true, fileMustExist: true })
    // The rows of a copied table refer to those of tables in the file.
    db.pragma('foreign_keys = OFF')
    return db
  })
}

/**
 * Calls `ask` with a read-only connection to the database at `path`, before any program opens it to write.
 * Returns its result. Throws StoreRefused.
 */
export function atRest<T>(path: string, ask: (db: Connection) => T): T {
  const db = openReader(path)
  try {
    return ask(db)
  } finally {
    db.close()
  }
}

/** Reads the whole file, and throws the SqliteError of damage when its pages are not in order. */
export function quickCheck(db: Connection): void {
  const found = db.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw new Database.SqliteError(String(found), 'SQLITE_CORRUPT')
}

function connect(path: string, options: Database.Options): Connection {
  const db = new Database(path, { timeout: 5_000, ...options })
  addFunctions(db)
  db.pragma('trusted_schema = OFF')
  db.pragma('temp_store = MEMORY')
  return db
}

/**
 * Registers the SQL functions that the program adds to those of SQLite. A migration calls none of them,
 * because they may change.
 */
export function addFunctions(db: Connection): void {
  for (const [name, change] of Object.entries({ fold, letters: lettersOf }))
    db.function(name, { deterministic: true }, (text: unknown) =>
      text === null ? null : change(String(text)),
    )
}

/** Does `work` and returns its result. An SQLite error that says the file cannot be opened becomes StoreRefused. */
export function refusing<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = error instanceof Database.SqliteError ? error.code : ''
    if (/^SQLITE_CANTOPEN/.test(code))
      throw new StoreRefused(`${path} cannot be opened: ${(error as Error).message}`, { cause: error })
    throw error
  }
}

function assertPragma(db: Connection, name: string, expected: string | number): void {
  const found = db.pragma(name, { simple: true })
  if (found !== expected) throw new Error(`SQLite reports ${name} = ${found}; ${expected} is required`)
}
