import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { instantText } from '../../../src/resource/instant-sql.ts'
import { filled, slot } from '../../../src/store/query/template.ts'

const db = new Database(':memory:')
const text = fc.string({ unit: 'grapheme' })

describe('a filled template', () => {
  it('is its text with the values of its expressions', () => {
    fc.assert(
      fc.property(text, fc.option(fc.oneof(text, fc.integer())), (name, value) => {
        const template = `{${JSON.stringify(name)}:${slot('json_quote(value)')},"again":${slot('json_quote(value)')}}`
        const row = db
          .prepare(`SELECT ${filled(template)} FROM (SELECT ? AS value)`)
          .pluck()
          .get(value)
        assert.deepEqual(JSON.parse(String(row)), JSON.parse(JSON.stringify({ [name]: value, again: value })))
      }),
    )
  })
})

describe('the text of an instant', () => {
  it('is the same in SQL and in JavaScript', () => {
    const inSql = db.prepare(`SELECT ${instantText('at')} FROM (SELECT ? AS at)`).pluck()
    const instants = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) })
    fc.assert(fc.property(instants, (at) => assert.equal(inSql.get(at), new Date(at).toISOString())))
    assert.equal(inSql.get(null), null)
  })
})
