import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Transaction } from '../../src/resource/command.ts'
import { Problem } from '../../src/resource/problem.ts'
import type { Filter, Page, SortKey } from '../../src/resource/query.ts'
import type { Attributes } from '../../src/resource/resource.ts'
import fc from '../seed.ts'
import { book, type Library, library, noon, publisher, shapeOf } from './library.ts'

type Book = Attributes<typeof book.fields>
/** A row as the model keeps it: what was written, and its place in the order of creation. */
type Modelled = Book & { id: string; place: number }

let shelf: Library
let publishers: string[]
before(() => {
  shelf = library()
  publishers = shelf.write((tx) => ['Aurora', 'Borealis'].map((name) => tx.insert(publisher, { name }).id))
})
after(() => shelf.close())

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

/** Few values of each kind, so that keys are often equal. Dates stay apart from titles by a counter: no edition twice. */
const anyBook = fc.record({
  title: fc.constantFrom('a', 'B', 'b', 'Ä', 'ä', 'z%', 'z_', 'zz'),
  pages: maybe(fc.integer({ min: -2, max: 2 })),
  price: maybe(fc.constantFrom(0, 1.5, 1.25, -3, 20)),
  inPrint: maybe(fc.boolean()),
  opens: maybe(fc.constantFrom('08:00', '17:30')),
  addedAt: maybe(fc.constantFrom(noon, noon + 1, noon - 86_400_000)),
  cover: maybe(fc.record({ weight: fc.integer({ min: 0, max: 2 }) })),
  publisher: maybe(fc.nat(1)),
})

const sortPaths = [
  'title',
  'pages',
  'price',
  'inPrint',
  'opens',
  'addedAt',
  'cover.weight',
  'publisherId',
  'createdAt',
  'id',
]
const anySort: fc.Arbitrary<SortKey[]> = fc.array(
  fc.record({ path: fc.constantFrom(...sortPaths), descending: fc.boolean() }),
  { maxLength: 3 },
)

const anyFilter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    path: fc.constant('pages'),
    operator: fc.constantFrom('eq', 'ne', 'lt', 'lte', 'gt', 'gte'),
    value: fc.integer({ min: -2, max: 2 }),
  }),
  fc.record({
    path: fc.constantFrom('pages', 'price', 'cover.weight', 'publisherId'),
    operator: fc.constantFrom('isnull', 'notnull'),
    value: fc.constant(null),
  }),
  fc.record({
    path: fc.constant('title'),
    operator: fc.constant('like'),
    value: fc.constantFrom('B', 'ä', 'Ä', '%', '_', 'z'),
  }),
)

const valueAt = (row: Modelled, path: string): unknown => {
  if (path === 'id') return row.place
  if (path === 'createdAt') return 0
  if (path === 'cover.weight') return row.cover?.weight ?? null
  if (path === 'publisherId') return row.publisherId ? publishers.indexOf(row.publisherId) : null
  return (row as Record<string, unknown>)[path] ?? null
}

/** Null before everything, numbers and flags by size, texts by their bytes. */
function compared(left: unknown, right: unknown): number {
  if (left === null || right === null)
    return Number(right === null) - Number(left === null) === 1 ? 1 : left === right ? 0 : -1
  if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
  return Number(left) - Number(right)
}

const inOrder = (sort: SortKey[]) => (left: Modelled, right: Modelled) => {
  for (const { path, descending } of sort) {
    const order = compared(valueAt(left, path), valueAt(right, path))
    if (order !== 0) return descending ? -order : order
  }
  return left.place - right.place
}

function holds(row: Modelled, { path, operator, value }: Filter): boolean {
  const found = valueAt(row, path)
  switch (operator) {
    case 'isnull':
      return found === null
    case 'notnull':
      return found !== null
    case 'like':
      return String(found).toLowerCase().includes(String(value).toLowerCase())
    case 'ne':
      return found !== value
    case 'in':
      return (JSON.parse(String(value)) as unknown[]).includes(found)
    default: {
      if (found === null) return false
      const order = compared(found, value)
      return { eq: order === 0, lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 }[operator]
    }
  }
}

let place = 0
function insert(
  tx: Transaction,
  { publisher, ...given }: { publisher: number | null } & Partial<Book>,
): Modelled {
  place++
  const published = new Date(noon + place * 86_400_000).toISOString().slice(0, 10)
  const attributes = {
    ...given,
    published,
    publisherId: publisher === null ? null : publishers[publisher],
  } as Book
  return { ...attributes, id: tx.insert(book, attributes).id, place }
}

/** A shelf with these books alone. */
function filled(books: Parameters<typeof insert>[1][]): Modelled[] {
  for (const { id } of shelf.reader.rows(book, { filters: [], sort: [], page: { size: 1000 } })) {
    shelf.write((tx) => tx.remove(book, id))
  }
  return shelf.write((tx) => books.map((each) => insert(tx, each)))
}

async function ask(
  filters: Filter[],
  sort: SortKey[],
  page: Page,
): Promise<{ ids: string[]; more: boolean }> {
  const { documents, more } = await shelf.reader.page(book, { filters, sort, page }, shapeOf(book))
  return { ids: documents.map(({ id }) => id), more }
}

const anyAsking = {
  books: fc.array(anyBook, { maxLength: 18 }),
  sort: anySort,
  filters: fc.array(anyFilter, { maxLength: 2 }),
  size: fc.integer({ min: 1, max: 5 }),
}

describe('walking through pages', () => {
  it('shows every row once in order, and the same pages on the way back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(anyAsking), async ({ books, sort, filters, size }) => {
        const expected = filled(books)
          .filter((row) => filters.every((filter) => holds(row, filter)))
          .sort(inOrder(sort))
          .map(({ id }) => id)
        const pages: string[][] = []
        let after: string | undefined
        for (let more = true; more; ) {
          const page = await ask(filters, sort, { size, ...(after !== undefined && { after }) })
          pages.push(page.ids)
          after = page.ids.at(-1)
          more = page.more
        }
        assert.deepEqual(pages.flat(), expected)
        for (let at = pages.length - 1; at > 0; at--) {
          const back = await ask(filters, sort, { size, before: pages[at]![0]! })
          assert.deepEqual(back, { ids: pages[at - 1], more: at > 1 })
        }
      }),
      { numRuns: 120 },
    )
  })

  it('shows no row twice and skips none that existed throughout, while others are inserted and deleted', async () => {
    const anyMeanwhile = fc.array(
      fc.oneof(
        fc.record({ is: fc.constant('insert' as const), book: anyBook }),
        fc.record({ is: fc.constant('remove' as const), which: fc.nat(40) }),
        fc.constant({ is: 'remove cursor' as const }),
      ),
      { maxLength: 3 },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.record({ ...anyAsking, meanwhile: fc.array(anyMeanwhile, { maxLength: 8 }) }),
        async ({ books, sort, filters, size, meanwhile }) => {
          const live = new Map(filled(books).map((row) => [row.id, row]))
          const throughout = new Set(live.keys())
          const seen: Modelled[] = []
          let after: string | undefined
          for (let more = true, turn = 0; more; turn++) {
            const page = await ask(filters, sort, { size, ...(after !== undefined && { after }) })
            seen.push(...page.ids.map((id) => live.get(id)!))
            after = page.ids.at(-1) ?? after
            more = page.more
            for (const event of meanwhile[turn] ?? []) {
              if (event.is === 'insert') {
                const row = shelf.write((tx) => insert(tx, event.book))
                live.set(row.id, row)
                continue
              }
              const id = event.is === 'remove' ? [...live.keys()][event.which % (live.size || 1)] : after
              if (id === undefined || !live.has(id)) continue
              shelf.write((tx) => tx.remove(book, id))
              live.delete(id)
              throughout.delete(id)
            }
          }
          assert.equal(new Set(seen).size, seen.length)
          assert.deepEqual(seen, seen.toSorted(inOrder(sort)))
          const stayed = seen.filter(({ id }) => throughout.has(id)).map(({ id }) => id)
          const expected = [...throughout]
            .map((id) => live.get(id)!)
            .filter((row) => filters.every((filter) => holds(row, filter)))
          assert.deepEqual(new Set(stayed), new Set(expected.map(({ id }) => id)))
        },
      ),
      { numRuns: 120 },
    )
  })
})

describe('a cursor', () => {
  const gone = '0197c0de-0000-7000-8000-000000000001'

  it('that never existed is unknown', async () => {
    for (const cursor of ['after', 'before'] as const) {
      await assert.rejects(
        () => ask([], [], { size: 1, [cursor]: gone }),
        (error) => error instanceof Problem && error.code === 'page-cursor-unknown',
      )
    }
  })

  it('of another resource is unknown', async () => {
    await assert.rejects(
      () => ask([], [], { size: 1, after: publishers[0]! }),
      (error) => error instanceof Problem && error.code === 'page-cursor-unknown',
    )
  })

  it('whose row was deleted still works, also in the order of a computed field', async () => {
    const rows = filled(['a', 'b', 'c'].map((title) => ({ title, publisher: null })))
    shelf.write((tx) => tx.remove(book, rows[1]!.id))
    for (const path of ['id', 'title', 'lent', 'cover.weight', 'updatedAt', 'revision']) {
      const sort = [{ path, descending: false }]
      assert.deepEqual((await ask([], sort, { size: 5, after: rows[1]!.id })).ids, [rows[2]!.id])
      assert.deepEqual((await ask([], sort, { size: 5, before: rows[1]!.id })).ids, [rows[0]!.id])
    }
  })
})
