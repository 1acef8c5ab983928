import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { addFunctions, type Connection, openReader, refusing, StoreRefused } from './connection.ts'

const folder = new URL('./migrations/', import.meta.url)

export interface Migration {
  version: number
  sql: string
}

/** The numbered files beside this one, `0001-what.sql`, in order and without a gap. */
export function migrations(): Migration[] {
  const files = readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
  return files.map((name, index) => {
    const version = Number(name.slice(0, 4))
    if (version !== index + 1) throw new Error(`migration ${name} is out of order`)
    return { version, sql: readFileSync(new URL(name, folder), 'utf8') }
  })
}

/** Brings the database to this program's version, each step whole or not at all. Refuses one that is newer, or damaged. */
export function migrate(db: Connection, path: string, steps = migrations()): void {
  const found = refusing(path, () => db.pragma('user_version', { simple: true }) as number)
  const known = steps.at(-1)?.version ?? 0
  if (found > known) {
    throw new StoreRefused(
      `${path} has version ${found}, and this program knows versions up to ${known}. Install the newer nightporter again, or put back a backup from before the update.`,
    )
  }
  const ahead = steps.filter((step) => step.version > found)
  if (ahead.length === 0) return
  // A table can be made anew only while nothing is held to point at it; what points nowhere is found before the commit.
  db.pragma('foreign_keys = OFF')
  addFunctions(db)
  for (const { version, sql } of ahead) {
    const step = db.transaction(() => {
      db.exec(sql)
      const broken = db.pragma('foreign_key_check') as { table: string }[]
      if (broken.length > 0)
        throw new Error(`migration ${version} leaves ${broken[0]!.table} pointing nowhere`)
      db.pragma(`user_version = ${version}`)
    })
    refusing(path, step)
  }
  db.pragma('foreign_keys = ON')
}

/** Whether the store at `path` is there and has this program's version, so that it may be read before the writer is. */
export function isCurrent(path: string): boolean {
  if (!existsSync(path)) return false
  const db = openReader(path)
  const found = refusing(path, () => db.pragma('user_version', { simple: true }))
  db.close()
  return found === migrations().at(-1)?.version
}
