import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import Database from 'better-sqlite3'
import { StoreRefused } from '../connection.ts'
import { type Trouble, troubleIn } from './disk-trouble.ts'

/** So many checks find damage before it is said. */
const mostChecks = 2
const chunkBytes = 1_048_576
/** The number of SQLITE_IOERR, which is the last byte of its further codes. */
const ioError = 10

/**
 * Checks the whole database at `path`. Returns null when it is intact, and `damaged` when two checks, each on a connection of
 * its own, find damage in bytes that the disk reads. Returns `unreadable` when the disk does not read all of them: SQLite
 * reports a read error as damage, so the file is also read without it. It may take minutes. Throws SqliteError for what is
 * not of the disk, such as a database that another program has locked.
 *
 * `file` is an open handle of the database that the caller closes after all connections of this process to it: the system
 * gives up the locks of SQLite when a process closes any handle of the file.
 */
export function troubleOf(path: string, file: number): Trouble | null {
  try {
    for (let left = mostChecks; ; left--) {
      const damage = damageIn(path)
      if (damage === null) return null
      readWhole(file)
      readLog(`${path}-wal`)
      if (left === 1) return { is: 'damaged', code: damage }
    }
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException
    if (!syscall && !troubleIn(error)) throw error
    return { is: 'unreadable', code }
  }
}

/** `troubleOf` for a database that no connection of this process uses. */
export function troubleOfUnused(path: string): Trouble | null {
  const file = openSync(path, 'r')
  try {
    return troubleOf(path, file)
  } finally {
    closeSync(file)
  }
}

/** The refusal of a damaged database. `what` is what the check has found. */
export function damaged(path: string, what: string): StoreRefused {
  return new StoreRefused(
    `${path} is damaged (${what}): two checks of the whole file have found it, and no file was changed. The appliance tries again every ten minutes. Copy the data folder to another disk, and check the power and the cable of the disk. Last, stop the appliance, restore the newest backup with "nightporter restore FILE --data FOLDER", which keeps the damaged files, and start again: what was changed since the backup is lost then.`,
  )
}

/** Returns what one check finds, on a new connection; null when it finds nothing. Throws any other SqliteError. */
function damageIn(path: string): string | null {
  const db = new Database(path, { readonly: true, fileMustExist: true })
  try {
    const found = String(db.pragma('integrity_check(1)', { simple: true }))
    if (isUnread(found)) throw new Database.SqliteError(found, 'SQLITE_IOERR_READ')
    // It begins with the name of the database.
    return found === 'ok' ? null : found.slice(found.lastIndexOf('\n') + 1)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error
    return message
  } finally {
    db.close()
  }
}

/** Whether a check has found a page that the disk did not read, such as `unable to get the page. error code=8458`. */
function isUnread(found: string): boolean {
  const [, code] = /unable to get the page\. error code=(\d+)/.exec(found) ?? []
  return Number(code) % 256 === ioError || found.includes('failed to get page')
}

/** SQLite holds no lock on the log, so any handle of it may be closed. */
function readLog(path: string): void {
  if (!existsSync(path)) return
  const file = openSync(path, 'r')
  try {
    readWhole(file)
  } finally {
    closeSync(file)
  }
}

/** Throws the error of the system for bytes that cannot be read. */
function readWhole(file: number): void {
  const chunk = Buffer.alloc(chunkBytes)
  for (let at = 0, read = -1; read !== 0; at += read) read = readSync(file, chunk, 0, chunkBytes, at)
}
