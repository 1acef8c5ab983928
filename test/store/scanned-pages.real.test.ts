import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '../../src/host/clock.ts'
import type { PageOfDocuments, WhenGone } from '../../src/resource/keeper.ts'
import type { Query } from '../../src/resource/query.ts'
import { toText } from '../../src/store/uuid.ts'
import { book, type Library, library, noon, shapeOf } from './library.ts'

const count = 60_000

let shelf: Library
before(() => {
  shelf = library({ ...systemClock, now: () => 0 })
  shelf.db.pragma('synchronous = OFF')
  shelf.db.exec(`
    INSERT INTO book (rid, id, createdAt, updatedAt, revision, title, published, pages, price, shelfMark)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT i, CAST(unhex(printf('0197c0de000070008000%012x', i)) AS BLOB), ${noon}, ${noon}, 1, 'Title ' || i, '2020-01-01',
      i % 5, i * 7919 % ${count} * 10000, CASE WHEN i % 20000 = 7 THEN 'rare' ELSE 'mark ' || (i % 100) END
    FROM n`)
})
after(() => shelf.close())

const byPrice = (size: number): Query => ({
  filters: [],
  sort: [{ path: 'price', descending: false }],
  page: { size },
})
const marked = (value: string, page: Query['page'] = { size: 10 }): Query => ({
  filters: [{ path: 'shelfMark', operator: 'eq', value }],
  sort: [{ path: 'price', descending: true }],
  page,
})

const ask = (query: Query, whenGone?: WhenGone) => shelf.reader.page(book, query, shapeOf(book), whenGone)
const idOf = (rid: number) =>
  toText(shelf.db.prepare('SELECT id FROM book WHERE rid = ?').pluck().get(rid) as Buffer)
const ridsOf = ({ documents }: PageOfDocuments) =>
  documents.map(({ id }) => Number.parseInt(id.slice(-12), 16))

describe('a page in the order of an index', () => {
  const since = (value: number): Query => ({
    filters: [{ path: 'pages', operator: 'lt', value }],
    sort: [{ path: 'id', descending: false }],
    page: { size: 10 },
  })

  it('is found at once when most rows pass its filters', () => {
    const page = ask(since(3))
    assert.ok(!(page instanceof Promise))
    assert.deepEqual(ridsOf(page), [1, 2, 5, 6, 7, 10, 11, 12, 15, 16])
  })

  it('is left to the scan thread when its rows are far apart', async () => {
    const rare: Query = { ...since(5), filters: [{ path: 'shelfMark', operator: 'eq', value: 'rare' }] }
    const page = ask(rare)
    assert.ok(page instanceof Promise)
    assert.deepEqual(ridsOf(await page), [7, 20_007, 40_007])
  })
})

describe('a page that no index serves', () => {
  it('is returned as a promise, and other requests are answered meanwhile', async () => {
    let answered = 0
    let found: PageOfDocuments | null = null
    // A machine that gives this thread no turn meanwhile proves nothing.
    for (let tries = 0; tries < 20 && answered < 2; tries++) {
      const page = ask(byPrice(3))
      assert.ok(page instanceof Promise)
      found = null
      void page.then((read) => {
        found = read
      })
      for (answered = 0; !found; answered++) {
        await nextTurn()
        assert.equal(shelf.reader.document(book, idOf(1 + (answered % count)), shapeOf(book)).revision, 1)
      }
    }
    assert.ok(answered >= 2, `${answered} answers`)
    const { documents, more } = found!
    assert.deepEqual(
      documents.map(({ text }) => JSON.parse(text).attributes.price),
      [0, 1, 2],
    )
    assert.ok(more)
  })

  it('has the rows that match a filter, in order, forwards and backwards', async () => {
    const expected = [7, 20_007, 40_007].toSorted((a, b) => ((b * 7919) % count) - ((a * 7919) % count))
    assert.deepEqual(ridsOf(await ask(marked('rare'))), expected)
    const [first, second, third] = expected.map(idOf)
    const before = await ask(marked('rare', { size: 1, before: third! }))
    assert.deepEqual([before.documents.map(({ id }) => id), before.more], [[second], true])
    const after = await ask(marked('rare', { size: 2, after: first! }))
    assert.deepEqual([after.documents.map(({ id }) => id), after.more], [[second, third], false])
    assert.deepEqual(await ask(marked('nowhere')), { documents: [], more: false })
  })

  it('contains every committed change, and none of a failed command', async () => {
    const query = marked('rare', { size: 11 })
    const before = ridsOf(await ask(query))
    const fails = () =>
      shelf.write((tx) => {
        tx.insert(book, { title: 'New', price: 1e6, shelfMark: 'rare' } as never)
        throw new RangeError('no')
      })
    assert.throws(fails, RangeError)
    assert.deepEqual(ridsOf(await ask(query)), before)
    const { id } = shelf.write((tx) =>
      tx.insert(book, { title: 'New', price: 1e6, shelfMark: 'rare' } as never),
    )
    assert.equal((await ask(query)).documents[0]!.id, id)
    shelf.write((tx) => tx.remove(book, id))
    assert.deepEqual(ridsOf(await ask(query)), before)
  })

  it('contains rows that have no journal lines', async () => {
    const query = marked('unremarked')
    assert.deepEqual(await ask(query), { documents: [], more: false })
    shelf.db.prepare("UPDATE book SET shelfMark = 'unremarked' WHERE rid IN (11, 59000)").run()
    shelf.write(() => null)
    assert.deepEqual(ridsOf(await ask(query)).toSorted(), [11, 59_000])
  })

  it('is scanned once for simultaneous requests, and again after a write', async () => {
    const query = byPrice(4)
    const page = ask(query)
    assert.equal(ask(byPrice(4)), page)
    const found = await page
    assert.deepEqual(await ask(query), found)
    const before = ask(query)
    shelf.write((tx) => tx.patch(book, idOf(5), { price: -1 }))
    assert.notEqual(ask(query), before)
    assert.equal(ridsOf(await ask(query))[0], 5)
    assert.notDeepEqual(await ask(query), found)
    shelf.write((tx) => tx.patch(book, idOf(5), { price: 5 }))
  })

  it('is scanned again when the earlier clients have disconnected', async () => {
    let hangUp = () => {}
    const query = byPrice(5)
    const page = ask(query, (listener) => {
      hangUp = listener
      return () => {}
    }) as Promise<PageOfDocuments>
    hangUp()
    await assert.rejects(page)
    assert.equal((await ask(query)).documents.length, 5)
  })

  it('lets SQLite restart the log, however many scans follow one another', async () => {
    shelf.db.pragma('wal_autocheckpoint = 100')
    shelf.db.exec('CREATE TABLE ballast (rid INTEGER PRIMARY KEY, bytes BLOB)')
    const ballast = shelf.db.prepare('INSERT OR REPLACE INTO ballast VALUES (1, zeroblob(50000))')
    const until = performance.now() + 4_000
    async function follow(size: number): Promise<void> {
      for (let at = 0; performance.now() < until; at++)
        await ask({ ...byPrice(size), filters: [{ path: 'price', operator: 'gte', value: at }] })
    }
    const all = [1, 2, 3, 4, 5].map(follow)
    let written = 0
    for (; performance.now() < until; written += 50_000) {
      ballast.run()
      await nextTurn()
    }
    await Promise.all(all)
    const log = statSync(`${shelf.path}-wal`).size
    // Without a restart it has all that was written, and more.
    assert.ok(log < 0.8 * written, `${log} bytes of ${written}`)
  })
})
