import Database from 'better-sqlite3'
import { monday } from '../../appliance.ts'
import { nextUuid } from '../../uuid.ts'

/** Puts a message into the quarantine of a house; its id. */
export function keptMessage(data: string, configurationId: string): string {
  const id = nextUuid()
  const blob = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')
  const db = new Database(`${data}/nightporter.db`)
  db.prepare(
    `INSERT INTO quarantined_message (rid, id, createdAt, updatedAt, revision, configurationId, kind, reason, payload, size,
       retryable, attempts, digest)
     SELECT coalesce(max(rid), 0) + 1, @id, @now, @now, 1, (SELECT rid FROM pms_configuration WHERE id = @configurationId),
       'Unreadable', 'It cannot be understood.', '?', 1, 0, 1, @digest FROM quarantined_message`,
  ).run({ id: blob(id), configurationId: blob(configurationId), digest: id, now: monday })
  db.close()
  return id
}
