import type { Prepare } from '../statements.ts'

/** Adds one to a named counter and returns the new value: at least one more than the counter `floor`. */
export function nextOf(prepare: Prepare, counter: string, floor: string = counter): number {
  const sql = `INSERT INTO counter (name, value)
    VALUES (?, 1 + coalesce((SELECT value FROM counter WHERE name = ?), 0))
    ON CONFLICT (name) DO UPDATE SET value = max(value + 1, excluded.value) RETURNING value`
  return prepare(sql).pluck().get(counter, floor) as number
}

/** Adds to a named counter, which starts at 0, and returns the new value. */
export function addTo(prepare: Prepare, counter: string, by: number): number {
  const sql = `INSERT INTO counter (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value`
  return prepare(sql).pluck().get(counter, by) as number
}

/** Deletes the counters whose names are between `from` and `to` inclusive. */
export function forgetCounters(prepare: Prepare, from: string, to: string): void {
  prepare('DELETE FROM counter WHERE name BETWEEN ? AND ?').run(from, to)
}
