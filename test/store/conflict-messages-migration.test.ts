import assert from 'node:assert/strict'
import { it } from 'node:test'
import Database from 'better-sqlite3'
import { migrate, migrations } from '../../src/store/migrate.ts'

it('A conflict of a data folder of 0.6.0 keeps its sentence, and has no messages', () => {
  const db = new Database(':memory:')
  migrate(db, ':memory:', migrations().slice(0, 3))
  db.prepare(
    `INSERT INTO sync_conflict (id, createdAt, updatedAt, revision, configurationId, reservationId, fieldGroup, fields, counts, reason,
      sentence, state, detectedAt) VALUES (x'01', 1, 1, 1, 'c', 'r', 'units', '["units"]', 'Local', 'key-is-out', 'A key is out.', 'open', 1)`,
  ).run()
  migrate(db, ':memory:')
  assert.deepEqual(db.prepare('SELECT * FROM hand_over').all(), [])
  assert.deepEqual(db.prepare('SELECT * FROM terminal_payment').all(), [])
  const kept = db.prepare('SELECT sentence, messages FROM sync_conflict').all()
  assert.deepEqual(kept, [{ sentence: 'A key is out.', messages: null }])
})
