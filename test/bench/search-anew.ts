import { readFileSync } from 'node:fs'
import type { Connection } from '../../src/store/connection.ts'

const migration = new URL('../../src/store/migrations/0005-search.sql', import.meta.url)

/** Fills the search index again from what the tables hold, as its migration does. */
export function searchAnew(db: Connection): void {
  const statements = readFileSync(migration, 'utf8').split(/;\n/)
  db.exec(`INSERT INTO search (search) VALUES ('delete-all')`)
  for (const sql of statements) if (sql.includes('INSERT INTO search')) db.exec(sql)
}
