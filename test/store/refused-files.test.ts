import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { causeOfFailure } from '../../src/startup/cause-of-failure.ts'
import { openReader, StoreRefused } from '../../src/store/connection.ts'
import { troubleOfUnused } from '../../src/store/disk/damage.ts'
import { migrate } from '../../src/store/migrate.ts'
import { OpenWriter } from '../../src/store/writer/writer.ts'
import { program as entry } from '../program.ts'
import { testClock } from '../test-clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'nightporter-refused-'))
after(() => rmSync(folder, { recursive: true }))

let data: string
let path: string
let number = 0
beforeEach(() => {
  data = join(folder, String(++number))
  mkdirSync(data)
  path = join(data, 'nightporter.db')
})

/** What the appliance says of the file when it starts on it. */
async function refusal(): Promise<string> {
  const lost = Promise.withResolvers<Error>()
  const writer = new OpenWriter({ path, entry, clock: testClock(), lost: lost.resolve })
  const [started, ready] = await Promise.allSettled([writer.migrated, writer.ready])
  await writer.close()
  assert.equal(ready.status, 'rejected')
  if (started.status === 'rejected') assert.equal(started.reason, ready.reason)
  assert.equal(await lost.promise, ready.reason)
  const cause = await causeOfFailure(ready.reason, data, troubleOfUnused)
  assert.ok(cause instanceof StoreRefused, String(cause))
  return cause.message
}

function filled(): void {
  const db = new Database(path)
  db.pragma('page_size = 1024')
  migrate(db, path)
  const insert = db.prepare(
    "INSERT INTO journal (at, type, subject, data, actor) VALUES (1, 'a', 'b', ?, 'c')",
  )
  db.transaction(() => {
    for (let row = 0; row < 200; row++) insert.run('x'.repeat(500))
  })()
  db.close()
}

describe('a start', () => {
  it('is refused by a file that is not a database, with what to do', async () => {
    writeFileSync(path, 'This is a letter to the manager. '.repeat(100))
    const message = await refusal()
    assert.ok(message.startsWith(`${path} is damaged (`), message)
    // What loses data comes last, and what it loses is said.
    assert.match(message, /no file was changed.* Last, stop the appliance, restore .* is lost then\.$/)
  })

  it('is refused by a database with damaged pages, with what to do', async () => {
    filled()
    const file = openSync(path, 'r+')
    const db = new Database(path, { readonly: true })
    const pages = db.pragma('page_count', { simple: true }) as number
    db.close()
    for (let page = 60; page < pages; page += 7)
      writeSync(file, Buffer.alloc(1024, 0xa5), 0, 1024, page * 1024)
    const message = await refusal()
    assert.ok(message.startsWith(`${path} is damaged (`), message)
  })

  it('is refused for another reason than damage while the database is intact', async () => {
    filled()
    const error = new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT')
    assert.equal(await causeOfFailure(error, data, troubleOfUnused), error)
  })

  it('is refused by the database of a newer program, with what to do', async () => {
    filled()
    const db = new Database(path)
    db.pragma('user_version = 9999')
    db.close()
    const message = await refusal()
    assert.match(
      message,
      /has version 9999, and this program knows versions up to \d+\. Install the newer nightporter/,
    )
  })

  it('is refused by a path that is not a file, with the reason', async () => {
    mkdirSync(path)
    assert.match(await refusal(), /cannot be opened/)
  })
})

describe('a reading connection', () => {
  it('cannot write', () => {
    filled()
    const db = openReader(path)
    assert.throws(() => db.exec('DELETE FROM journal'), /readonly|query_only|attempt to write/)
    db.close()
  })

  it('needs a file', () => {
    assert.throws(() => openReader(path), StoreRefused)
  })
})
