import { randomUUID } from 'node:crypto'
import Database from 'better-sqlite3'
import { monday } from '../../appliance.ts'

/** Puts a conflict about the comment of a stay into the store of a house, in which what is there counts; its id. */
export function keptConflict(
  data: string,
  of: { configurationId: string; reservationId: string; stayId: string },
  state: 'open' | 'settled' = 'open',
): string {
  const id = randomUUID()
  const at = `/stays/${of.stayId}/comment`
  const db = new Database(`${data}/nightporter.db`)
  const comment = db.prepare('SELECT comment FROM stay WHERE id = ?').pluck().get(bytesOf(of.stayId)) as
    | string
    | null
  const row = {
    ...of,
    state,
    // What is old goes by itself.
    now: monday,
    id: bytesOf(id),
    base: JSON.stringify({ [at]: null }),
    local: JSON.stringify({ [at]: 'Here.' }),
    upstream: JSON.stringify({ [at]: comment }),
  }
  db.prepare(
    `INSERT INTO sync_conflict (rid, id, createdAt, updatedAt, revision, configurationId, reservationId, stayId,
       fieldGroup, fields, base, local, upstream, counts, reason, sentence, state, detectedAt)
     SELECT coalesce(max(rid), 0) + 1, @id, @now, @now, 1, @configurationId, @reservationId, @stayId, 'comments', '["comment"]',
       @base, @local, @upstream, 'Pms', 'both-changed', 'The PMS changed the comment.', @state, @now FROM sync_conflict`,
  ).run(row)
  db.close()
  return id
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}
