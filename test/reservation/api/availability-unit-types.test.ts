import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { monday } from '../../appliance.ts'
import { openHouse, type ReservationHouse, refused, today, tomorrow } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { inHouse, withUnit } from './stay-samples.ts'

const list = '/api/v2/availability/unit-types'
const ofType = `${list}?filter[unitTypeId]={unitTypeId}`
const julyOf = (days: string) => `${ofType}&filter[startDate]=2026-07-01&filter[endDate]=2026-07-${days}`
const july = (start: string, end: string, quantity: number) => ({
  startDate: `2026-07-${start}`,
  endDate: `2026-07-${end}`,
  quantity,
})
const unknown = '0197c0de-0000-7000-8000-000000000000'

/** A type of three units, and a stay on it from the 3rd to the 5th of July. */
async function booked(house: ReservationHouse, stay: Record<string, unknown> = {}) {
  const { unitTypeId, unitIds } = await house.rooms(3)
  const units = [{ unitTypeId }]
  const made = await house.stay({ units, startDate: '2026-07-03', endDate: '2026-07-05', ...stay })
  return {
    ...made,
    unitTypeId,
    unitIds,
    unit: unitIds[0],
    code: (await house.attributes(`/api/v2/unit-types/${unitTypeId}`)).code,
  }
}

/** What upstream says of the type of the three units. */
async function tell(house: ReservationHouse, unitTypeId: string, body: unknown) {
  const told = await house.ask('PATCH', `${list}/${unitTypeId}`, { body })
  assert.equal(told.status, 204, told.text)
}

async function told(
  house: ReservationHouse,
  ...quantities: [start: string, end: string, quantity: number][]
) {
  const made = await booked(house)
  await tell(
    house,
    made.unitTypeId,
    quantities.map((each) => july(...each)),
  )
  return made
}

const shows = (
  name: string,
  given: Scenario['given'],
  days: string,
  lists: Record<string, unknown>[],
): Scenario => ({
  name,
  ...(given && { given }),
  request: ['GET', julyOf(days)],
  status: 200,
  header: ['x-stability', /^beta$/],
  lists,
})

scenarios('What is left of a unit type, where upstream told nothing', [
  shows('the units of the type less what stays hold, in merged periods', booked, '10', [
    july('01', '02', 3),
    july('03', '04', 2),
    july('05', '10', 3),
  ]),
  {
    name: 'by code as well; from today, for 365 days, unless it says otherwise',
    given: booked,
    request: ['GET', `${list}?filter[unitTypeId]={code}`],
    status: 200,
    lists: [
      { startDate: today, endDate: '2026-07-02', quantity: 3 },
      july('03', '04', 2),
      { startDate: '2026-07-05', endDate: '2027-06-01', quantity: 3 },
    ],
  },
  shows(
    'an option holds its unit, who waits does not',
    async (house) => {
      const made = await booked(house, { status: 'Tentative' })
      await house.stay({
        units: [{ unitTypeId: made.unitTypeId }],
        startDate: '2026-07-01',
        endDate: '2026-07-02',
        status: 'Waitlisted',
      })
      return made
    },
    '05',
    [july('01', '02', 3), july('03', '04', 2), july('05', '05', 3)],
  ),
  shows(
    'a day use holds its day',
    (house) =>
      booked(house, { startDate: '2026-07-02', startTime: '09:00', endDate: '2026-07-02', endTime: '14:00' }),
    '03',
    [july('01', '01', 3), july('02', '02', 2), july('03', '03', 3)],
  ),
  shows(
    'a stay of two units holds both',
    async (house) => {
      const { unitTypeId } = await house.rooms(3)
      await house.stay({
        units: [{ unitTypeId }, { unitTypeId }],
        startDate: '2026-07-01',
        endDate: '2026-07-02',
      })
      return { unitTypeId }
    },
    '02',
    [july('01', '01', 1), july('02', '02', 3)],
  ),
  shows(
    'a unit that is out of order is none; one out of service is',
    async (house) => {
      const made = await booked(house)
      await house.ask('PATCH', `/api/v2/units/${made.unitIds[0]}`, { body: { status: 'OutOfOrder' } })
      await house.ask('PATCH', `/api/v2/units/${made.unitIds[1]}`, { body: { status: 'OutOfService' } })
      return made
    },
    '03',
    [july('01', '02', 2), july('03', '03', 1)],
  ),
  shows(
    'a blocked unit is none on its dates',
    async (house) => {
      const made = await booked(house)
      const body = [{ startDate: '2026-07-02', endDate: '2026-07-03', quantity: 0 }]
      assert.equal(
        (await house.ask('PATCH', `/api/v2/availability/units/${made.unitIds[0]}`, { body })).status,
        204,
      )
      return made
    },
    '05',
    [july('01', '01', 3), july('02', '02', 2), july('03', '03', 1), july('04', '04', 2), july('05', '05', 3)],
  ),
  shows(
    'fewer than none is shown as none',
    async (house) => {
      const { unitTypeId } = await house.rooms(1)
      for (const _ of [1, 2, 3])
        await house.told({ units: [{ unitTypeId }], startDate: '2026-07-01', endDate: '2026-07-02' })
      return { unitTypeId }
    },
    '01',
    [july('01', '01', 0)],
  ),
  shows('nothing, of a type without units', async ({ rooms }) => rooms(0), '10', []),
  {
    name: 'nothing, of a type that is not there',
    request: ['GET', `${list}?filter[unitTypeId]=${unknown}`],
    status: 200,
    lists: [],
  },
])

scenarios('What is left of a unit type, where upstream told it', [
  shows(
    'is what it told, and what it told nothing of is counted here',
    (house) => told(house, ['01', '03', 7]),
    '06',
    [july('01', '03', 7), july('04', '04', 2), july('05', '06', 3)],
  ),
  shows(
    'less what was booked here since, whoever booked it',
    async (house) => {
      const made = await told(house, ['01', '06', 2])
      const units = [{ unitTypeId: made.unitTypeId }]
      await house.stay({ units, startDate: '2026-07-02', endDate: '2026-07-04' })
      await house.told({ units, startDate: '2026-07-03', endDate: '2026-07-04' })
      return made
    },
    '06',
    [july('01', '01', 2), july('02', '02', 1), july('03', '03', 0), july('04', '06', 2)],
  ),
  shows(
    'plus what was released here since',
    async (house) => {
      const made = await told(house, ['01', '06', 2])
      await house.ask('PATCH', made.path, { body: { status: 'Canceled' } })
      return made
    },
    '06',
    [july('01', '02', 2), july('03', '04', 3), july('05', '06', 2)],
  ),
  shows(
    'and what was moved',
    async (house) => {
      const made = await told(house, ['01', '06', 2])
      await house.ask('PATCH', made.path, { body: { startDate: '2026-07-04', endDate: '2026-07-06' } })
      return made
    },
    '06',
    [july('01', '02', 2), july('03', '03', 3), july('04', '04', 2), july('05', '05', 1), july('06', '06', 2)],
  ),
  shows(
    'the last word counts, and only for its dates',
    async (house) => {
      const made = await told(house, ['01', '06', 2])
      await house.stay({
        units: [{ unitTypeId: made.unitTypeId }],
        startDate: '2026-07-01',
        endDate: '2026-07-07',
      })
      await tell(house, made.unitTypeId, [july('02', '03', 2)])
      return made
    },
    '06',
    [july('01', '01', 1), july('02', '03', 2), july('04', '06', 1)],
  ),
  shows(
    'also of a type of which there is no unit here',
    async (house) => {
      const { unitTypeId } = await house.rooms(0)
      await tell(house, unitTypeId, {
        data: [{ type: 'unit-type-availability', attributes: july('02', '03', 5) }],
      })
      return { unitTypeId }
    },
    '06',
    [july('02', '03', 5)],
  ),
  shows(
    'a unit that is blocked, or freed, after upstream told is one less, or one more',
    async (house) => {
      const made = await told(house, ['01', '06', 2])
      const block = (body: unknown) =>
        house.ask('PATCH', `/api/v2/availability/units/${made.unitIds[2]}`, { body })
      await block([{ ...july('01', '04', 0) }])
      await tell(house, made.unitTypeId, [july('03', '06', 2)])
      await block([{ ...july('02', '03', 1) }])
      return made
    },
    '06',
    [july('01', '01', 1), july('02', '02', 2), july('03', '03', 3), july('04', '06', 2)],
  ),
])

const patch = (name: string, body: unknown, status: number, more: Partial<Scenario> = {}): Scenario => ({
  name,
  given: booked,
  request: ['PATCH', `${list}/{unitTypeId}`, body],
  status,
  ...more,
})

scenarios('What upstream tells of a unit type', [
  patch(
    '204, in any order, enveloped or not',
    { data: [july('10', '12', 1), { attributes: july('01', '03', 0) }] },
    204,
    {
      header: ['x-stability', /^beta$/],
    },
  ),
  {
    ...patch('by code', [july('01', '02', 1)], 204),
    request: ['PATCH', `${list}/{code}`, [july('01', '02', 1)]],
  },
  patch(
    'times of day are taken, and change nothing',
    [{ ...july('01', '02', 1), startTime: '15:00', endTime: '11:00:00' }],
    204,
  ),
  patch(
    'what was read may be sent back',
    [
      {
        id: 'x',
        type: 'unit-type-availability',
        attributes: july('01', '02', 1),
        relationships: { unitType: { data: { type: 'unit-type', id: unknown } } },
      },
    ],
    204,
  ),
  patch(
    'periods with the same quantity have a gap between them',
    [july('01', '02', 1), july('04', '05', 1)],
    204,
  ),
  patch(
    'two that follow one another with the same quantity: 422 (Availability rule 2)',
    [july('03', '05', 1), july('01', '02', 1)],
    422,
    {
      error: { code: 'availability-not-compact', at: '/data/0/attributes/quantity', meta: { item: 1 } },
    },
  ),
  patch('two that overlap: 422', [july('01', '03', 1), july('03', '05', 2)], 422, {
    error: { code: 'validation-failed', at: '/data/1/attributes/startDate' },
  }),
  patch('an end before the start: 422', [july('03', '01', 1)], 422, {
    error: { code: 'end-before-start', at: '/data/0/attributes/endDate' },
  }),
  patch('less than none: 422', [july('01', '02', 1), july('03', '04', -1)], 422, {
    error: { code: 'validation-failed', at: '/data/1/attributes/quantity' },
  }),
  patch('half a unit: 422', [july('01', '02', 0.5)], 422, {
    error: { code: 'validation-failed', at: '/data/0/attributes/quantity' },
  }),
  patch('no quantity: 422', [{ startDate: today }], 422, {
    error: { code: 'validation-failed', at: '/data/0/attributes/quantity' },
  }),
  patch('a time with seconds: 422', [{ ...july('01', '02', 1), startTime: '15:00:30' }], 422, {
    error: { code: 'seconds-not-zero', at: '/data/0/attributes/startTime' },
  }),
  patch('a time with an offset: 400', [{ ...july('01', '02', 1), endTime: '15:00Z' }], 400, {
    error: { code: 'time-with-offset', at: '/data/0/attributes/endTime' },
  }),
  patch('no array: 422', july('01', '02', 1), 422, { error: { code: 'validation-failed' } }),
  patch('nothing: 422', [], 422, { error: { code: 'validation-failed' } }),
  patch(
    'another type of resource: 422',
    [{ type: 'unit-availability', attributes: july('01', '02', 1) }],
    422,
    {
      error: { code: 'validation-failed', meta: { allowed: ['unit-type-availability'] } },
    },
  ),
  patch('more than ten years: 422', [{ startDate: today, endDate: '2099-01-01', quantity: 1 }], 422, {
    error: { code: 'validation-failed', meta: { limit: 3_660 } },
  }),
  patch(
    'more than a thousand periods: 413',
    Array.from({ length: 1_001 }, () => ({ quantity: 1 })),
    413,
    {
      error: { code: 'batch-too-large', meta: { limit: 1_000 } },
    },
  ),
  {
    name: 'of a type that is not there: 404',
    request: ['PATCH', `${list}/${unknown}`, [july('01', '02', 1)]],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'needs availability.write, which the desk has not',
    given: async (house) => ({ ...(await booked(house)), desk: await house.tokenOf('frontdesk') }),
    as: 'desk',
    request: ['PATCH', `${list}/{unitTypeId}`, [july('01', '02', 1)]],
    status: 403,
    error: { code: 'scope-required', meta: { scope: 'availability.write' } },
  },
  {
    name: 'a trial changes nothing',
    given: async (house) => {
      const made = await booked(house)
      const path = `${list}/${made.unitTypeId}?dryRun=true`
      assert.equal((await house.ask('PATCH', path, { body: [july('01', '31', 9)] })).status, 204)
      return made
    },
    request: ['GET', julyOf('02')],
    status: 200,
    lists: [july('01', '02', 3)],
  },
])

const wrong = (query: string, code: string, parameter: string, status = 400): Scenario => ({
  name: `${query}: ${code}`,
  given: async (house) => {
    const reply = await house.ask('GET', `${list}?${query}`)
    assert.equal(reply.body.errors?.[0].source.parameter, parameter, reply.text)
    return {}
  },
  request: ['GET', `${list}?${query}`],
  status,
  error: { code },
})

scenarios('What a list of unit types’ availability is not asked', [
  wrong('filter[startDate]=soon', 'invalid-filter-value', 'filter[startDate]'),
  wrong('filter[startDate]=2026-02-30', 'invalid-filter-value', 'filter[startDate]'),
  wrong('filter[endDate]=1', 'invalid-filter-value', 'filter[endDate]'),
  wrong('filter[startDate]=2026-07-02&filter[endDate]=2026-07-01', 'invalid-filter-value', 'filter[endDate]'),
  wrong('filter[startDate]=2026-07-01&filter[endDate]=2027-07-02', 'period-too-long', 'filter[endDate]'),
  wrong('filter[startDate][gte]=2026-07-01', 'invalid-filter-operator', 'filter[startDate][gte]'),
  wrong('filter[startDate][between]=2026-07-01', 'invalid-filter-operator', 'filter[startDate][between]'),
  wrong(
    'filter[startDate]=2026-07-01&filter[startDate]=2026-07-02',
    'malformed-request',
    'filter[startDate]',
  ),
  wrong('filter[quantity]=1', 'invalid-filter-field', 'filter[quantity]'),
  wrong('filter[unitType.code]=DBL', 'invalid-filter-field', 'filter[unitType.code]'),
  wrong('filter[x]=1', 'invalid-filter-field', 'filter[x]'),
  wrong('sort=createdAt', 'invalid-sort-field', 'sort'),
  wrong('sort=x', 'invalid-sort-field', 'sort'),
  wrong('include=units', 'invalid-include', 'include'),
  wrong('page[size]=0', 'invalid-page-size', 'page[size]'),
  wrong('page[size]=101', 'invalid-page-size', 'page[size]'),
  wrong('page[after]=x', 'page-cursor-unknown', 'page[after]'),
  wrong(`page[after]=${unknown}`, 'page-cursor-unknown', 'page[after]'),
  wrong(`page[before]=${unknown}:2026-07-01`, 'page-cursor-unknown', 'page[before]'),
  wrong(
    `page[after]=${unknown}:2026-07-01&page[before]=${unknown}:2026-07-01`,
    'range-pagination-unsupported',
    'page[before]',
  ),
  wrong('page[number]=2', 'unknown-parameter', 'page[number]'),
])

describe('A list of unit types’ availability', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const read = async (query: string) => {
    const reply = await house.ask('GET', `${list}?${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  type Item = { id: string; attributes: { startDate: string; endDate: string; quantity: number } }

  it('is walked page by page, there and back', async () => {
    const { unitTypeId } = await house.rooms(3)
    for (const day of [1, 3, 5, 7, 9, 11])
      await house.stay({
        units: [{ unitTypeId }],
        startDate: `2026-07-${`${day}`.padStart(2, '0')}`,
        endDate: `2026-07-${`${day + 1}`.padStart(2, '0')}`,
      })
    for (const sort of ['', '&sort=-startDate', '&sort=quantity,-endDate', '&sort=-quantity', '&sort=-id']) {
      const query = `filter[unitTypeId]=${unitTypeId}&filter[startDate]=2026-07-01&filter[endDate]=2026-07-20${sort}`
      const whole: Item[] = (await read(`${query}&page[size]=100`)).data
      assert.equal(whole.length, 12)
      const pages: Item[][] = []
      let page = await read(`${query}&page[size]=5`)
      const there = page
      for (;;) {
        pages.push(page.data)
        if (!page.links.next) break
        page = (await house.ask('GET', page.links.next)).body
      }
      assert.deepEqual(pages.flat(), whole)
      assert.deepEqual(
        pages.map(({ length }) => length),
        [5, 5, 2],
      )
      const second = (await house.ask('GET', page.links.prev)).body
      assert.deepEqual(second.data, pages[1])
      assert.deepEqual((await house.ask('GET', second.links.prev)).body.data, there.data)
    }
  })

  it('goes on from a period that is another one by now', async () => {
    const { unitTypeId } = await house.rooms(2)
    const stay = { units: [{ unitTypeId }], startDate: '2026-07-02', endDate: '2026-07-03' }
    const { path } = await house.stay(stay)
    await house.stay({ ...stay, startDate: '2026-07-04', endDate: '2026-07-05' })
    const query = `filter[unitTypeId]=${unitTypeId}&filter[startDate]=2026-07-01&filter[endDate]=2026-07-06`
    const first = await read(`${query}&page[size]=2`)
    await house.ask('PATCH', path, { body: { status: 'Canceled' } })
    const rest = (await house.ask('GET', first.links.next)).body.data.map(
      ({ attributes }: Item) => attributes,
    )
    assert.deepEqual(rest, [july('04', '04', 1), july('05', '06', 2)])
  })

  it('brings the unit types along, and shows what it is asked for', async () => {
    const body = await read(
      'filter[unitTypeId]=DBL&include=unitType&fields[unit-type]=code&fields[unit-type-availability]=quantity,unitType&page[size]=1',
    )
    const [item] = body.data
    assert.deepEqual(Object.keys(item.attributes), ['quantity'])
    assert.deepEqual(item.relationships.unitType.data, { type: 'unit-type', id: body.included[0].id })
    assert.equal(item.id, `${body.included[0].id}:${today}`)
    assert.deepEqual(body.included[0].attributes, { code: 'DBL' })
  })

  it('lists every type that has units, the first one made first', async () => {
    const { data } = await read(`filter[endDate]=${today}&page[size]=100`)
    const types = (await house.ask('GET', '/api/v2/unit-types?page[size]=100')).body.data
    const ids = types.filter(
      ({ attributes }: { attributes: { quantity: number } }) => attributes.quantity > 0,
    )
    assert.deepEqual(
      data.map(({ id }: Item) => id),
      ids.map(({ id }: Item) => `${id}:${today}`),
    )
  })

  it('counts a guest who is past his time from check-in time on, and all of the next day', async () => {
    const { unitTypeId } = await inHouse(house)
    const left = async () =>
      (await read(`filter[unitTypeId]=${unitTypeId}&filter[endDate]=2026-06-10`)).data.map(
        ({ attributes }: Item) => attributes,
      )
    const hour = 3_600_000
    house.clock.set(monday + 21 * hour)
    assert.deepEqual(
      await left(),
      [{ startDate: tomorrow, endDate: '2026-06-10', quantity: 1 }],
      'at 14:00, 3 hours late',
    )
    house.clock.set(monday + 22 * hour)
    assert.deepEqual(await left(), [
      { startDate: tomorrow, endDate: tomorrow, quantity: 0 },
      { startDate: '2026-06-03', endDate: '2026-06-10', quantity: 1 },
    ])
    house.clock.set(monday + 36 * hour)
    assert.equal((await left())[0].quantity, 0, 'at 5:00 on the day after')
    house.clock.set(monday)
  })

  it('is told of, once for each type and change', async () => {
    const { unitTypeId, path, unitId } = await withUnit(house, {
      startDate: '2026-07-01',
      endDate: '2026-07-04',
    })
    const events = () =>
      house
        .journal(`unit-types/${unitTypeId}`)
        .filter(({ type }) => type === 'availability.changed')
        .map(({ data }) => data)
    const made = events().length
    await house.ask('PATCH', path, { body: { comment: 'Late' } })
    assert.equal(events().length, made, 'a comment changes nothing')
    await house.ask('PATCH', path, { body: { endDate: '2026-07-06' } })
    await house.ask('PATCH', path, { body: { status: 'Canceled' } })
    await house.ask('PATCH', `${list}/${unitTypeId}`, { body: [july('01', '31', 9)] })
    await house.ask('PATCH', `/api/v2/units/${unitId}`, { body: { status: 'OutOfOrder' } })
    assert.deepEqual(events().slice(made), [
      { startDate: '2026-07-04', endDate: '2026-07-05' },
      { startDate: '2026-07-01', endDate: '2026-07-05' },
      { startDate: '2026-07-01', endDate: '2026-07-31' },
      {},
    ])
  })

  it('forgets what was told of a type that goes', async () => {
    const { unitTypeId } = await house.rooms(0)
    await tell(house, unitTypeId, [july('01', '02', 1)])
    assert.equal((await house.ask('DELETE', `/api/v2/unit-types/${unitTypeId}`)).status, 204)
    assert.deepEqual((await read(`filter[unitTypeId]=${unitTypeId}`)).data, [])
  })

  it('is kept over a restart', async () => {
    const { unitTypeId } = await booked(house)
    await tell(house, unitTypeId, [july('04', '04', 8)])
    const query = `filter[unitTypeId]=${unitTypeId}&filter[startDate]=2026-07-01&filter[endDate]=2026-07-06`
    const { data } = await read(query)
    await house.restart()
    assert.deepEqual((await read(query)).data, data)
    assert.deepEqual(
      data.map(({ attributes }: Item) => attributes),
      [july('01', '02', 3), july('03', '03', 2), july('04', '04', 8), july('05', '06', 3)],
    )
  })

  it('refuses an If-Match of another revision', async () => {
    const { unitTypeId } = await house.rooms(1)
    const reply = await house.ask('PATCH', `${list}/${unitTypeId}`, {
      body: [july('01', '02', 1)],
      headers: { 'If-Match': '"99"' },
    })
    refused(reply, 412, 'revision-mismatch')
  })
})
