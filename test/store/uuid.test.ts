import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { uuidText } from '../../src/resource/uuid-sql.ts'
import { toBlob, toText, uuids } from '../../src/store/uuid.ts'
import fc from '../seed.ts'

const start = Date.UTC(2026, 5, 1)

describe('a new id', () => {
  it('is a UUID of version 7 with the time of its creation', () => {
    const id = uuids()(start)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), start)
  })

  it('comes after those made before it, within a millisecond too', () => {
    const next = uuids()
    const made = Array.from({ length: 9000 }, (_, index) => next(start + Math.floor(index / 3000)))
    assert.deepEqual(made, made.toSorted())
    assert.equal(new Set(made).size, made.length)
  })

  it('differs when the clock goes back', () => {
    const next = uuids()
    const made = [start, start - 1, start, start - 1].map(next)
    assert.equal(new Set(made).size, 4)
  })
})

describe('the bytes of an id', () => {
  it('convert back to its text, in JavaScript and in SQL', () => {
    const db = new Database(':memory:')
    const inSql = db.prepare(`SELECT ${uuidText('id')} FROM (SELECT ? AS id)`).pluck()
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        assert.equal(toText(toBlob(id)), id)
        assert.equal(inSql.get(toBlob(id)), id)
        assert.deepEqual(toBlob(id.toUpperCase()), toBlob(id))
      }),
    )
  })
})
