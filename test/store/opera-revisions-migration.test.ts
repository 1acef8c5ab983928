import assert from 'node:assert/strict'
import { it } from 'node:test'
import Database from 'better-sqlite3'
import { migrate, migrations } from '../../src/store/migrate.ts'

it('The revisions of reservations of OPERA are unknown after the migration, and those of another PMS are kept', () => {
  const db = new Database(':memory:')
  migrate(db, ':memory:', migrations().slice(0, 13))
  const cursor = JSON.stringify({
    v: 1,
    seen: 9,
    near: 9,
    all: 9,
    allAt: 9,
    reported: 'abcdefgh',
    stream: '7',
    at: null,
  })
  for (const [rid, adapter] of ['opera', 'mews', 'opera'].entries()) {
    const id = `00000000-0000-4000-8000-00000000000${rid}`
    const bytes = `unhex(replace('${id}', '-', ''))`
    const row = `${rid + 1}, ${bytes}, 1, 1, 1`
    const fixed = 'rid, id, createdAt, updatedAt, revision'
    db.exec(`INSERT INTO pms_configuration (${fixed}, name, adapter, transport, enabled)
      VALUES (${row}, '${adapter} ${rid}', '${adapter}', 'http', 1)`)
    db.exec(`INSERT INTO sync_record (${fixed}, integrationId, reservationId, externalId, upstreamRevision, digest, state)
      VALUES (${row}, '${id}', 'r${rid}', 'e', 9, 'd', 'Synced')`)
    db.exec(`INSERT INTO sync_offer (${fixed}, configurationId, reservationId, marks, since, offer, attempts, notBefore)
      VALUES (${row}, ${rid + 1}, 'r${rid}', 1, 1, '{"id":"o","baseRevision":9}', 0, 0)`)
    db.exec(`INSERT INTO quarantined_message (${fixed}, configurationId, kind, reason, payload, size, digest)
      VALUES (${row}, ${rid + 1}, 'Reservation', 'r', 'p', 1, 'd')`)
    // The second property of OPERA is in its first round.
    const place = rid === 2 ? cursor.replace('"all":9', '"all":null') : cursor
    db.exec(`INSERT INTO sync_link (${fixed}, configurationId, pullCursor, tailedTo, publishedTo)
      VALUES (${row}, ${rid + 1}, '${place}', 0, 0)`)
  }
  migrate(db, ':memory:')
  const all = (sql: string) => db.prepare(sql).pluck().all()
  assert.deepEqual(all('SELECT upstreamRevision FROM sync_record ORDER BY rid'), [null, 9, null])
  assert.deepEqual(all(`SELECT offer ->> '$.baseRevision' FROM sync_offer ORDER BY rid`), [null, 9, null])
  assert.deepEqual(all('SELECT configurationId FROM quarantined_message'), [2])
  const [ours, other, first] = all('SELECT pullCursor FROM sync_link ORDER BY rid')
  const anew = { v: 1, seen: 0, near: 0, all: 0, allAt: 0, reported: '', stream: '7', at: null }
  assert.deepEqual(JSON.parse(String(ours)), anew)
  assert.deepEqual([other, first], [cursor, null])
})
