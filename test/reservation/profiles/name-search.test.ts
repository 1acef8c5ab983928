import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { nameSearch } from '../../../src/reservation/values/name-search.ts'
import { normalizedName } from '../../../src/reservation/values/normalized-name.ts'
import fc from '../../seed.ts'

const parts: [typed: string, parts: (string | string[])[]][] = [
  ['Novak Tomas', ['novak', 'tomas']],
  ['Novák, Tomáš', ['novak', 'tomas']],
  ['jan de vries', ['jan', 'devries']],
  ["O'Brien", ['obrien']],
  ['Schmidt A', ['schmidta']],
  ['Wu Li', ['wuli']],
  ['Li', ['li']],
  ['Müller', [['muller', 'mueller']]],
  ['mueller, Jo', [['muellerjo', 'mullerjo']]],
  ['a b c d e f g h i', ['abc', 'def', 'ghi']],
  ['one two three four five six seven eight', ['one', 'two', 'three', 'four', 'five', 'sixseveneight']],
  ['王', ['王']],
  ['Li 王 伟明', ['li', '王', '伟明']],
  [' - ', []],
  ['!? …', []],
]

const textsOf = (typed: string) => nameSearch.parts(typed).map(({ texts }) => texts)

describe('What somebody types for a name', () => {
  const db = new Database(':memory:')
  after(() => db.close())

  for (const [typed, expected] of parts) {
    it(`has the parts that a name must contain: ${typed}`, () =>
      assert.deepEqual(
        textsOf(typed),
        expected.map((each) => [each].flat()),
      ))
  }

  it('has at most six parts, however long it is', () => {
    assert.equal(nameSearch.parts('abc '.repeat(2_000)).length, 6)
    assert.equal(nameSearch.parts('王 '.repeat(2_000)).length, 6)
    assert.equal(textsOf('ue'.repeat(50))[0]!.length, 16)
  })

  it('is compared in SQL as in the index, and each name is found by itself, in either order', () => {
    const inSql = db.prepare(`SELECT ${nameSearch.sql('name')} FROM (SELECT ? AS name)`).pluck()
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (first, last) => {
        const name = normalizedName(first, last)
        const text = nameSearch.text(name)
        assert.equal(inSql.get(name), text)
        for (const typed of [`${first} ${last}`, `${last} ${first}`, `${last}${first}`])
          for (const { texts, isAsWritten } of nameSearch.parts(typed))
            if (!isAsWritten) assert.ok(text.includes(texts[0]!), `${texts[0]} in ${text}`)
      }),
    )
  })
})
