import type { statements } from './statements.ts'

type Prepare = ReturnType<typeof statements>

/** Adds one to a named counter and returns it: one more than `floor` is, where that is larger. */
export function nextOf(prepare: Prepare, counter: string, floor: string = counter): number {
  const sql = `INSERT INTO counter (name, value)
    VALUES (?, 1 + coalesce((SELECT value FROM counter WHERE name = ?), 0))
    ON CONFLICT (name) DO UPDATE SET value = max(value + 1, excluded.value) RETURNING value`
  return prepare(sql).pluck().get(counter, floor) as number
}

/** Adds to a named counter and returns it; a counter is 0 before its first time. */
export function addTo(prepare: Prepare, counter: string, by: number): number {
  const sql = `INSERT INTO counter (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value`
  return prepare(sql).pluck().get(counter, by) as number
}

/** Forgets the counters whose names lie between two, both included. */
export function forgetCounters(prepare: Prepare, from: string, to: string): void {
  prepare('DELETE FROM counter WHERE name BETWEEN ? AND ?').run(from, to)
}
