import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { addFunctions } from '../../src/store/connection.ts'
import { migrate, migrations } from '../../src/store/migrate.ts'
import { firstOf, searchIndex, trigramsOf } from '../../src/store/query/search-index.ts'
import { statements } from '../../src/store/statements.ts'

const names = ['TOMAS NOVAK', 'JAN DE VRIES', "SINEAD O'BRIEN", '', null, 'LI']
const indexed = new Set([0, 2])

describe('A data folder from before names were found in any order', () => {
  const db = new Database(':memory:')
  const prepare = statements(db)
  const found = (number: number, text: string) =>
    prepare(`SELECT rowid - ${firstOf(number)} FROM search WHERE search MATCH ? AND rowid > ? AND rowid < ?`)
      .pluck()
      .all(trigramsOf(text), firstOf(number), firstOf(number + 1))

  before(() => {
    addFunctions(db)
    migrate(db, ':memory:', migrations().slice(0, 2))
    const insert = db.prepare(
      `INSERT INTO profile (rid, id, createdAt, updatedAt, revision, firstName, lastName, normalizedName)
       VALUES (?, randomblob(16), 1, 1, 1, 'A', 'B', ?)`,
    )
    for (const [at, name] of names.entries()) {
      insert.run(at + 1, name)
      if ((name ?? '').length < 3) continue
      const text = name!.toLowerCase()
      const table = indexed.has(at) ? 'search (rowid, text)' : 'search_pending (place, text)'
      db.prepare(`INSERT INTO ${table} VALUES (?, ?)`).run(firstOf(6) + at + 1, text)
    }
    migrate(db, ':memory:')
  })
  after(() => db.close())

  it('finds everybody by the new text', () => {
    assert.deepEqual(
      ['novak', 'devries', 'obrien', 'lili', 'novaktomas'].map((text) => found(14, text)),
      [[1], [2], [3], [6], [1]],
    )
  })

  it('forgets the old texts with the next ones that are indexed', () => {
    assert.deepEqual(found(6, 'novak'), [1])
    searchIndex(prepare).settle()
    const left = ['novak', 'vries', 'brien'].map((text) => found(6, text))
    assert.deepEqual(left, [[], [], []])
    assert.equal(db.prepare('SELECT count(*) FROM search_pending').pluck().get(), 0)
    assert.deepEqual(found(14, 'devries'), [2])
  })
})
