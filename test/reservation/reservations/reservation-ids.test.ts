import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import {
  plainForm,
  plainFormSql,
  reservationIds,
  searchForm,
} from '../../../src/reservation/values/reservation-ids.ts'
import fc from '../../seed.ts'
import { refusal } from '../refusal.ts'

describe('Confirmation numbers', () => {
  it('are at most one of a type', () => {
    const ids = [
      { type: 'Master', value: '1' },
      { type: 'Confirmation', value: '1', source: null },
    ] as const
    assert.deepEqual(reservationIds(ids), [
      { type: 'Master', value: '1', searchForm: '1' },
      { type: 'Confirmation', value: '1', searchForm: '1' },
    ])
    assert.throws(
      () => reservationIds([...ids, { type: 'Master', value: '2' }]),
      refusal('reservation-id-duplicate-type', '/reservationIds/2/type', { type: 'Master' }),
    )
  })

  it('are searched whatever their case and spaces', () => {
    assert.equal(searchForm(' ab 12-cd\t3 '), 'AB12-CD3')
    assert.equal(searchForm('AB12-cd3'), searchForm('ab 12-CD 3'))
  })
})

describe('The plain form of a number', () => {
  const db = new Database(':memory:')
  after(() => db.close())
  const inSql = db.prepare(`SELECT ${plainFormSql} FROM (SELECT ? AS searchForm)`).pluck()

  it('is in SQL what it is in the program, for whatever is stored', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (value) => {
        assert.equal(inSql.get(searchForm(value)), plainForm(value) || null)
      }),
    )
  })

  it('is that of the release before too, which has stored letters with other signs', () => {
    const before = (value: string) =>
      value.normalize('NFKC').replace(/\s/g, '').toUpperCase().normalize('NFKC')
    for (const value of [
      'np-1002',
      '2027/0117',
      'AB1CD_012345',
      'xy‑77',
      "o'neil 1",
      'A–B—C−D',
      '(12)[3]*4|5',
      'ß-1',
      'N°88',
      'No.„12“',
      ...Array.from(' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', (sign) => `A${sign}1`),
    ])
      assert.equal(inSql.get(before(value)), plainForm(value), value)
  })
})
