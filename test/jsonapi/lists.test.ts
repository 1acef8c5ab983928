import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Reply, startAppliance } from '../appliance.ts'
import { play, type Scenario } from './scenario.ts'

const lengthIs = (expected: number) => (reply: Reply) => assert.equal(reply.body.data.length, expected)
const namesAre =
  (...expected: string[]) =>
  ({ body }: Reply) =>
    assert.deepEqual(
      body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name),
      expected,
    )
const linksAre =
  (...expected: string[]) =>
  ({ body }: Reply) =>
    assert.deepEqual(Object.keys(body.links), expected)

const paging: Scenario[] = [
  {
    name: 'gives ten, and a link to the next',
    ask: 'GET /api/v2/units',
    status: 200,
    holds: { links: { self: '/api/v2/units' } },
    also(reply) {
      lengthIs(10)(reply)
      linksAre('self', 'next')(reply)
      assert.deepEqual(Object.keys(reply.body), ['data', 'links'])
    },
  },
  {
    name: 'gives all on one page, with no link but to itself',
    ask: 'GET /api/v2/units?page[size]=100',
    status: 200,
    holds: { links: { self: '/api/v2/units?page%5Bsize%5D=100' } },
    also(reply) {
      lengthIs(40)(reply)
      linksAre('self')(reply)
    },
  },
  {
    name: 'keeps filters, order and size in its links',
    ask: 'GET /api/v2/units?filter[floor]=2&sort=-name&page[size]=2',
    status: 200,
    also(reply) {
      namesAre('216', '215')(reply)
      const next = new URL(reply.body.links.next, 'http://x')
      assert.equal(next.pathname, '/api/v2/units')
      assert.deepEqual(
        [...next.searchParams],
        [
          ['filter[floor]', '2'],
          ['sort', '-name'],
          ['page[size]', '2'],
          ['page[after]', reply.body.data[1].id],
        ],
      )
    },
  },
  {
    name: 'has a link back when the request went on from a cursor, and none to a next page that is not there',
    ask: 'GET /api/v2/unit-types?page[after]=:single&page[size]=3',
    status: 200,
    also(reply) {
      linksAre('self', 'prev')(reply)
      assert.match(reply.body.links.prev, new RegExp(`page%5Bbefore%5D=${reply.body.data[0].id}`))
    },
  },
  {
    name: 'goes backwards in the same order, and forward again',
    ask: 'GET /api/v2/unit-types?page[before]=:double&page[size]=3',
    status: 200,
    also(reply) {
      namesAre('Single')(reply)
      linksAre('self', 'next')(reply)
    },
  },
  {
    name: 'has nothing before the first, and from there a link to the start',
    ask: 'GET /api/v2/unit-types?page[before]=:single&page[size]=3',
    status: 200,
    holds: { links: { next: '/api/v2/unit-types?page%5Bsize%5D=3' } },
    also(reply) {
      lengthIs(0)(reply)
      linksAre('self', 'next')(reply)
    },
  },
  ...['0', '-1', '101', 'ten', '', '1.5', '99999999999'].map((size) => ({
    name: `refuses the size ${size || 'nothing'}`,
    ask: `GET /api/v2/units?page[size]=${size}`,
    status: 400,
    code: 'invalid-page-size',
    source: { parameter: 'page[size]' },
    holds: { errors: [{ meta: { page: { maxSize: 100 } } }] },
  })),
  ...[
    ['units?page[size]=1&filter[floor]=1', 10],
    ['units?page[after]=:unit&page[size]=5', 40],
    ['reservations?filter[profile.lastName][like]=lindstr', 1],
    ['access/controllers?page[size]=1', 1],
    ['availability/unit-types?page[size]=1', 11],
  ].map(([path, total]) => ({
    name: `counts ${path} if it is asked to`,
    ask: `GET /api/v2/${path}&withTotal=true`,
    status: 200,
    also: ({ body }: Reply) => assert.deepEqual(body.meta, { total }),
  })),
  {
    name: 'counts nothing if it is asked not to',
    ask: 'GET /api/v2/units?withTotal=false',
    status: 200,
    also: ({ body }) => assert.ok(!('meta' in body)),
  },
  {
    name: 'refuses another word for yes',
    ask: 'GET /api/v2/units?withTotal=1',
    status: 400,
    code: 'malformed-request',
    source: { parameter: 'withTotal' },
  },
  ...['number', 'total'].map((name) => ({
    name: `has no page[${name}]`,
    ask: `GET /api/v2/units?page[${name}]=1`,
    status: 400,
    code: 'unknown-parameter',
    source: { parameter: `page[${name}]` },
  })),
  {
    name: 'refuses a range',
    ask: 'GET /api/v2/units?page[after]=:unit&page[before]=:unit',
    status: 400,
    code: 'range-pagination-unsupported',
  },
  ...[':nobody', ':single', 'SGL', ''].map((cursor) => ({
    name: `does not know the cursor ${cursor || 'nothing'}`,
    ask: `GET /api/v2/units?page[after]=${cursor}`,
    status: 400,
    code: 'page-cursor-unknown',
    source: { parameter: 'page[after]' },
  })),
]

const operators = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'like', 'isnull', 'notnull']
const filtering: Scenario[] = [
  {
    name: 'is by equality unless said otherwise',
    ask: 'GET /api/v2/units?filter[name]=102',
    status: 200,
    also: namesAre('102'),
  },
  {
    name: 'joins filters with and',
    ask: 'GET /api/v2/units?filter[floor]=1&filter[status]=Dirty',
    status: 200,
    also: namesAre('105', '110'),
  },
  {
    name: 'follows relationships',
    ask: 'GET /api/v2/units?filter[unitType.code]=STE&sort=-name',
    status: 200,
    also: namesAre('404', '403', '402', '401'),
  },
  {
    name: 'takes the example of the interface',
    ask: 'GET /api/v2/reservations?filter[profile.lastName][like]=LINDSTRÖM',
    status: 200,
    also: lengthIs(1),
  },
  {
    name: 'finds nothing as an empty list',
    ask: 'GET /api/v2/units?filter[name]=none',
    status: 200,
    also: lengthIs(0),
  },
  {
    name: 'counts an unknown id as nothing',
    ask: 'GET /api/v2/units?filter[unitTypeId]=:nobody',
    status: 200,
    also: lengthIs(0),
  },
  {
    name: 'refuses a field there is not, with those there are',
    ask: 'GET /api/v2/units?filter[stars]=5',
    status: 400,
    code: 'invalid-filter-field',
    source: { parameter: 'filter[stars]' },
    holds: { errors: [{ meta: { supportedOperators: operators } }] },
    also: ({ body }) => {
      const { allowed } = body.errors[0].meta
      for (const name of ['id', 'name', 'unitTypeId', 'amenities', 'createdAt'])
        assert.ok(allowed.includes(name), name)
    },
  },
  {
    name: 'refuses an object by itself, with its members',
    ask: 'GET /api/v2/properties?filter[address]=Lisboa',
    status: 400,
    code: 'invalid-filter-field',
    also: ({ body }) => {
      const { allowed } = body.errors[0].meta
      assert.ok(allowed.includes('address.city'))
      assert.ok(!allowed.includes('address'))
    },
  },
  {
    name: 'refuses an operator there is not, with those there are',
    ask: 'GET /api/v2/units?filter[name][regex]=1',
    status: 400,
    code: 'invalid-filter-operator',
    source: { parameter: 'filter[name][regex]' },
    holds: { errors: [{ meta: { supportedOperators: operators } }] },
  },
  ...[
    'filter[profile][lastName][like]=LINDSTRÖM',
    'filter[profile.lastName][like]=lindström',
    'filter[stays][profiles][lastName]=Lindström',
    'filter[stays.profiles][lastName][eq]=Lindström',
    'filter[reservationIds][searchForm]=NP-1003',
    'filter%5Bstays%5D%5BreservationIds%5D%5Bvalue%5D%5Blike%5D=np-1003',
  ].map((filter) => ({
    name: `reads brackets as it reads dots: ${filter}`,
    ask: `GET /api/v2/reservations?${filter}`,
    status: 200,
    also: lengthIs(1),
  })),
  ...[
    ['invalid-filter-field', 'filter[a][b][c]', 'filter[a][b][c] cannot be filtered.'],
    [
      'invalid-filter-field',
      'filter[reservationIds][colour]',
      'filter[reservationIds][colour] cannot be filtered.',
    ],
    [
      'invalid-filter-field',
      'filter[reservationIds][like]',
      'filter[reservationIds][like] cannot be filtered.',
    ],
    ['invalid-filter-operator', 'filter[profile][lastName][regex]', 'Unknown operator regex;'],
    ['invalid-filter-value', 'filter[stays][startDate]', 'filter[stays][startDate]: expected date'],
  ].map(([code, parameter, detail]) => ({
    name: `names a filter as the client wrote it: ${parameter}`,
    ask: `GET /api/v2/reservations?${parameter}=1`,
    status: 400,
    code: code!,
    source: { parameter: parameter! },
    also: ({ body }: Reply) => assert.ok(body.errors[0].detail.startsWith(detail), body.errors[0].detail),
  })),
  {
    name: 'names a filter on availability as the client wrote it',
    ask: 'GET /api/v2/availability/units?filter[startDate][gt]=2026-06-01',
    status: 400,
    code: 'invalid-filter-operator',
    source: { parameter: 'filter[startDate][gt]' },
  },
  {
    name: 'refuses a value that is none, with what is expected',
    ask: 'GET /api/v2/access/keys?filter[startDate]=soon',
    status: 400,
    code: 'invalid-filter-value',
    source: { parameter: 'filter[startDate]' },
    holds: { errors: [{ meta: { expected: 'date (YYYY-MM-DD); a timestamp is read as its day' } }] },
  },
  ...[
    'filter',
    'filter[]',
    'filter[a][]',
    'filter[a]b',
    'limit',
    'sort[name]',
    'page',
    'fields',
    'include[units]',
  ].map((name) => ({
    name: `does not know the parameter ${name}`,
    ask: `GET /api/v2/units?${name}=1`,
    status: 400,
    code: 'unknown-parameter',
    source: { parameter: name },
  })),
  {
    name: 'has an end',
    ask: `GET /api/v2/units?${'filter[name]=1&'.repeat(31)}`,
    status: 400,
    code: 'malformed-request',
  },
]

const sorting: Scenario[] = [
  {
    name: 'is upwards, and downwards with a minus',
    ask: 'GET /api/v2/units?sort=-floor,name&page[size]=2',
    status: 200,
    also: namesAre('401', '402'),
  },
  {
    name: 'is in the order of creation unless said otherwise',
    ask: 'GET /api/v2/unit-types',
    status: 200,
    also: namesAre('Single', 'Double', 'Family room', 'Suite'),
  },
  {
    name: 'refuses a field there is not, with those there are',
    ask: 'GET /api/v2/units?sort=name,stars',
    status: 400,
    code: 'invalid-sort-field',
    source: { parameter: 'sort' },
    also: ({ body }) => {
      const { allowed } = body.errors[0].meta
      for (const name of ['id', 'name', 'createdAt']) assert.ok(allowed.includes(name), name)
      assert.ok(!allowed.includes('amenities'))
    },
  },
  ...['amenities', 'unitType.code', '-'].map((path) => ({
    name: `does not go by ${path}`,
    ask: `GET /api/v2/units?sort=${path}`,
    status: 400,
    code: 'invalid-sort-field',
  })),
]

const choosing: Scenario[] = [
  {
    name: 'shows the fields that are asked for, and no others',
    ask: 'GET /api/v2/units/:unit?fields[unit]=name,unitType',
    status: 200,
    also: ({ body: { data } }) => {
      assert.deepEqual(data.attributes, { name: '101' })
      assert.deepEqual(Object.keys(data.relationships), ['unitType'])
    },
    says: { etag: null },
  },
  {
    name: 'shows none where none is asked for',
    ask: 'GET /api/v2/units?fields[unit]=&page[size]=1',
    status: 200,
    also: ({ body: { data } }) => assert.deepEqual(data[0].attributes, {}),
  },
  {
    name: 'shows fewer fields of what comes along',
    ask: 'GET /api/v2/units/:unit?include=unitType&fields[unit-type]=code',
    status: 200,
    holds: { included: [{ type: 'unit-type', id: ':single', attributes: { code: 'SGL' } }] },
    lacks: ['maxOccupancy'],
  },
  {
    name: 'refuses fields there are not',
    ask: 'GET /api/v2/units?fields[unit]=stars',
    status: 400,
    code: 'invalid-fields',
    source: { parameter: 'fields[unit]' },
  },
  {
    name: 'refuses fields of what there is not',
    ask: 'GET /api/v2/units?fields[ship]=name',
    status: 400,
    code: 'invalid-fields',
  },
  {
    name: 'brings each thing along once',
    ask: 'GET /api/v2/units?filter[floor]=1&include=unitType',
    status: 200,
    also: ({ body }) => assert.equal(body.included.length, 1),
  },
  {
    name: 'may be read after a unit was given to the stay',
    ask: 'POST /api/v2/reservations/:reservation/stays/:stay/unit-assignment',
    status: 200,
  },
  {
    name: 'brings along what is related to the related',
    ask: 'GET /api/v2/reservations/:reservation?include=stays.profiles,stays.units',
    status: 200,
    also: ({ body }) => {
      const types = body.included.map(({ type }: { type: string }) => type)
      assert.deepEqual([...new Set(types)].sort(), ['profile', 'stay', 'unit'])
    },
  },
  {
    name: 'brings nothing along where nothing is related',
    ask: 'GET /api/v2/units/:unit?include=amenities',
    status: 200,
    also: ({ body }) => assert.deepEqual(body.included, []),
  },
  ...['stars', 'name', 'unitType.stars', 'amenities.units', 'unitType.amenities.x'].map((path) => ({
    name: `cannot bring ${path} along`,
    ask: `GET /api/v2/units?include=${path}`,
    status: 400,
    code: 'invalid-include',
    source: { parameter: 'include' },
    holds: { errors: [{ meta: { allowed: ['unitType', 'amenities'] } }] },
  })),
  {
    name: 'brings only so many kinds along',
    ask: `GET /api/v2/units?include=${Array.from({ length: 21 }, () => 'unitType').join()}`,
    status: 400,
    code: 'invalid-include',
  },
  {
    name: 'takes no list parameters for one thing',
    ask: 'GET /api/v2/units/:unit?filter[name]=101',
    status: 400,
    code: 'unknown-parameter',
  },
]

describe('a list', () => play(paging))
describe('filtering', () => play(filtering))
describe('sorting', () => play(sorting))
describe('a document', () => play(choosing))

describe('a list that is read again and again', () => {
  it('has the links of each URL that leads to it', async () => {
    const house = await startAppliance()
    const urls = ['filter[floor]=2&sort=-name', 'sort=-name&filter[floor]=2'].map(
      (query) => `/api/v2/units?${query}`,
    )
    for (let time = 0; time < 4; time++) {
      const replies = await Promise.all(urls.map((url) => house.ask('GET', url)))
      assert.deepEqual(
        replies.map(({ body }) => decodeURIComponent(body.links.self)),
        urls,
      )
      assert.deepEqual(replies[0]!.body.data, replies[1]!.body.data)
    }
    await house.stop()
  })
})

describe('following links', () => {
  it('goes through every page to the end, and through the same pages back to the start', async () => {
    const house = await startAppliance()
    const pages: Reply['body'][] = []
    let path: string | undefined = '/api/v2/units?sort=-status,name&page[size]=7&fields[unit]=name'
    while (path !== undefined) {
      pages.push((await house.ask('GET', path)).body)
      path = pages.at(-1).links.next
    }
    assert.deepEqual(
      pages.map(({ data }) => data.length),
      [7, 7, 7, 7, 7, 5],
    )
    const back = [pages.at(-1)]
    for (path = pages.at(-1).links.prev; path !== undefined; path = back.at(-1).links.prev) {
      back.push((await house.ask('GET', path)).body)
    }
    assert.deepEqual(
      back.map(({ data }) => data),
      pages.map(({ data }) => data).reverse(),
    )
    const [first, second] = back.toReversed()
    assert.deepEqual((await house.ask('GET', first.links.next)).body.data, second.data)
    await house.stop()
  })

  it('goes back from beyond the end to the last page', async () => {
    const house = await startAppliance()
    const ask = async (path: string): Promise<Reply['body']> => (await house.ask('GET', path)).body
    const ids = ({ data }: Reply['body']) => data.map(({ id }: { id: string }) => id)
    const all = ids(await ask('/api/v2/units?sort=-name&page[size]=100'))
    const beyond = (size: number, id: string) =>
      `/api/v2/units?sort=-name&page[size]=${size}&page[after]=${id}`
    for (const size of [1, 7, 39, 40, 100]) {
      const end = await ask(beyond(size, all.at(-1)))
      assert.deepEqual([end.data, end.links.next], [[], undefined])
      const last = await ask(end.links.prev)
      assert.deepEqual(ids(last), all.slice(-size))
      assert.equal(last.links.next, undefined)
    }
    await house.ask('DELETE', `/api/v2/units/${all.at(-1)}`)
    const end = await ask(beyond(7, all.at(-1)))
    assert.deepEqual(ids(await ask(end.links.prev)), all.slice(-8, -1))
    await house.stop()
  })
})
