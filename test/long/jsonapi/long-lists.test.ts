import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openHouse, type ReservationHouse } from '../../reservation/api/house.ts'
import fc, { seed } from '../../seed.ts'

const runs = Number(process.env.LISTS_RUNS ?? 25)
/** More rows than are looked through as a whole for one page. */
const rows = 2_600
const longestMs = 8_000

type Values = Record<string, unknown>
interface Row {
  id: string
  attributes: Values & { stays: Values[] }
}

const words = ['Leisure', 'Business', 'Other', null] as const
const channels = ['Direct', 'direct', 'Böoking', 'BÖOKING', 'a%b', 'a_b', 'Expedia', null] as const
const names = ['Müller', 'MÜLLER', 'Muller', 'de Vries', 'Ng', "O'Neill", 'Ωmega'] as const
const comments = ['', 'late', 'LATE arrival', 'früh', null] as const

let house: ReservationHouse
let unitTypeId: string
/** All reservations, as they were last read, in the order of their creation. */
let known: Map<string, Row>
before(async () => {
  house = await openHouse()
  unitTypeId = (await house.rooms(0)).unitTypeId
  for (let first = 0; first < rows; first += 100) {
    // So many ids as this takes are not made in one moment.
    house.clock.advance(1)
    const data = Array.from({ length: 100 }, (_, index) => booking(first + index))
    const { status, body, text } = await house.ask('POST', '/api/config/v1/imports', { body: { data } })
    assert.equal(status, 200, text)
    assert.equal(body.meta.accepted, 100, text.slice(0, 500))
  }
  known = new Map((await walk('page[size]=100')).map((row) => [row.id, row]))
})
after(() => house.stop())

/** The same bookings each time, with the values of their fields at random for whoever looks. */
function booking(number: number): Values {
  const pick = <T>(list: readonly T[], step: number) => list[(number * step + (number >> 3)) % list.length]!
  const day = 1 + ((number * 7) % 28)
  return {
    externalId: `L-${number}`,
    channel: pick(channels, 5),
    purpose: pick(words, 3),
    comment: pick(comments, 7),
    stays: [
      {
        externalId: `L-${number}-1`,
        startDate: `2026-07-${String(day).padStart(2, '0')}`,
        endDate: '2026-08-01',
        status: number % 9 === 0 ? 'Tentative' : 'Confirmed',
        personCount: { adults: 1 + (number % 3) },
        units: [{ unitTypeId }],
        reservationIds: [{ type: 'Confirmation', value: `C ${number % 700}` }],
        amount: number % 4 === 0 ? null : { currency: 'EUR', amountWithTax: number % 50 },
        comment: pick(comments, 11),
        profiles: [{ firstName: `F${number}`, lastName: pick(names, 1) }],
      },
    ],
  }
}

async function walk(query: string): Promise<Row[]> {
  const found: Row[] = []
  for (let next: string | undefined = `/api/v2/reservations?${query}`; next; ) {
    const { status, body, text } = await house.ask('GET', next)
    assert.equal(status, 200, `${next}\n${text}`)
    found.push(...body.data)
    next = body.links.next
  }
  return found
}

/** A filter as it is asked, and as somebody who reads the documents one by one understands it. */
interface Asked {
  query: string
  holds(row: Row): boolean
}

const textOf = (value: unknown) => String(value).normalize('NFC').toLowerCase()
const stayed = (test: (stay: Values) => boolean) => (row: Row) => row.attributes.stays.some(test)

const anyFilter: fc.Arbitrary<Asked> = fc.oneof(
  fc.constantFrom(...channels.filter((each) => each !== null)).map((value) => ({
    query: `filter[channel]=${encodeURIComponent(value)}`,
    holds: ({ attributes }: Row) => attributes.channel === value,
  })),
  fc.constantFrom('ire', 'BÖ', '%', '_', 'a_', 'zz').map((value) => ({
    query: `filter[channel][like]=${encodeURIComponent(value)}`,
    holds: ({ attributes: { channel } }: Row) => channel !== null && textOf(channel).includes(textOf(value)),
  })),
  fc.constantFrom('Leisure', 'Other').map((value) => ({
    query: `filter[purpose][ne]=${value}`,
    holds: ({ attributes }: Row) => attributes.purpose !== value,
  })),
  fc.constantFrom('purpose', 'comment', 'channel', 'due').map((name) => ({
    query: `filter[${name}][isnull]=1`,
    holds: ({ attributes }: Row) => attributes[name] === null,
  })),
  fc.constantFrom(100, 2_500, 4_900, 1_000_000).map((value) => ({
    query: `filter[due][gte]=${value}`,
    holds: ({ attributes: { due } }: Row) => due !== null && Number(due) >= value,
  })),
  fc.constantFrom('late', 'FRÜH', 'rr').map((value) => ({
    query: `filter[stays.comment][like]=${encodeURIComponent(value)}`,
    holds: stayed(({ comment }) => comment !== null && textOf(comment).includes(textOf(value))),
  })),
  fc
    .tuple(fc.constantFrom('Tentative', 'Confirmed', 'Canceled'), fc.constantFrom('2026-07-03', '2026-07-20'))
    .map(([status, day]) => ({
      query: `filter[stays.status]=${status}&filter[stays.startDate][lt]=${day}`,
      holds: stayed((stay) => stay.status === status && String(stay.startDate) < day),
    })),
  fc.constantFrom('c 1', '99', '5').map((value) => ({
    query: `filter[reservationIds.value][like]=${encodeURIComponent(value)}`,
    holds: stayed(({ reservationIds }) =>
      (reservationIds as Values[]).some((each) => textOf(each.value).includes(value)),
    ),
  })),
  fc.constantFrom(1, 3).map((value) => ({
    query: `filter[stays.personCount.adults]=${value}`,
    holds: stayed(({ personCount }) => (personCount as Values).adults === value),
  })),
)

const sortNames = ['channel', 'purpose', 'comment', 'due', 'arrival', 'externalId', 'status', 'createdAt']
const anySort = fc.uniqueArray(fc.record({ path: fc.constantFrom(...sortNames), descending: fc.boolean() }), {
  maxLength: 3,
  selector: ({ path }) => path,
})
type Sort = { path: string; descending: boolean }[]

function compared(left: unknown, right: unknown): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
  return Number(left) - Number(right)
}

const inOrder = (sort: Sort) => (one: Row, other: Row) => {
  for (const { path, descending } of sort) {
    const order = compared(one.attributes[path] ?? null, other.attributes[path] ?? null)
    if (order !== 0) return descending ? -order : order
  }
  return compared(one.id, other.id)
}

const anyChange = fc.oneof(
  fc.record({
    is: fc.constant('patch' as const),
    which: fc.nat(),
    body: fc.oneof(
      fc.constantFrom(...channels).map((channel) => ({ channel })),
      fc.constantFrom(...words).map((purpose) => ({ purpose })),
      fc.constantFrom(...comments).map((comment) => ({ comment })),
    ),
  }),
  fc.record({
    is: fc.constant('patch stay' as const),
    which: fc.nat(),
    body: fc.oneof(
      fc.constantFrom(...comments).map((comment) => ({ comment })),
      fc.constant({ status: 'Canceled' }),
      fc.integer({ min: 1, max: 3 }).map((adults) => ({ personCount: { adults } })),
      fc.integer({ min: 0, max: 60 }).map((price) => ({ amount: { currency: 'EUR', amountWithTax: price } })),
    ),
  }),
  fc.record({ is: fc.constant('make' as const), number: fc.integer({ min: rows, max: rows * 10 }) }),
  fc.record({ is: fc.constant('remove' as const), which: fc.nat() }),
)
type Change = typeof anyChange extends fc.Arbitrary<infer C> ? C : never

let made = 0
async function happen(change: Change): Promise<void> {
  if (change.is === 'make') {
    const { stays, ...rest } = booking(change.number)
    const [stay] = stays as Values[]
    const again = { ...rest, externalId: `M-${++made}`, stays: [{ ...stay, externalId: `M-${made}-1` }] }
    const { status, body, text } = await house.ask('POST', '/api/v2/reservations', { body: again })
    assert.equal(status, 201, text)
    known.set(body.data.id, body.data)
    return
  }
  const ids = [...known.keys()]
  const id = ids[change.which % ids.length]!
  const path = `/api/v2/reservations/${id}`
  if (change.is === 'remove') {
    const { status, text } = await house.ask('DELETE', path)
    // One with payments or keys stays.
    assert.ok(status === 204 || text.includes('"code":"resource-referenced"'), text)
    if (status === 204) known.delete(id)
    return
  }
  const [stay] = known.get(id)!.attributes.stays
  const at = change.is === 'patch' || !stay ? path : `${path}/stays/${stay.id}`
  const { status, text } = await house.ask('PATCH', at, { body: change.body })
  assert.ok([204, 409, 422].includes(status), text)
  known.set(id, (await house.ask('GET', path)).body.data)
}

describe(`a list of ${rows} reservations (TEST_SEED=${seed})`, () => {
  it('equals its documents, in order, after any write', async (t) => {
    const until = performance.now() + longestMs
    let questions = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyChange, { maxLength: 6 }),
        fc.array(fc.record({ filters: fc.array(anyFilter, { minLength: 1, maxLength: 2 }), sort: anySort }), {
          minLength: 1,
          maxLength: 3,
        }),
        async (changes, asked) => {
          if (performance.now() > until) return
          for (const change of changes) await happen(change)
          for (const { filters, sort } of asked) {
            questions++
            await expectTruth(filters, sort)
          }
        },
      ),
      { seed, numRuns: runs, endOnFailure: true },
    )
    t.diagnostic(`${questions} questions`)
  })
})

/** Filters of one path of stays would be about one and the same stay, so no two of them are asked together. */
async function expectTruth(filters: Asked[], sort: Sort): Promise<void> {
  const isOfStays = ({ query }: Asked) => /stays|reservationIds/.test(query)
  const apart = filters.filter((each, index) => !isOfStays(each) || index === filters.findIndex(isOfStays))
  const order = sort.map(({ path, descending }) => (descending ? `-${path}` : path)).join()
  const query = [...apart.map((each) => each.query), order && `sort=${order}`, 'page[size]=100']
  const expected = [...known.values()]
    .filter((row) => apart.every(({ holds }) => holds(row)))
    .sort(inOrder(sort))
    .map(({ id }) => id)
  const asked = query.filter(Boolean).join('&')
  const found = (await walk(asked)).map(({ id }) => id)
  assert.deepEqual(found, expected, asked)
  const { body } = await house.ask('GET', `/api/v2/reservations?${asked}&withTotal=true`)
  const isMore = expected.length > 1_000
  assert.deepEqual(
    body.meta,
    isMore ? { total: 1_000, totalIsAtLeast: true } : { total: expected.length },
    asked,
  )
}
