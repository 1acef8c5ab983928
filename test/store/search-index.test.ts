import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { resources, shapeOf } from '../../src/api.ts'
import { profile } from '../../src/reservation/resources/profile.ts'
import { type Connection, openWriter } from '../../src/store/connection.ts'
import { migrate, migrations } from '../../src/store/migrate.ts'
import { firstOf, gramsOf } from '../../src/store/search-index.ts'
import { transactions } from '../../src/store/transaction.ts'
import { book, type Library, library } from './library.ts'

/** Row numbers that the index itself has for a text of a field. */
function found(db: Connection, number: number, text: string): number[] {
  const [first, end] = [firstOf(number), firstOf(number + 1)]
  const sql = `SELECT rowid - ${first} FROM search WHERE search MATCH ? AND rowid > ${first} AND rowid < ${end}`
  return db.prepare(sql).pluck().all(gramsOf(text)) as number[]
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
    it(`has the texts of rows, of items and of parts as they are now, ${isSettled ? '' : 'not '}settled`, () => {
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
    it(`has what a row is called in the end: ${titles.join(', ')}`, () => {
      const words = [...new Set(titles)]
      const inIt = () => words.map((title) => (gramsOf(title) ? inIndex(101, title) : 0))
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

  it('has nothing of a change that failed', () => {
    const fails = () =>
      shelf.write((tx) => {
        tx.insert(book, { title: 'Hundejahre', published: '1963-01-01' })
        throw new RangeError('no')
      })
    assert.throws(fails, RangeError)
    shelf.settle()
    assert.equal(inIndex(101, 'hundejahre'), 0)
  })

  it('goes on where more is to be taken out of it than it has', () => {
    const own = library()
    const gone = own.db.prepare('INSERT INTO search_pending (place, text, gone) VALUES (?, ?, 1)')
    for (let at = 0; at < 5; at++)
      gone.run(firstOf(101) + 1_000 + at, 'a title that was never in the index '.repeat(9))
    own.write((tx) => tx.insert(book, { title: 'Ein weites Feld', published: '1995-01-01' }))
    own.settle()
    assert.deepEqual([found(own.db, 101, 'weites').length, found(own.db, 101, 'never in')], [1, []])
    own.close()
  })

  it('is settled before too much waits for it', () => {
    const length = 200
    shelf.write((tx) => {
      for (let at = 0; at < 210; at++)
        tx.insert(book, { title: `Volume ${at} `.padEnd(length, '.'), published: '1970-01-01' })
    })
    assert.equal(inIndex(101, 'volume'), 40_000 / length)
    assert.equal(pending(), 10)
    assert.equal(like('title', 'volume 205'), 1)
  })

  it('is settled as soon when a change that had settled it was taken back', () => {
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

  it('is asked for groups of three letters, some from all over a long text, and not for fewer', () => {
    assert.equal(gramsOf('Ön'), null)
    assert.equal(gramsOf('😀Lo'), '"😀lo"')
    assert.equal(gramsOf('a"BC'), '"a""b" """bc"')
    assert.equal(gramsOf('abcdefghijklmno'), '"abc" "def" "fgh" "ijk" "klm" "mno"')
    assert.equal(gramsOf('aaaaaa'), '"aaa"')
    assert.equal(gramsOf('ab\0cde'), '"cde"')
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

describe('the migration to the search index', () => {
  it('puts in what is there, just as the appliance would', () => {
    const folder = mkdtempSync(join(tmpdir(), 'nightporter-search-'))
    const path = join(folder, 'house.db')
    const db = openWriter(path)
    migrate(db, path, migrations().slice(0, 4))
    addRows(db)
    migrate(db, path)
    const settle = () => db.transaction(transactions(db, resources, shapeOf).index.settle)()
    settle()
    const everything: [number, string, number[]][] = [
      [1, 'Anna', [5]],
      [2, 'MÜLLER', [5]],
      [3, 'gmbh', [5]],
      [4, 'second@example.org', [5]],
      [5, '+351', [5]],
      [6, 'ANNA MULLER', [5]],
      [7, 'res-9', [6]],
      [8, 'quiet', [6]],
      [9, 'window', [6]],
      [10, 'stay-9', [7]],
      [11, 'baby', [7]],
      [12, 'allergy', [7]],
      [13, 'np-1001', [7]],
      [13, 'chan-77', [7]],
    ]
    for (const [number, text, rids] of everything) assert.deepEqual(found(db, number, text), rids, text)
    const { begin } = transactions(db, resources, shapeOf)
    db.exec('DELETE FROM stay_profile')
    const id = db.prepare(`SELECT lower(hex(id)) FROM profile`).pluck().get() as string
    const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    db.transaction(() => begin(0, { by: 'test', requestId: null }).remove(profile as never, dashed))()
    settle()
    for (const [number, text] of everything.slice(0, 6)) assert.deepEqual(found(db, number, text), [], text)
    db.close()
    rmSync(folder, { recursive: true })
  })
})

function addRows(db: Connection): void {
  db.exec(`
    INSERT INTO profile (rid, id, createdAt, updatedAt, revision, firstName, lastName, companyName, emails, phoneNumbers, normalizedName)
    VALUES (5, x'0197c0de000070008000000000000001', 0, 0, 1, 'Anna', 'Müller', 'Müller GmbH',
      '[{"address":"first@example.org"},{"address":"Second@example.org"}]', '[{"number":"+351912345678"}]', 'ANNA MULLER');
    INSERT INTO reservation (rid, id, createdAt, updatedAt, revision, externalId, comment, guestComment)
    VALUES (6, x'0197c0de000070008000000000000002', 0, 0, 1, 'RES-9', 'Quiet room', 'At the window');
    INSERT INTO stay (rid, id, createdAt, updatedAt, revision, reservationId, startDate, endDate, status, personCount, externalId, comment, guestComment)
    VALUES (7, x'0197c0de000070008000000000000003', 0, 0, 1, 6, '2026-06-01', '2026-06-02', 'Confirmed', '{}', 'STAY-9', 'Baby cot', 'Allergy');
    INSERT INTO stay_reservation_id (owner, position, type, value) VALUES (7, 0, 'Confirmation', 'NP-1001'), (7, 1, 'Channel', 'chan-77');
    INSERT INTO stay_profile (owner, position, id) VALUES (7, 0, 5);
  `)
}
