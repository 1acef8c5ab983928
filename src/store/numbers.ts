import type { Stored } from '../resource/field.ts'
import type { statements } from './statements.ts'

/** Reads that a filter cannot express: SQL queries and counters. They work on both kinds of connection. */
export function numbers(prepare: ReturnType<typeof statements>) {
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
