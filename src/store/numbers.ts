import type { Stored } from '../resource/fields.ts'
import type { statements } from './statements.ts'

/** What no filter can ask of the store: SQL questions, and the counters; on either kind of connection. */
export function numbers(prepare: ReturnType<typeof statements>) {
  /** The one number that a question yields; 0 where there is none. */
  function count(sql: string, ...values: Stored[]): number {
    const found = prepare(sql)
      .pluck()
      .get(...values)
    return Number(found ?? 0)
  }

  /** The one text that a question yields; null where there is none. */
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
