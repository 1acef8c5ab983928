import type { Statement } from 'better-sqlite3'
import type { Stored } from '../resource/field.ts'
import type { Filter } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import type { Connection } from './connection.ts'

const most = 300

/** Prepares a statement at its first use. */
export type Prepare = (sql: string) => Statement<unknown[], unknown>

/** Prepares each statement once and caches it; the least recently used statements are dropped. */
export function statements(db: Connection): Prepare {
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
 * Rewrites SQL so that SQLite plans the statement once. SQLite plans a statement anew each time when a value
 * is compared with a bare `?` or a bare `?` is its limit, which takes longer than finding a row.
 */
export function plannedOnce(sql: string): string {
  return sql.replace(/(= |LIMIT )\?/g, '$1+?')
}

/**
 * Like `plannedOnce`, but SQL that needs a partial index for one value stays unchanged, because SQLite must see the
 * value.
 */
export function lastingPlan({ indexes }: Resource, filters: readonly Filter[], sql: string): string {
  const isOfAValue = indexes.some(({ where }) => filters.some(({ path }) => where?.startsWith(`${path} =`)))
  return isOfAValue ? sql : plannedOnce(sql)
}

/** Reads that a filter cannot express: SQL queries and counters. They work on both kinds of connection. */
export function numbers(prepare: Prepare) {
  /** Returns the first column of the first row as a number; 0 without a row. */
  function count(sql: string, ...values: Stored[]): number {
    const found = prepare(sql)
      .pluck()
      .get(...values)
    return Number(found ?? 0)
  }

  /** Returns the first column of the first row as a text; null without one. */
  function text(sql: string, ...values: Stored[]): string | null {
    const found = prepare(sql)
      .pluck()
      .get(...values)
    return typeof found === 'string' ? found : null
  }

  function all<Columns>(sql: string, ...values: Stored[]): Columns[] {
    return prepare(sql).all(...values) as Columns[]
  }

  function counters(from: string, to: string): Map<string, number> {
    const sql = 'SELECT name, value FROM counter WHERE name BETWEEN ? AND ? ORDER BY name'
    return new Map(prepare(sql).raw().all(from, to) as [string, number][])
  }

  return { count, text, all, counters }
}
