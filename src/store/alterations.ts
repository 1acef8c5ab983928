import Database from 'better-sqlite3'
import type { Resources } from '../resource/path.ts'
import type { Connection } from './connection.ts'
import { tablesOf } from './declared-tables.ts'
import { migrate } from './migrate.ts'

/** Returns a database as the migrations make it, in memory. */
export function migratedDatabase(): Connection {
  const db = new Database(':memory:')
  migrate(db, ':memory:')
  return db
}

/**
 * Returns the statements that add what the resources declare and a database lacks: tables, columns and indexes. The next migration
 * contains them. A column that has to be NOT NULL is a comment instead: the release before writes rows without it.
 */
export function alterations(db: Connection, resources: Resources): string[] {
  const declared = [...resources.values()].flatMap((each) => tablesOf(resources, each))
  return declared.flatMap((sql) => {
    const [, kind = '', name = ''] = /^CREATE (?:UNIQUE )?(TABLE|INDEX) (\w+)/.exec(sql) ?? []
    const isThere = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined
    if (!isThere) return [sql]
    return kind === 'TABLE' ? missingColumns(db, name, sql) : []
  })
}

function missingColumns(db: Connection, table: string, sql: string): string[] {
  const columns = db.prepare('SELECT name FROM pragma_table_xinfo(?)').pluck().all(table)
  // Each column has a line of its own: see `create` in declared-tables.ts.
  const lines = [...sql.matchAll(/^ {2}((\w+) .*?),?$/gm)].filter(([, , name = '']) => name !== 'PRIMARY')
  return lines
    .filter(([, , name]) => !columns.includes(name))
    .map(([, line = '', name]) =>
      /^\w+ \w+ NOT NULL/.test(line)
        ? `-- ${table}.${name} is required. A column that is added later may be empty: make the field optional.`
        : `ALTER TABLE ${table} ADD COLUMN ${line};`,
    )
}
