import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { StoreRefused } from '../../src/store/connection.ts'
import { migrate, migrations } from '../../src/store/migrate.ts'

const version = (db: Database.Database) => db.pragma('user_version', { simple: true })
const first = { version: 1, sql: 'CREATE TABLE a (x INTEGER) STRICT' }
const second = { version: 2, sql: 'ALTER TABLE a ADD COLUMN y TEXT' }
const broken = { version: 2, sql: 'ALTER TABLE a ADD COLUMN y TEXT; INSERT INTO nowhere VALUES (1)' }

describe('migrating', () => {
  it('numbers its steps from one without a gap', () => {
    assert.deepEqual(
      migrations().map((step) => step.version),
      migrations().map((_, index) => index + 1),
    )
    assert.ok(migrations().length > 0)
  })

  /** Add each release's migrations here; a line that stands here is never changed. 1 was released with 0.5.0, 2 and 3 with 0.6.0. */
  const released = [
    '4b6f4578ec0c6d87508a29dcd8d2e22dead90cc3f6a7e00afde161899801f1cf',
    '5e043569f44a61143faf0a24dff3bb9975828ba6be0b1dc0da0a3035abb4e8cc',
    'c9c977a8becfe0b4a5152dcac3667beceb9b48bdd9e8a3f6f7bff00b30d84d52',
  ]

  it('never changes a released migration', () => {
    const sums = migrations().map(({ sql }) => createHash('sha256').update(sql).digest('hex'))
    for (const [index, sum] of released.entries())
      assert.equal(
        sums[index],
        sum,
        `000${index + 1}.sql was released, and data folders were made by it: leave it as it was, and add 000${migrations().length + 1}.sql instead. Its SHA-256 is ${sums[index]} now.`,
      )
  })

  it('runs each missing step once', () => {
    const db = new Database(':memory:')
    migrate(db, 'x', [first])
    db.exec('INSERT INTO a VALUES (7)')
    migrate(db, 'x', [first, second])
    migrate(db, 'x', [first, second])
    assert.deepEqual(db.prepare('SELECT * FROM a').all(), [{ x: 7, y: null }])
    assert.equal(version(db), 2)
  })

  it('runs a step in one transaction', () => {
    const db = new Database(':memory:')
    migrate(db, 'x', [first])
    assert.throws(() => migrate(db, 'x', [first, broken]), /nowhere/)
    assert.equal(version(db), 1)
    migrate(db, 'x', [first, second])
    assert.equal(version(db), 2)
  })

  it('stores the checksum of each step, and refuses a database made by a step with another text', () => {
    const db = new Database(':memory:')
    migrate(db, 'x', [first])
    const before = db.serialize()
    const edited = { version: 1, sql: `${first.sql}; -- and a word more` }
    assert.throws(
      () => migrate(db, '/data/nightporter.db', [edited, second]),
      refusal(/another migration 1 /),
    )
    assert.deepEqual(db.serialize(), before)
    migrate(db, 'x', [first, second])
    assert.equal(db.prepare('SELECT count(DISTINCT sha256) FROM migration').pluck().get(), 2)
  })

  it('refuses a database of a newer program, and says what to do', () => {
    const db = new Database(':memory:')
    migrate(db, 'x', [first])
    db.pragma('user_version = 9')
    assert.throws(
      () => migrate(db, '/data/nightporter.db', [first]),
      refusal(
        /^\/data\/nightporter\.db has version 9, and this program knows versions up to 1\. Install the newer nightporter again, or restore a backup from before the update with "nightporter restore"\.$/,
      ),
    )
    assert.equal(version(db), 9)
  })

  it('refuses a database that does not say how it was made', () => {
    const db = new Database(':memory:')
    db.pragma('user_version = 14')
    assert.throws(() => migrate(db, '/data/nightporter.db', [first]), refusal(/does not say how it was made/))
  })

  it('needs no SQL function of the program, because these may change', () => {
    const db = new Database(':memory:')
    migrate(db, 'x')
    assert.equal(db.prepare('SELECT count(*) FROM migration').pluck().get(), migrations().length)
  })

  it('leaves a version that the release before opens, and does not repeat its steps after it', () => {
    const db = new Database(':memory:')
    migrate(db, 'x', [first])
    migrate(db, 'x', [first, second], undefined, 1)
    assert.equal(version(db), 1)
    migrate(db, 'x', [first])
    db.exec('INSERT INTO a (x) VALUES (7)')
    migrate(db, 'x', [first, second], () => assert.fail('it was migrated already'), 1)
    assert.deepEqual(db.prepare('SELECT * FROM a').all(), [{ x: 7, y: null }])
  })

  it('only adds what the release before leaves alone', () => {
    const added = migrations().slice(released.length)
    const statements = added.flatMap(({ sql }) => sql.replaceAll(/--.*/g, '').split(';'))
    const adds =
      /^\s*(CREATE (TABLE|UNIQUE INDEX|INDEX|VIRTUAL TABLE) |ALTER TABLE \w+ ADD COLUMN \w+ \w+\s*(REFERENCES .*)?$|$)/
    // What is known of a PMS may be forgotten: it reports that again.
    const forgets = /^\s*(UPDATE sync_(record|offer|link) SET|DELETE FROM quarantined_message)\s/
    const kept = new Set(
      migrations()
        .slice(0, released.length)
        .flatMap(({ sql }) => [...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name)),
    )
    for (const statement of statements.filter((each) => !forgets.test(each))) {
      assert.match(statement, adds)
      const [, table] = /CREATE UNIQUE INDEX \w+ ON (\w+)/.exec(statement) ?? []
      assert.ok(!kept.has(table), `${table}: the release before may write rows that this index refuses`)
    }
  })
})

function refusal(message: RegExp) {
  return (error: unknown) => error instanceof StoreRefused && message.test(error.message)
}
