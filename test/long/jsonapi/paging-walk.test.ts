import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Values, type Walked, walkedCollections } from '../../jsonapi/walked-collections.ts'
import { openHouse, type ReservationHouse } from '../../reservation/api/house.ts'
import fc, { seed } from '../../seed.ts'

const runs = Number(process.env.WALK_RUNS ?? 60)
/** Walks of one collection: those that are left after this are not taken. */
const longestMs = 3_500
const fewest = 24
const most = 45

interface Row {
  type: string
  id: string
  attributes: Values
}

interface Page {
  data: Row[]
  links: { self: string; next?: string; prev?: string }
}

interface Key {
  path: string
  descending: boolean
}

let house: ReservationHouse
let collections: Walked[]
before(async () => {
  house = await openHouse()
  collections = await walkedCollections(house)
})
after(() => house.stop())

async function page(path: string): Promise<Page> {
  const { status, body, text } = await house.ask('GET', path)
  assert.equal(status, 200, `${path}\n${text}`)
  return body
}

let made = 0
async function make({ path, madeAt = path, body }: Walked, values: Values): Promise<string> {
  const reply = await house.ask('POST', madeAt, { body: body(values, ++made) })
  assert.equal(reply.status, 201, reply.text)
  const { id } = reply.body.data
  return id
}

/** What was removed in the same moment is not there to be changed. */
async function patch({ path }: Walked, id: string, body: Values): Promise<void> {
  const { status, text } = await house.ask('PATCH', `${path}/${id}`, { body })
  assert.ok(status === 204 || status === 404, text)
}

/** Whether it is gone now: what others refer to stays. */
async function remove({ path }: Walked, id: string): Promise<boolean> {
  const { status, text } = await house.ask('DELETE', `${path}/${id}`)
  assert.ok([204, 404, 409].includes(status), text)
  return status !== 409
}

const ids = ({ data }: Page) => data.map(({ id }) => id)

function valueAt({ id, attributes }: Row, path: string): unknown {
  if (path === 'id') return id
  const at = (value: unknown, name: string) => (value as Values | null)?.[name]
  return path.split('.').reduce(at, attributes as unknown) ?? null
}

/** Nothing before everything, texts by their bytes. */
function compared(left: unknown, right: unknown): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
  return Number(left) - Number(right)
}

/** The order that a list is asked for in; what is equal stays in the order of creation. */
function expectOrder(rows: Row[], sort: Key[]): void {
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1]
    if (!before) continue
    const orders = [...sort, { path: 'id', descending: false }].map(({ path, descending }) => {
      const order = compared(valueAt(before, path), valueAt(row, path))
      return descending ? -order : order
    })
    const first = orders.find((order) => order !== 0)
    assert.ok(first === undefined || first < 0, `${before.id} before ${row.id} by ${JSON.stringify(sort)}`)
  }
}

/** What happens while a client goes from one page to the next. */
const anyEvent = ({ patched, row }: Walked) =>
  fc.oneof(
    fc.record({ is: fc.constant('make' as const), values: row }),
    fc.record({
      is: fc.constant('patch' as const),
      which: fc.nat(),
      field: fc.constantFrom(null, ...patched),
      values: row,
    }),
    fc.record({ is: fc.constant('remove' as const), which: fc.nat() }),
    fc.constant({ is: 'remove cursor' as const }),
  )
type Event = typeof anyEvent extends (collection: Walked) => fc.Arbitrary<infer E> ? E : never

/** Which rows there are, and which of them were there since the walk began. */
class Presence {
  here: Set<string>
  throughout: Set<string>
  constructor(all: string[]) {
    this.here = new Set(all)
    this.throughout = new Set(all)
  }

  gone(id: string): void {
    this.here.delete(id)
    this.throughout.delete(id)
  }
}

function anyWalk(collection: Walked) {
  const names = [...collection.sorts, ...collection.patched]
  return fc.record({
    sort: fc.uniqueArray(fc.record({ path: fc.constantFrom(...names), descending: fc.boolean() }), {
      maxLength: 4,
      selector: ({ path }) => path,
    }),
    filter: fc.option(collection.filters, { nil: '' }),
    size: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 100 })),
    events: fc.array(fc.array(anyEvent(collection), { maxLength: 3 }), { maxLength: 12 }),
    meanwhile: fc.boolean(),
  })
}

function addressOf({ path }: Walked, { sort, filter, size }: { sort: Key[]; filter: string; size: number }) {
  const order = sort.map(({ path, descending }) => (descending ? `-${path}` : path)).join()
  return `${path}?${[`page[size]=${size}`, order && `sort=${order}`, filter].filter(Boolean).join('&')}`
}

async function forward(start: string, between: (page: Page, turn: number) => Promise<void>): Promise<Page[]> {
  const pages: Page[] = []
  for (let next: string | undefined = start; next !== undefined; ) {
    const found: Page = await page(next)
    assert.equal(found.links.prev !== undefined, pages.length > 0, 'prev only where a cursor was used')
    pages.push(found)
    next = found.links.next
    if (next !== undefined) await between(found, pages.length)
  }
  return pages
}

/** All that a list holds, on pages as long as may be. */
async function whole(path: string): Promise<Row[]> {
  const pages = await forward(path.replace(/page\[size\]=\d+/, 'page[size]=100'), async () => {})
  return pages.flatMap(({ data }) => data)
}

/** Nothing changes: the pages are those of the whole list, and on the way back they are the same. */
async function walkThereAndBack(collection: Walked, walk: { sort: Key[]; filter: string; size: number }) {
  const start = addressOf(collection, walk)
  const pages = await forward(start, async ({ data }) => assert.equal(data.length, walk.size))
  const all = pages.flatMap(({ data }) => data)
  expectOrder(all, walk.sort)
  assert.deepEqual(
    pages.flatMap(ids),
    (await whole(start)).map(({ id }) => id),
  )
  assert.ok(pages.length === 1 || pages.at(-1)!.data.length > 0, 'no next to an empty page')
  let at = pages.at(-1)!
  for (const expected of pages.slice(0, -1).reverse()) {
    assert.ok(at.links.prev)
    at = await page(at.links.prev)
    assert.deepEqual(ids(at), ids(expected))
    assert.ok(at.links.next, 'from where one came back there is a next')
  }
  assert.equal(at.links.prev, undefined)
}

/** Rows come, go and change while pages are turned, or in the same moment. */
async function walkAmongChanges(
  collection: Walked,
  walk: { sort: Key[]; filter: string; size: number; events: Event[][]; meanwhile: boolean },
): Promise<void> {
  const { sort, filter, size, events, meanwhile } = walk
  const there = new Presence((await whole(`${collection.path}?page[size]=100`)).map(({ id }) => id))
  const asked = `${filter} ${sort.map(({ path }) => path).join(' ')}`
  const moves = (field: string) =>
    asked.includes(field) ||
    /updatedAt|revision/.test(asked) ||
    (field === 'unitTypeId' && /unitType/.test(asked))
  const pending: Promise<void>[] = []

  async function happen(event: Event, cursor: string): Promise<void> {
    if (event.is === 'make') {
      there.here.add(await make(collection, event.values))
      return
    }
    const id = event.is === 'remove cursor' ? cursor : [...there.here][event.which % there.here.size]
    if (id === undefined || !there.here.has(id)) return
    if (event.is === 'patch') {
      if (event.field && !moves(event.field))
        await patch(collection, id, { [event.field]: event.values[event.field] })
      return
    }
    if (there.here.size > 2 && (await remove(collection, id))) there.gone(id)
  }

  const expected = new Set(
    (await whole(addressOf(collection, { sort: [], filter, size }))).map(({ id }) => id),
  )
  const pages = await forward(addressOf(collection, { sort, filter, size }), async ({ data }, turn) => {
    const cursor = data.at(-1)!.id
    for (const event of events[turn - 1] ?? []) {
      if (!meanwhile) await happen(event, cursor)
      else pending.push(happen(event, cursor))
    }
  })
  await Promise.all(pending)
  const seen = pages.flatMap(({ data }) => data)
  assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length, 'a row was shown twice')
  expectOrder(seen, sort)
  const missed = [...there.throughout].filter((id) => expected.has(id) && !seen.some((row) => row.id === id))
  assert.deepEqual(missed, [], 'rows that were there throughout were skipped')
}

/** Between two and three dozen rows, however many came and went. */
async function topUp(collection: Walked, some: Values[]): Promise<void> {
  const rows = await whole(`${collection.path}?page[size]=100`)
  for (const { id } of rows.slice(0, Math.max(0, rows.length - most))) await remove(collection, id)
  for (let have = rows.length; have < fewest; have++) await make(collection, some[have % some.length]!)
}

describe(`walking a list by its links (TEST_SEED=${seed})`, () => {
  for (const [index, name] of ['units', 'profiles', 'stays', 'payments', 'reservations'].entries()) {
    it(`of ${name} shows every row once, while rows are inserted, changed and deleted`, async (t) => {
      const collection = collections[index]!
      const until = performance.now() + longestMs
      let walks = 0
      await fc.assert(
        fc.asyncProperty(
          anyWalk(collection),
          fc.array(collection.row, { minLength: 12, maxLength: 12 }),
          async (walk, some) => {
            if (performance.now() > until) return
            walks++
            await topUp(collection, some)
            await walkThereAndBack(collection, walk)
            await walkAmongChanges(collection, walk)
          },
        ),
        { seed, numRuns: runs, endOnFailure: true },
      )
      t.diagnostic(`${walks} walks`)
    })
  }

  it('of availability shows every period once, forwards and backwards', async () => {
    const { unitTypeId, unitIds } = await house.rooms(3)
    for (const [index, unitId] of unitIds.entries()) {
      const dates = { startDate: `2026-07-0${1 + index}`, endDate: `2026-07-0${3 + 2 * index}` }
      await house.stay({ ...dates, units: [{ unitTypeId, unitId }] })
    }
    const filter = 'filter[startDate]=2026-06-01&filter[endDate]=2026-09-01'
    for (const path of ['/api/v2/availability/unit-types', '/api/v2/availability/units']) {
      const sorts = [[], [{ path: 'quantity', descending: true }], [{ path: 'endDate', descending: false }]]
      for (const [index, sort] of sorts.entries()) {
        await walkThereAndBack({ path } as Walked, { sort, filter, size: 2 + index })
      }
    }
  })
})
