import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '../../../src/composition/api.ts'
import type { Connection } from '../../../src/store/connection.ts'
import { firstOf, trigramsOf } from '../../../src/store/query/search-index.ts'
import { book, type Library, library } from '../library.ts'

/** Row numbers that the index itself has for a text of a field. */
function found(db: Connection, number: number, text: string): number[] {
  const [first, end] = [firstOf(number), firstOf(number + 1)]
  const sql = `SELECT rowid - ${first} FROM search WHERE search MATCH ? AND rowid > ${first} AND rowid < ${end}`
  return db.prepare(sql).pluck().all(trigramsOf(text)) as number[]
}

describe('the search index', () => {
  let shelf: Library
  before(() => {
    shelf = library()
  })
  after(() => shelf.close())

  const like = (path: string, value: string) =>
    shelf.reader.rows(book, {
      filters: [{ path, operator: 'like', value }],
      sort: [],
      page: { size: 10 },
    }).length
  const inIndex = (number: number, text: string) => found(shelf.db, number, text).length
  const pending = () => shelf.db.prepare('SELECT count(*) FROM search_pending').pluck().get()

  for (const isSettled of [false, true]) {
    it(`has the current texts of rows, items and parts, ${isSettled ? '' : 'not '}settled`, () => {
      const settle = () => isSettled && shelf.settle()
      const given = {
        title: 'Die BLECHTROMMEL',
        published: '1959-09-01',
        prizes: [
          { name: 'Nobel', year: 1999 },
          { name: 'Büchner', year: 1965 },
        ],
        authors: [{ name: 'Grass' }],
      }
      const { id } = shelf.write((tx) => tx.insert(book, given))
      settle()
      assert.deepEqual([inIndex(101, 'trommel'), pending()], isSettled ? [1, 0] : [0, 3])
      const all = () => ['trommel', 'butt'].map((title) => like('title', title))
      assert.deepEqual(
        [...all(), like('prizes.name', 'BÜCHNER'), like('authors.name', 'grass')],
        [1, 0, 1, 1],
      )
      shelf.write((tx) => tx.patch(book, id, { title: 'Der Butt', prizes: given.prizes.slice(0, 1) }))
      settle()
      assert.deepEqual([...all(), like('prizes.name', 'büchner'), like('prizes.name', 'nobel')], [0, 1, 0, 1])
      if (isSettled) assert.equal(inIndex(101, 'trommel'), 0)
      shelf.write((tx) => tx.remove(book, id))
      assert.deepEqual([like('title', 'butt'), like('authors.name', 'grass')], [0, 0])
      shelf.settle()
      assert.deepEqual(
        [inIndex(101, 'butt'), inIndex(102, 'nobel'), inIndex(103, 'grass'), pending()],
        [0, 0, 0, 0],
      )
    })
  }

  for (const [first, ...others] of [
    ['Katz und Maus', 'Aus dem Tagebuch', 'Örtlich betäubt'],
    ['Katz und Maus', 'Aus dem Tagebuch', 'Katz und Maus'],
    ['Katz und Maus', 'XY', 'Die Rättin'],
  ] as const) {
    const titles = [first, ...others]
    it(`has the last title of a row: ${titles.join(', ')}`, () => {
      const words = [...new Set(titles)]
      const inIt = () => words.map((title) => (trigramsOf(title) ? inIndex(101, title) : 0))
      const { id } = shelf.write((tx) => tx.insert(book, { title: first, published: '1961-01-01' }))
      shelf.settle()
      for (const title of others) shelf.write((tx) => tx.patch(book, id, { title }))
      assert.deepEqual(
        words.map((title) => like('title', title)),
        words.map((title) => (title === titles.at(-1) ? 1 : 0)),
      )
      shelf.settle()
      assert.deepEqual(
        inIt(),
        words.map((title) => (title === titles.at(-1) ? 1 : 0)),
      )
      shelf.write((tx) => tx.remove(book, id))
      const again = shelf.write((tx) => tx.insert(book, { title: first, published: '1961-01-01' }))
      shelf.write((tx) => tx.remove(book, again.id))
      shelf.settle()
      assert.deepEqual([inIt(), pending()], [words.map(() => 0), 0])
    })
  }

  it('has nothing of a command that failed', () => {
    const fails = () =>
      shelf.write((tx) => {
        tx.insert(book, { title: 'Hundejahre', published: '1963-01-01' })
        throw new RangeError('no')
      })
    assert.throws(fails, RangeError)
    shelf.settle()
    assert.equal(inIndex(101, 'hundejahre'), 0)
  })

  it('continues when more is to be removed than it contains', () => {
    const own = library()
    const gone = own.db.prepare('INSERT INTO search_pending (place, text, gone) VALUES (?, ?, 1)')
    for (let at = 0; at < 5; at++)
      gone.run(firstOf(101) + 1_000 + at, 'a title that was never in the index '.repeat(9))
    own.write((tx) => tx.insert(book, { title: 'Ein weites Feld', published: '1995-01-01' }))
    own.settle()
    assert.deepEqual([found(own.db, 101, 'weites').length, found(own.db, 101, 'never in')], [1, []])
    own.close()
  })

  it('is updated before too many texts wait for it', () => {
    const length = 200
    shelf.write((tx) => {
      for (let at = 0; at < 410; at++)
        tx.insert(book, { title: `Volume ${at} `.padEnd(length, '.'), published: '1970-01-01' })
    })
    assert.equal(inIndex(101, 'volume'), 2 * (40_000 / length))
    assert.equal(pending(), 10)
    assert.equal(like('title', 'volume 205'), 1)
  })

  it('is updated again when the command that updated it was rolled back', () => {
    let made = 0
    const insert = (titles: number, word: string, fails = false) =>
      shelf.write((tx) => {
        for (let at = 0; at < titles; at++)
          tx.insert(book, { title: `${word} ${made++} `.padEnd(200, '.'), published: '1971-01-01' })
        if (fails) throw new RangeError('no')
      })
    shelf.settle()
    insert(190, 'tome')
    assert.throws(() => insert(30, 'draft', true), RangeError)
    assert.deepEqual([pending(), inIndex(101, 'tome')], [190, 0])
    insert(20, 'tome')
    assert.deepEqual([pending(), inIndex(101, 'tome')], [10, 200])
  })

  it('searches for trigrams, some from all over a long text, and for none in a text that is too short', () => {
    assert.equal(trigramsOf('Ön'), null)
    assert.equal(trigramsOf('😀Lo'), '"😀lo"')
    assert.equal(trigramsOf('a"BC'), '"a""b" AND """bc"')
    assert.equal(trigramsOf('abcdefghijklmno'), '"abc" AND "def" AND "fgh" AND "ijk" AND "klm" AND "mno"')
    assert.equal(trigramsOf('aaaaaa'), '"aaa"')
    assert.equal(trigramsOf('ab\0cde'), '"cde"')
  })
})

describe('the fields that are searched', () => {
  it('have a number each', () => {
    const numbers = [...resources.values()].flatMap(({ fields }) =>
      Object.values(fields).flatMap(({ options, members = {} }) => [
        options.search ?? [],
        Object.values(members).flatMap((member) => member.options.search ?? []),
      ]),
    )
    const all = numbers.flat()
    assert.equal(new Set(all).size, all.length)
    assert.equal(all.length, 13)
  })
})
