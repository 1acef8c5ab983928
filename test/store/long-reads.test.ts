import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageOfDocuments } from '../../src/resource/keeper.ts'
import { Problem } from '../../src/resource/problem.ts'
import type { Query } from '../../src/resource/query.ts'
import { toText } from '../../src/store/uuid.ts'
import { book, type Library, library, noon, shapeOf } from './library.ts'

const count = 60_000

let shelf: Library
beforeEach(() => {
  shelf = library()
  shelf.db.pragma('synchronous = OFF')
  shelf.db.exec(`
    INSERT INTO book (rid, id, createdAt, updatedAt, revision, title, published, pages, price, shelfMark)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT i, CAST(unhex(printf('0197c0de000070008000%012x', i)) AS BLOB), ${noon}, ${noon}, 1, 'Title ' || i, '2020-01-01',
      i % 5, i * 7919 % ${count} * 10000, CASE WHEN i % 20000 = 7 THEN 'rare' ELSE 'mark ' || (i % 100) END
    FROM n`)
})
afterEach(() => shelf.close())

const byPrice: Query = { filters: [], sort: [{ path: 'price', descending: false }], page: { size: 3 } }
const marked = (value: string): Query => ({
  filters: [{ path: 'shelfMark', operator: 'eq', value }],
  sort: [{ path: 'price', descending: true }],
  page: { size: 10 },
})

const ask = (query: Query, isGone?: () => boolean) => shelf.reader.page(book, query, shapeOf(book), isGone)
const idOf = (rid: number) =>
  toText(shelf.db.prepare('SELECT id FROM book WHERE rid = ?').pluck().get(rid) as Buffer)
const ridsOf = ({ documents }: PageOfDocuments) =>
  documents.map(({ id }) => Number.parseInt(id.slice(-12), 16))

describe('a page that many rows have to be looked at for', () => {
  it('is found in slices, between which others are answered', async () => {
    const page = ask(byPrice)
    assert.ok(page instanceof Promise)
    let isDone = false
    const done = page.then((found) => {
      isDone = true
      return found
    })
    let answered = 0
    for (; !isDone; answered++) {
      await nextTurn()
      assert.equal(shelf.reader.document(book, idOf(1 + answered), shapeOf(book)).revision, 1)
    }
    assert.ok(answered >= 2, `${answered} answers`)
    const { documents, more } = await done
    assert.deepEqual(
      documents.map(({ text }) => JSON.parse(text).attributes.price),
      [0, 1, 2],
    )
    assert.ok(more)
  })

  it('is of the moment at which it is looked for', async () => {
    const page = ask(byPrice)
    await nextTurn()
    await nextTurn()
    shelf.write((tx) => tx.patch(book, idOf(count - 1), { price: -5 }))
    const before = await page
    assert.ok(!ridsOf(before).includes(count - 1))
    assert.equal(ridsOf(await ask(byPrice))[0], count - 1)
  })

  it('is looked for once, however many ask for the same', async () => {
    const page = ask(byPrice)
    assert.equal(ask(byPrice), page)
    const found = await page
    assert.equal(ask(byPrice), page)
    shelf.write((tx) => tx.patch(book, idOf(5), { price: 1 }))
    assert.notDeepEqual(await ask(byPrice), found)
  })

  it('is given up when all who asked have gone, and not before', async () => {
    const gone = { one: true, other: false }
    const page = ask(byPrice, () => gone.one)
    const other = ask(byPrice, () => gone.other) as Promise<PageOfDocuments>
    let isOver = false
    other.catch(() => {
      isOver = true
    })
    await nextTurn()
    await nextTurn()
    assert.ok(!isOver)
    gone.other = true
    await assert.rejects(
      async () => page,
      (error) => error instanceof Problem && error.code === 'busy',
    )
    assert.equal((await ask(byPrice)).documents.length, 3)
  })

  it('leaves the log to be reused, however many follow one another', async () => {
    shelf.db.pragma('wal_autocheckpoint = 100')
    shelf.db.exec('CREATE TABLE ballast (rid INTEGER PRIMARY KEY, bytes BLOB)')
    const ballast = shelf.db.prepare('INSERT OR REPLACE INTO ballast VALUES (1, zeroblob(50000))')
    let left = 60
    async function follow(size: number): Promise<void> {
      for (; left > 0; left--) await ask({ ...byPrice, page: { size } })
    }
    const all = [1, 2, 3, 4, 5].map(follow)
    let written = 0
    for (; left > 0; written += 50_000) {
      ballast.run()
      await nextTurn()
    }
    await Promise.all(all)
    const log = statSync(`${shelf.path}-wal`).size
    assert.ok(log < written / 2, `${log} bytes of ${written}`)
  })

  it('is given up when the store closes', async () => {
    const page = ask(byPrice)
    await nextTurn()
    shelf.reader.close()
    await assert.rejects(
      async () => page,
      (error) => error instanceof Problem && error.code === 'starting-up',
    )
  })
})

describe('a filter on a field without an index', () => {
  const rare = async () => ridsOf(await ask(marked('rare')))

  it('is answered at once after the first time, and knows what has changed since', async () => {
    assert.ok(ask(marked('rare')) instanceof Promise)
    const expected = [7, 20_007, 40_007].toSorted((a, b) => ((b * 7919) % count) - ((a * 7919) % count))
    assert.deepEqual(await rare(), expected)
    assert.ok(!(ask(marked('rare')) instanceof Promise))
    const { id } = shelf.write((tx) =>
      tx.insert(book, { title: 'New', price: 1e6, shelfMark: 'rare' } as never),
    )
    const now = ask(marked('rare')) as PageOfDocuments
    assert.equal(now.documents[0]!.id, id)
    shelf.write((tx) => tx.remove(book, id))
    assert.deepEqual(ridsOf(ask(marked('rare')) as PageOfDocuments), expected)
    assert.deepEqual(ask(marked('nowhere')), { documents: [], more: false })
  })

  it('knows nothing of a change that failed', async () => {
    const before = await rare()
    const fails = () =>
      shelf.write((tx) => {
        tx.insert(book, { title: 'New', price: 1e6, shelfMark: 'rare' } as never)
        throw new RangeError('no')
      })
    assert.throws(fails, RangeError)
    assert.deepEqual(await rare(), before)
  })

  it('looks anew when the journal was cut short', async () => {
    const before = await rare()
    shelf.write((tx) =>
      tx.insert(book, { title: 'Old', published: '2000-01-01', shelfMark: 'common' } as never),
    )
    assert.deepEqual(await rare(), before)
    const { id } = shelf.write((tx) =>
      tx.insert(book, { title: 'New', price: 1e6, shelfMark: 'rare' } as never),
    )
    shelf.db.exec('DELETE FROM journal')
    shelf.write(() => null)
    const found = await ask(marked('rare'))
    assert.equal(found.documents[0]!.id, id)
    assert.equal(found.documents.length, before.length + 1)
  })

  it('takes over many changes in slices', async () => {
    const before = await rare()
    const many = Array.from({ length: 450 }, (_, at) => at)
    const ids = shelf.write((tx) =>
      many.map((at) => tx.insert(book, { title: `New ${at}`, shelfMark: 'rare', price: -at } as never).id),
    )
    const page = ask(marked('rare'))
    assert.ok(page instanceof Promise)
    assert.deepEqual(ridsOf(await page).slice(0, 3), before)
    assert.equal((await page).documents[3]!.id, ids[0])
  })
})
