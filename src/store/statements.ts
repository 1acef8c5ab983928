import type { Statement } from 'better-sqlite3'
import type { Filter } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
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

/**
 * The same SQL for a statement that SQLite plans once: what is compared with a bare `?`, or limited by one, is planned anew
 * each time, which takes longer than finding a row. Where an index is of one value alone, that has to be seen.
 */
export function lastingPlan({ indexes }: Resource, filters: readonly Filter[], sql: string): string {
  const isOfAValue = indexes.some(({ where }) => filters.some(({ path }) => where?.startsWith(`${path} =`)))
  return isOfAValue ? sql : sql.replace(/(= |LIMIT )\?/g, '$1+?')
}
