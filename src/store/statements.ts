import type { Statement } from 'better-sqlite3'
import type { Connection } from './connection.ts'

const most = 300

/** Prepares a statement once; the least recently used make room. */
export function statements(db: Connection): (sql: string) => Statement<unknown[], unknown> {
  const kept = new Map<string, Statement<unknown[], unknown>>()
  return (sql) => {
    const found = kept.get(sql)
    if (found) {
      if (kept.size > most / 2) {
        kept.delete(sql)
        kept.set(sql, found)
      }
      return found
    }
    const made = db.prepare<unknown[], unknown>(sql)
    kept.set(sql, made)
    if (kept.size > most) kept.delete(kept.keys().next().value!)
    return made
  }
}
