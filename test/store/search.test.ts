import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { Transaction } from '../../src/resource/command.ts'
import type { Query } from '../../src/resource/query.ts'
import { finder, type ScanRequest } from '../../src/store/at-once.ts'
import { openReader } from '../../src/store/connection.ts'
import { firstRows } from '../../src/store/query/find-rows.ts'
import { type FoundRow, numbered, selectAmong, selectCursor } from '../../src/store/query/select.ts'
import { type Source, sourcesOf } from '../../src/store/query/sources.ts'
import { carryOut, type Scanned, scanOf } from '../../src/store/scan/scan.ts'
import { statements } from '../../src/store/statements.ts'
import fc from '../seed.ts'
import { book, type Library, library, loan, noon, publisher, resources } from './library.ts'
import { anyBook, anyFilter, anySort, inOrder, type Modelled, passes, publishers } from './modelled-books.ts'

let shelf: Library
let publisherIds: Map<string, string>
let place = 0
beforeEach(() => {
  shelf = library()
  shelf.db.pragma('synchronous = OFF')
  // Row numbers begin where no table is small any more.
  const id = Buffer.alloc(16)
  shelf.db.prepare(`INSERT INTO tombstone VALUES (?, 'book', 100000, 0, '{}')`).run(id)
  publisherIds = shelf.write(
    (tx) => new Map(publishers.map((each) => [each.name, tx.insert(publisher, each).id])),
  )
})
afterEach(() => shelf.close())

type Given = Omit<Modelled, 'id' | 'place' | 'published'>

const idOf = (given: { name: string } | null) => given && publisherIds.get(given.name)!

function attributesOf({ publisher, authors, loans, ...rest }: Given) {
  return {
    ...rest,
    publisherId: idOf(publisher),
    authors: authors.map(({ publisher, ...author }) => ({ ...author, publisherId: idOf(publisher) })),
  } as never
}

function insert(tx: Transaction, given: Given): Modelled {
  place++
  const published = new Date(noon + place * 86_400_000).toISOString().slice(0, 10)
  const { id } = tx.insert(book, { ...(attributesOf(given) as object), published } as never)
  for (const each of given.loans) tx.insert(loan, { ...each, bookId: id } as never)
  return { ...given, published, id, place }
}

function remove(tx: Transaction, { id }: Modelled): void {
  for (const each of tx.select(loan, [{ path: 'bookId', operator: 'eq', value: id }]))
    tx.remove(loan, each.id)
  tx.remove(book, id)
}

/** Loans stay as they are. */
function change(tx: Transaction, before: Modelled, given: Given): Modelled {
  tx.patch(book, before.id, attributesOf(given))
  return { ...given, loans: before.loans, id: before.id, place: before.place, published: before.published }
}

/** Every way to find a page, on one connection: the numbers of its rows, and of one more. */
function waysOf(path: string) {
  const db = openReader(path)
  db.function('going_on', { deterministic: false }, () => 1)
  const prepare = statements(db)
  const { atOnce, whole } = finder(
    resources,
    db,
    prepare,
    () => db.pragma('data_version', { simple: true }) as number,
  )
  const ridsOf = (found: FoundRow[] | null) => found?.map(([rid]) => rid) ?? null

  function among({ resource, query, cursor }: ScanRequest, { rows }: Source): FoundRow[] {
    const rids = prepare(rows.sql)
      .pluck()
      .all(...rows.values) as number[]
    const page = selectAmong(resources, resource, query, cursor, numbered(resource, rids))
    return firstRows(prepare, [page], query.page.size + 1)
  }

  function* ways(asked: ScanRequest): Generator<[name: string, rids: number[] | null]> {
    yield ['whole', ridsOf(whole(asked))]
    yield ['at once', ridsOf(atOnce(asked))]
    const sources = sourcesOf(resources, asked.resource, asked.query)
    for (const each of sources.indexed) yield ['by an index', ridsOf(among(asked, each))]
    for (const each of sources.searched) yield ['by the search index', ridsOf(among(asked, each))]
    const scan = { ...scanOf(resources, asked, 'SELECT ?'), size: asked.query.page.size + 1 }
    const ridsIn = ({ documents }: Scanned) => documents.map(([, rid]) => Number(rid))
    yield ['a scan', ridsIn(carryOut(prepare, scan))]
    const all = { ...scan, sources: { indexed: [], searched: [] } }
    yield ['a scan of the whole table', ridsIn(carryOut(prepare, all))]
  }

  return { db, prepare, ways }
}

const anyChange = fc.oneof(
  fc.record({ is: fc.constant('insert' as const), book: anyBook }),
  fc.record({ is: fc.constant('change' as const), which: fc.nat(), book: anyBook }),
  fc.record({ is: fc.constant('remove' as const), which: fc.nat() }),
  fc.constant({ is: 'settle' as const }),
)

const anyAsking = fc.record({
  changes: fc.array(anyChange, { maxLength: 4 }),
  filters: fc.array(anyFilter, { maxLength: 2 }),
  sort: anySort,
  size: fc.integer({ min: 1, max: 4 }),
  from: fc.option(fc.record({ which: fc.nat(), backwards: fc.boolean() }), { nil: null }),
})

describe('every plan of a page', () => {
  it('finds the rows that a full scan would, while rows are inserted, changed and deleted', () => {
    const { db, prepare, ways } = waysOf(shelf.path)
    const used = new Map<string, number>()
    const anyHistory = fc.record({
      books: fc.array(anyBook, { minLength: 3, maxLength: 12 }),
      askings: fc.array(anyAsking, { minLength: 1, maxLength: 5 }),
    })
    fc.assert(
      fc.property(anyHistory, ({ books, askings }) => {
        const rows = shelf.write((tx) => books.map((each) => insert(tx, each)))
        try {
          for (const { changes, ...asking } of askings) {
            for (const each of changes) {
              if (each.is === 'settle') shelf.settle()
              else shelf.write((tx) => happen(tx, rows, each))
            }
            const { asked, expected } = askingOf(prepare, rows, asking)
            for (const [way, rids] of ways(asked)) {
              if (!rids) continue
              used.set(way, (used.get(way) ?? 0) + 1)
              const ids = rids.map((rid) => rows.find(({ id }) => id === idAt(prepare, rid))?.id)
              assert.deepEqual(ids, expected, `${way}: ${JSON.stringify(asked.query)}`)
            }
          }
        } finally {
          shelf.write((tx) => {
            for (const each of rows) remove(tx, each)
          })
        }
      }),
      { numRuns: 400 },
    )
    db.close()
    assert.equal(used.size, 6, [...used.keys()].join())
  })
})

type Happening = typeof anyChange extends fc.Arbitrary<infer T> ? T : never

function happen(tx: Transaction, rows: Modelled[], each: Exclude<Happening, { is: 'settle' }>): void {
  if (each.is === 'insert') {
    rows.push(insert(tx, each.book))
    return
  }
  if (rows.length === 0) return
  const at = each.which % rows.length
  if (each.is === 'change') rows[at] = change(tx, rows[at]!, each.book)
  else remove(tx, rows.splice(at, 1)[0]!)
}

function askingOf(
  prepare: ReturnType<typeof statements>,
  rows: Modelled[],
  { filters, sort, size, from }: Omit<typeof anyAsking extends fc.Arbitrary<infer T> ? T : never, 'changes'>,
): { asked: ScanRequest; expected: string[] } {
  const cursor = from && rows.length > 0 ? rows[from.which % rows.length]! : null
  const page = { size, ...(cursor && { [from!.backwards ? 'before' : 'after']: cursor.id }) }
  const query: Query = { filters, sort, page }
  const expected = pageOf(rows, query, cursor).map(({ id }) => id)
  return { asked: { resource: book, query, cursor: cursor && placeOf(prepare, query, cursor) }, expected }
}

function placeOf(prepare: ReturnType<typeof statements>, { sort }: Query, { id }: Modelled) {
  const rid = prepare('SELECT rid FROM book WHERE id = ?')
    .pluck()
    .get(Buffer.from(id.replaceAll('-', ''), 'hex'))
  return prepare(selectCursor(resources, book, sort))
    .raw()
    .get(rid) as ScanRequest['cursor']
}

function idAt(prepare: ReturnType<typeof statements>, rid: number): string {
  const hex = (prepare('SELECT id FROM book WHERE rid = ?').pluck().get(rid) as Buffer).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** One row more than the page shows, in the direction of the page. */
function pageOf(rows: Modelled[], { filters, sort, page }: Query, cursor: Modelled | null): Modelled[] {
  const backwards = page.before !== undefined
  const order = inOrder(sort)
  const all = rows.filter((row) => passes(row as never, filters)).sort(order)
  if (backwards) all.reverse()
  const beyond = cursor ? all.filter((row) => order(row, cursor) * (backwards ? -1 : 1) > 0) : all
  return beyond.slice(0, page.size + 1)
}
