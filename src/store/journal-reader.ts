import type { JournalLine } from '../resource/keeper.ts'
import type { Prepare } from './statements.ts'

/** Reads the lines that commands have added to the journal. */
export function journalReader(prepare: Prepare) {
  const columns = 'sequence, at, type, subject, data, actor, requestId'
  const reading = (condition: string) => (sequence: number, limit: number) => {
    const sql = `SELECT ${columns} FROM journal WHERE ${condition} LIMIT ?`
    const rows = prepare(sql).all(sequence, limit) as (Omit<JournalLine, 'data'> & { data: string })[]
    return rows.map((row): JournalLine => ({ ...row, data: JSON.parse(row.data) }))
  }
  return {
    journal: reading('sequence > ? ORDER BY sequence'),
    journalBefore: reading('sequence < ? ORDER BY sequence DESC'),
  }
}
