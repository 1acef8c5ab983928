import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { instantText } from '../../../src/resource/instant-sql.ts'
import { filled, idText, slot, withHyphens } from '../../../src/store/rows/template.ts'
import { toBlob } from '../../../src/store/uuid.ts'
import fc from '../../seed.ts'

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

describe('an id in a template', () => {
  it('is its text, wherever it stands', () => {
    const template = `{"id":"${idText('id')}","text":${slot('json_quote(value)')},"again":["${idText('id')}"]}`
    const row = db.prepare(`SELECT ${filled(template)} FROM (SELECT ? AS id, ? AS value)`).pluck()
    const anyText = fc.oneof(text, fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(fc.uuid(), anyText, (id, value) => {
        const shown = JSON.parse(withHyphens(row.get(toBlob(id), value) as string))
        assert.deepEqual(shown, { id, text: value.toWellFormed(), again: [id] })
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
