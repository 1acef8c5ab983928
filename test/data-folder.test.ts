import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { foundedMark } from '../src/store/founded.ts'
import { startAppliance, type TestAppliance } from './appliance.ts'

const root = mkdtempSync(join(tmpdir(), 'nightporter-folder-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** Data folders of two properties that were founded, and stopped in good order. */
const [here, there] = [join(root, 'here'), join(root, 'there')]
before(async () => {
  for (const data of [here, there]) await (await startAppliance({ data })).stop()
})

/** A copy of a founded folder, with something done to it. */
function folder(t: TestContext, change: (at: (name: string) => string) => void): string {
  const data = mkdtempSync(join(root, 'copy-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  cpSync(here, data, { recursive: true })
  change((name) => join(data, name))
  return data
}

async function started(t: TestContext, data: string, foundAnew = false): Promise<TestAppliance> {
  const house = await startAppliance({ data, foundAnew })
  t.after(() => house.stop())
  return house
}

const settingsId = async (house: TestAppliance): Promise<string> =>
  (await house.ask('GET', '/api/config/v1/settings')).body.data[0].id

/** Every file but the lock, which is of no consequence, with its bytes. */
const contents = (data: string) =>
  new Map(
    readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.lock$|-shm$|-wal$/.test(entry.name))
      .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name)).toString('base64')]),
  )

const refusedFolders: [what: string, change: (at: (name: string) => string) => void, message: RegExp][] = [
  [
    'has lost its database',
    (at) => unlinkSync(at('nightporter.db')),
    /nightporter\.db is missing, and .*secret\.key/,
  ],
  [
    'has an empty database',
    (at) => truncateSync(at('nightporter.db'), 0),
    /nightporter\.db is empty, and .*secret\.key/,
  ],
  [
    'has the database of nobody',
    (at) => {
      unlinkSync(at('nightporter.db'))
      const db = new Database(at('nightporter.db'))
      db.pragma('journal_mode = WAL')
      db.close()
    },
    /nightporter\.db holds no property/,
  ],
  ['has lost its key', (at) => unlinkSync(at('secret.key')), /secret\.key is missing.*same backup/],
  [
    'has lost its key, and its database is empty',
    (at) => {
      unlinkSync(at('secret.key'))
      truncateSync(at('nightporter.db'), 0)
    },
    /secret\.key is missing.*same backup/,
  ],
  [
    'has the key of another property',
    (at) => cpSync(join(there, 'secret.key'), at('secret.key')),
    /secret\.key is not the key of .*nightporter\.db/,
  ],
  [
    'has the unfinished key of another property',
    (at) => {
      unlinkSync(at('secret.key'))
      cpSync(join(there, 'secret.key'), at('secret.key.founding'))
    },
    /secret\.key\.founding is not the key of .*nightporter\.db/,
  ],
]

describe('a data folder', () => {
  for (const [what, change, message] of refusedFolders) {
    it(`that ${what} is refused with the remedy, and left unchanged`, async (t) => {
      const data = folder(t, change)
      const before = contents(data)
      for (let start = 0; start < 2; start++)
        await assert.rejects(startAppliance({ data }), (error: Error) => {
          assert.match(error.message, message)
          assert.match(error.message, /no file was changed\. .* --found-anew/)
          return true
        })
      assert.deepEqual(contents(data), before)
    })

    it(`that ${what} is set up anew with --found-anew, once, and keeps the old files`, async (t) => {
      const data = folder(t, change)
      const before = [...contents(data).values()]
      const house = await started(t, data, true)
      const id = await settingsId(house)
      const old = await startAppliance({ data: here })
      assert.notEqual(id, await settingsId(old))
      await old.stop()
      await house.restart()
      assert.equal(await settingsId(house), id)
      assert.match(house.appliance.notes.join('\n'), /--found-anew had no effect/)
      const now = new Set(contents(data).values())
      assert.deepEqual(
        before.filter((bytes) => !now.has(bytes) && !what.startsWith('has the unfinished')),
        [],
      )
    })
  }

  it('with a truncated database is refused as damaged, with any option', async (t) => {
    const data = folder(t, (at) => truncateSync(at('nightporter.db'), 8 * 1024))
    for (const foundAnew of [false, true])
      await assert.rejects(startAppliance({ data, foundAnew }), /is damaged .*newest backup/)
    assert.equal(existsSync(join(data, 'secret.key')), true)
  })
})

/** What a power cut can leave of a first start, at each of its steps. */
const cutShort: [what: string, change: (at: (name: string) => string) => void][] = [
  [
    'the beginning of a key',
    (at) => writeFileSync(at('secret.key.founding.new'), Buffer.alloc(3), { mode: 0o600 }),
  ],
  ['a key', (at) => cpSync(join(here, 'secret.key'), at('secret.key.founding'))],
  [
    'a key and an empty database',
    (at) => {
      cpSync(join(here, 'secret.key'), at('secret.key.founding'))
      writeFileSync(at('nightporter.db'), '')
    },
  ],
  [
    'a key and a database without tables',
    (at) => {
      cpSync(join(here, 'secret.key'), at('secret.key.founding'))
      const db = new Database(at('nightporter.db'))
      db.pragma('page_size = 1024')
      db.pragma('journal_mode = WAL')
      db.close()
    },
  ],
  [
    'a key and a database that was not founded',
    (at) => {
      cpSync(join(here, 'secret.key'), at('secret.key.founding'))
      cpSync(join(here, 'nightporter.db'), at('nightporter.db'))
      const db = new Database(at('nightporter.db'))
      db.pragma('foreign_keys = OFF')
      const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'")
      for (const name of tables.pluck().all()) if (name !== 'migration') db.exec(`DELETE FROM ${name}`)
      db.close()
    },
  ],
  [
    'a property, whose key says that it is not founded',
    (at) => {
      cpSync(here, at('.'), { recursive: true })
      renameSync(at('secret.key'), at('secret.key.founding'))
    },
  ],
]

describe('an interrupted first start', () => {
  for (const [what, change] of cutShort) {
    it(`that left ${what} is completed by the next one`, async (t) => {
      const data = mkdtempSync(join(root, 'cut-'))
      change((name) => join(data, name))
      const house = await started(t, data)
      const id = await settingsId(house)
      assert.equal((await house.ask('GET', '/api/v2/reservations?page[size]=100')).body.data.length, 12)
      assert.equal((await house.ask('GET', '/api/config/v1/pms-configurations')).body.data.length, 1)
      assert.deepEqual(
        readdirSync(data).filter((name) => name.startsWith('secret')),
        ['secret.key'],
      )
      await house.restart()
      assert.equal(await settingsId(house), id)
    })
  }

  it("records the key's fingerprint in the database once", async (t) => {
    const house = await started(t, join(root, 'fresh'))
    await house.restart()
    const db = new Database(join(house.data, 'nightporter.db'), { readonly: true })
    const marks = db.prepare('SELECT value FROM counter WHERE name LIKE ?').pluck()
    assert.deepEqual(marks.all(`${foundedMark('')}%`), [1])
    db.close()
  })
})
