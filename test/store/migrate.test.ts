import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { StoreRefused } from '../../src/store/connection.ts'
import { migrate, migrations } from '../../src/store/migrate.ts'

const version = (db: Database.Database) => db.pragma('user_version', { simple: true })
const first = { version: 1, sql: 'CREATE TABLE a (x INTEGER) STRICT' }
const second = { version: 2, sql: 'ALTER TABLE a ADD COLUMN y TEXT' }
const broken = { version: 2, sql: 'ALTER TABLE a ADD COLUMN y TEXT; INSERT INTO nowhere VALUES (1)' }

/** The SHA-256 of every migration. A new one adds its line; a line that stands here is never changed. */
const frozen: Record<string, string> = {
  '0001.sql': '4b6f4578ec0c6d87508a29dcd8d2e22dead90cc3f6a7e00afde161899801f1cf',
  '0002.sql': '5e043569f44a61143faf0a24dff3bb9975828ba6be0b1dc0da0a3035abb4e8cc',
  '0003.sql': 'c9c977a8becfe0b4a5152dcac3667beceb9b48bdd9e8a3f6f7bff00b30d84d52',
  '0004.sql': 'fdd502090695e642196c62eafbfb25b06ddc5ecd5095854ab8561b994693d765',
  '0005.sql': 'b9d96a207efddcf0f87f094be9a5dab88557296cc988026fe69ba1abc3fc11d8',
  '0006.sql': '2b951fe99d8b853fbf6651d9aac58e2ce22a76e90d5fdf94299a4242caf7a01e',
  '0007.sql': 'b6c1d29daaa43cc6779242ff4bbcbbf7667eedc638ab36ac1bc3ef459ab9da51',
  '0008-shadow.sql': 'e47da62c6ea76bba0f010692b468f1eb5c6d7218033b90044252ad815f554fb5',
  '0009-backup-targets.sql': '9e08196ad81f681a2ee667ad1d9231b9cd47fb061a70e975c8b31132aac5b786',
  '0010-intents.sql': '7fc39909ecff1324d2048eb40ed7c78792a0b00de0b990d3ca9a5ff200ccd010',
  '0011-facts.sql': '39cb5ff91efb2b09cc9fd3b9c71ff4a7dfe8c847c3f03165cb1cba9fddd3114a',
  '0012-setup-progress.sql': 'f36d9cceaaf193b28c006c9fca1bce7396b6ecb18bada22027a6058e5ce5817e',
  '0013-backup-schedule.sql': 'f98dd9b4246d78c84612aecc67998e193a783de1debb2314bbf463ca846b9dd2',
  '0014-opera-revisions.sql': '9b91b75d069213e5cc80d8d97e7fbb8c08e6b7d4b444c5b615067efdc8ce07f1',
  '0015-settled-by-hand.sql': 'd2e81e31b6b8de11cb72eae7f4012d56536e3ac71d403b2da1709326653b6b5c',
  '0016-reasons.sql': '4757a26e04fe6916e1f0c51602687e6eaf53157348bdaa4ad53c128393ccf5c8',
  '0017-terminal-requests.sql': '812433a45e6698832678426a2130495629e857243ad22fda7a174a23fec7c56b',
  '0018-shared-locks.sql': 'bdad03cfb70454c3244826db30b0d96a23a7f4ed784f8746f53b55decb604e96',
  '0019-key-doors.sql': '228d08f7cfd66778546ec46c00bf8ab1c3aaca79f36adc2a89608651714db69c',
  '0020-missing-payments.sql': '0846f4aff9603e9687f8b6fcb4b0ec14bf7728c524956ec9fe3f422c1dea2a34',
  '0021-webhook-makers.sql': '8bdf44277c1aeea9a0a8dfb7ae61b85b5039d273f5950c0695489cb9fb210711',
  '0022-rights-to-confirm.sql': '672597a3b343f9dd974602d686ed5479f598f305dc908bbc9f68406e9a13a14a',
  '0023-key-before-payment.sql': '409b7d65c456d72ffd8fa9c90aa9637d4abdbc17082587456a4b9daeac30e96b',
  '0024-share-id.sql': 'a3ffb94728ace7427f7beb1f0a7e74ec931f065effbabb48c7a38408c69850d6',
  '0025-webhook-expiry.sql': 'e9cdd1ca60149734d991d964fdc44f1522df8665cd26d12c82b1b0acd2e3df76',
  '0026-plain-numbers.sql': '89ba5c9ffb2a657534b4ef8835d31db0ce7f56fba39d2a96e4fa42c8a0e1a420',
  '0027-refund-of-payment.sql': 'e00ba2851c0be53368d343f43a864d6f2545e32aa2aed1258556c31518389585',
  '0028-help-calls.sql': '96434458d371c98cad3024f7a19764fc15769fec5964ab0cba443a853d89a3bd',
  '0029-refunds-of-payment.sql': '124d92588f5c8e1917f0b10809b346bda1139c652345ea39e145ffab99a48d71',
  '0030-kiosk-settings.sql': '0495e89a6ef8fb754513cea4981cdd62198f8472c1e23c48adfda8f98809481c',
  '0031-registrations.sql': '227133b54b9bc53c30f817e63b75f1d7c5538651d235336de23f151b32a928d8',
  '0032-end-at-lock.sql': 'fdc6974df89fa6caa9a731547c6be96979873ff89afa566e8a5ed76fce827b4f',
  '0033-out-of-order-and-fees.sql': '86e07ae152026d2dd81eaf06253e7761c923748269dcac124366402cb32e683e',
  '0034-doors-of-units.sql': '902a9f8ff27c625f75f7c55c5f7c5846508c324e2922357b7f96e16430c57eae',
  '0035-messages-to-a-phone.sql': '275457336b218e17574d662afcfdf21856fc9fa8d8b9b0580abf2ed76067d7d8',
}

/** 1 was released with 0.5.0, 2 and 3 with 0.6.0. */
const released = 3

describe('migrating', () => {
  it('numbers its steps from one without a gap', () => {
    assert.deepEqual(
      migrations().map((step) => step.version),
      migrations().map((_, index) => index + 1),
    )
    assert.ok(migrations().length > 0)
  })

  it('never changes a migration', () => {
    const folder = new URL('../../src/store/migrations/', import.meta.url)
    for (const name of readdirSync(folder)) {
      const sum = createHash('sha256')
        .update(readFileSync(new URL(name, folder)))
        .digest('hex')
      assert.ok(frozen[name], `${name} is new. Add its line to \`frozen\` in this test: '${name}': '${sum}'.`)
      assert.equal(
        sum,
        frozen[name],
        `${name} was changed. Data folders were made by it, and a start with another text is refused: leave it as it was, and put the change into a new migration.`,
      )
    }
    assert.deepEqual(
      readdirSync(folder).sort(),
      Object.keys(frozen),
      'a migration is never removed or renamed',
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
    const added = migrations().slice(released)
    const statements = added.flatMap(({ sql }) => sql.replaceAll(/^--.*/gm, '').split(/;$/m))
    const adds =
      /^\s*(CREATE (TABLE|UNIQUE INDEX|INDEX|VIRTUAL TABLE) |ALTER TABLE \w+ ADD COLUMN \w+ \w+\s*(REFERENCES .*|GENERATED ALWAYS AS .* VIRTUAL)?$|$)/
    // What is known of a PMS may be forgotten: it reports that again.
    const forgets = /^\s*(UPDATE sync_(record|offer|link) SET|DELETE FROM quarantined_message)\s/
    const kept = new Set(
      migrations()
        .slice(0, released)
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
