import { randomUUID } from 'node:crypto'
import Database from 'better-sqlite3'

/** Puts a conflict about the comment of a stay into the store of a house; its id. */
export function keptConflict(
  data: string,
  of: { configurationId: string; reservationId: string; stayId: string },
  state: 'open' | 'settled' = 'open',
): string {
  const id = randomUUID()
  const at = `/stays/${of.stayId}/comment`
  const row = {
    ...of,
    state,
    id: Buffer.from(id.replaceAll('-', ''), 'hex'),
    base: JSON.stringify({ [at]: null }),
    local: JSON.stringify({ [at]: 'Here.' }),
    upstream: JSON.stringify({ [at]: 'There.' }),
  }
  const db = new Database(`${data}/nightporter.db`)
  db.prepare(
    `INSERT INTO sync_conflict (rid, id, createdAt, updatedAt, revision, configurationId, reservationId, stayId,
       fieldGroup, fields, base, local, upstream, counts, reason, sentence, state, detectedAt)
     SELECT coalesce(max(rid), 0) + 1, @id, 0, 0, 1, @configurationId, @reservationId, @stayId, 'comments', '["comment"]',
       @base, @local, @upstream, 'Pms', 'both-changed', 'The PMS changed the comment.', @state, 0 FROM sync_conflict`,
  ).run(row)
  db.close()
  return id
}
