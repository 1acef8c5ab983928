import type { JournalLine } from '../../resource/keeper.ts'
import type { statements } from '../statements.ts'

/** Returns at most `limit` journal lines after the sequence number `after`, oldest first. */
export function journal(prepare: ReturnType<typeof statements>, after: number, limit: number): JournalLine[] {
  const sql = `SELECT sequence, at, type, subject, data, actor, requestId FROM journal
    WHERE sequence > ? ORDER BY sequence LIMIT ?`
  const rows = prepare(sql).all(after, limit) as (Omit<JournalLine, 'data'> & { data: string })[]
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as JournalLine['data'] }))
}
