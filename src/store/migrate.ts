import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFiles } from '../host/files/data-files.ts'
import { type Connection, StoreRefused } from './connection.ts'

/**
 * The newest migration that a program must know to use the database: its `user_version`. Newer ones only add what the release
 * before leaves alone: tables, indexes, and columns that may be NULL; and they forget what a PMS reports again. So that release still reads and writes a migrated
 * database, and an update can be taken back without losing data. What only that release needs is removed one release
 * later, by a migration that this number then names.
 */
const neededMigration = 3

const folder = new URL('./migrations/', import.meta.url)

interface Migration {
  version: number
  sql: string
}

/**
 * Returns the numbered files of the folder `migrations`, `0001.sql` or `0002-what.sql`, in order. Throws when
 * a number is missing.
 */
export function migrations(): Migration[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return files.map((name, index) => {
    const [, version] = /^(\d{4})(?:-[a-z0-9-]+)?\.sql$/.exec(name) ?? []
    if (Number(version) !== index + 1) throw new Error(`migration ${name} is out of order`)
    return { version: index + 1, sql: readFileSync(new URL(name, folder), 'utf8') }
  })
}

/** The number of the newest migration of this program. */
export function newestMigration(): number {
  return migrations().length
}

/**
 * Migrates the database to this program's version in one transaction, and stores the checksum of each step. `copyBefore` is called before the first step, when the database already has a schema. Throws
 * StoreRefused for a database that is newer, or was made by other steps.
 */
export function migrate(
  db: Connection,
  path: string,
  steps = migrations(),
  copyBefore: () => void = () => {},
  needed = neededMigration,
): void {
  const ahead = missingSteps(db, path, steps)
  if (ahead.length === 0) return
  if (ahead.length < steps.length) copyBefore()
  // SQLite can rebuild a table only while foreign keys are off. foreign_key_check finds broken references
  // before the commit.
  db.pragma('foreign_keys = OFF')
  db.transaction(() => {
    for (const step of ahead) take(db, step, needed)
  }).immediate()
  db.pragma('foreign_keys = ON')
}

/**
 * Whether the open database at `path` has this program's version, so that readers may open it before the
 * writer has. Throws StoreRefused as `migrate` does.
 */
export function isUpToDate(db: Connection, path: string): boolean {
  return missingSteps(db, path, migrations()).length === 0
}

function take(db: Connection, step: Migration, needed: number): void {
  db.exec(checksums)
  db.exec(step.sql)
  const broken = db.pragma('foreign_key_check') as { table: string }[]
  if (broken.length > 0)
    throw new Error(`migration ${step.version} leaves ${broken[0]!.table} pointing nowhere`)
  db.prepare('INSERT INTO migration (version, sha256) VALUES (?, ?)').run(step.version, sumOf(step))
  db.pragma(`user_version = ${Math.min(step.version, needed)}`)
}

/** The migrations that made the database. */
const checksums = `CREATE TABLE IF NOT EXISTS migration (
  version INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL
) STRICT`

function missingSteps(db: Connection, path: string, steps: Migration[]): Migration[] {
  const found = db.pragma('user_version', { simple: true }) as number
  const known = steps.at(-1)?.version ?? 0
  if (found > 0 && !keepsChecksums(db)) throw unknown(path)
  if (found > known) throw newer(path, found, known)
  const taken = found === 0 ? [] : takenSteps(db)
  for (const step of steps.slice(0, taken.length))
    if (taken[step.version - 1] !== sumOf(step)) throw changed(path, step.version)
  return steps.slice(taken.length)
}

function keepsChecksums(db: Connection): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migration'").get() !== undefined
}

function takenSteps(db: Connection): string[] {
  return db.prepare('SELECT sha256 FROM migration ORDER BY version').pluck().all() as string[]
}

function sumOf({ sql }: Migration): string {
  return createHash('sha256').update(sql).digest('hex')
}

function newer(path: string, found: number, known: number): StoreRefused {
  const copy = join(dirname(path), dataFiles.migrationCopy)
  const backup = existsSync(copy) ? copy : 'a backup from before the update'
  return new StoreRefused(
    `${path} has version ${found}, and this program knows versions up to ${known}. Install the newer nightporter again, or restore ${backup} with "nightporter restore".`,
  )
}

function changed(path: string, version: number): StoreRefused {
  return new StoreRefused(
    `${path} was made by another migration ${version} than the one of this program, so its tables may not be what this program expects. Nothing was changed. It comes from a state of the program between two releases, or from a program whose files were changed. Only the nightporter that used it last can open it: start that one again, or give another folder with --data.`,
  )
}

function unknown(path: string): StoreRefused {
  return new StoreRefused(
    `${path} does not say how it was made: it comes from a nightporter before 0.5.0, or from another program. This program cannot read it, and nothing was changed. Give another folder with --data, or use the program that made it.`,
  )
}
