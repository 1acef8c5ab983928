import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { monday, type Reply } from '../../appliance.ts'
import { openHouse, type ReservationHouse, refused, today, tomorrow } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { inHouse, newStay } from './stay-samples.ts'

const list = '/api/v2/availability/units'
const unknown = '0197c0de-0000-7000-8000-000000000000'
const july = (start: string, end: string, quantity: number) => ({
  startDate: `2026-07-${start}`,
  endDate: `2026-07-${end}`,
  quantity,
})

/** A type of three units: the first is held from the 3rd to the 5th of July, the second blocked on the 10th. */
async function rooms(house: ReservationHouse) {
  const { unitTypeId, unitIds } = await house.rooms(3)
  const [held, blocked, free] = unitIds
  const stay = await house.stay({
    units: [{ unitTypeId, unitId: held }],
    startDate: '2026-07-03',
    endDate: '2026-07-05',
  })
  const body = [{ ...july('10', '10', 0), reason: 'Painting' }]
  assert.equal((await house.ask('PATCH', `${list}/${blocked}`, { body })).status, 204)
  return { unitTypeId, held, blocked, free, ...stay }
}

type Names = 'held' | 'blocked' | 'free'

/** Which of the three units a list shows. */
const shows = (
  name: string,
  query: string,
  units: Names[],
  given: (house: ReservationHouse) => Promise<object> = rooms,
): Scenario => ({
  name,
  given,
  request: ['GET', `${list}?filter[unitTypeId]={unitTypeId}&${query}`],
  status: 200,
  header: ['x-stability', /^beta$/],
  lists: units.map(() => ({ quantity: 1 })),
  related: { unit: units.map((each) => `{${each}}`) },
})

const from = (start: string, end: string) =>
  `filter[startDate]=2026-07-${start}&filter[endDate]=2026-07-${end}`

scenarios('Which units are free', [
  shows('all of them, on days on which nothing happens', from('20', '25'), ['held', 'blocked', 'free']),
  shows('not one that a stay holds on one of the nights', from('01', '03'), ['blocked', 'free']),
  shows('the night before', from('01', '02'), ['held', 'blocked', 'free']),
  shows('the night on whose morning it is left', from('05', '06'), ['held', 'blocked', 'free']),
  shows('not one that is blocked on one of the dates', from('08', '10'), ['held', 'free']),
  shows('the night before a block, and the night after', from('09', '09'), ['held', 'blocked', 'free']),
  shows('one of them, by its id', `${from('03', '03')}&filter[unitId]={free}`, ['free']),
  shows('and not, when it is not free', `${from('03', '03')}&filter[unitId]={held}`, []),
  shows(
    'not one that is out of order; one that is dirty or out of service',
    from('20', '20'),
    ['held', 'free'],
    async (house) => {
      const made = await rooms(house)
      for (const [unit, status] of [
        [made.held, 'OutOfService'],
        [made.blocked, 'OutOfOrder'],
        [made.free, 'Dirty'],
      ])
        assert.equal((await house.ask('PATCH', `/api/v2/units/${unit}`, { body: { status } })).status, 204)
      return made
    },
  ),
  shows(
    'not one that is left later than others come',
    from('05', '05'),
    ['blocked', 'free'],
    async (house) => {
      const made = await rooms(house)
      await house.ask('PATCH', made.path, { body: { endTime: '18:00' } })
      return made
    },
  ),
  shows('one that a day use leaves before', from('20', '20'), ['held', 'blocked', 'free'], async (house) => {
    const made = await rooms(house)
    const units = [{ unitTypeId: made.unitTypeId, unitId: made.free }]
    await house.stay({
      units,
      startDate: '2026-07-20',
      startTime: '09:00',
      endDate: '2026-07-20',
      endTime: '14:00',
    })
    return made
  }),
  shows('one that somebody waits for', from('20', '20'), ['held', 'blocked', 'free'], async (house) => {
    const made = await rooms(house)
    const units = [{ unitTypeId: made.unitTypeId, unitId: made.free }]
    await house.stay({ units, status: 'Waitlisted', startDate: '2026-07-20', endDate: '2026-07-21' })
    return made
  }),
  {
    name: 'from today, for 365 days, unless it says otherwise: not one that is held once in all that time',
    given: rooms,
    request: ['GET', `${list}?filter[unitTypeId]={unitTypeId}`],
    status: 200,
    lists: [{ startDate: today, endDate: '2027-06-01', quantity: 1 }],
    related: { unit: ['{free}'] },
  },
  {
    name: 'a period of more than 365 days: 400',
    request: ['GET', `${list}?filter[startDate]=${today}&filter[endDate]=2027-06-02`],
    status: 400,
    error: { code: 'period-too-long', meta: { limit: 365 } },
  },
  {
    name: 'a unit by its name: 400',
    request: ['GET', `${list}?filter[unitId]=201`],
    status: 400,
    error: { code: 'invalid-filter-value' },
  },
  {
    name: 'by a stay: 400, that is asked of its reservation',
    request: ['GET', `${list}?filter[stayId]=${unknown}`],
    status: 400,
    error: {
      code: 'invalid-filter-field',
      meta: { allowed: ['startDate', 'endDate', 'unitId', 'unitTypeId'] },
    },
  },
])

const patch = (name: string, body: unknown, status: number, more: Partial<Scenario> = {}): Scenario => ({
  name,
  given: rooms,
  request: ['PATCH', `${list}/{held}`, body],
  status,
  ...more,
})

const on = (date: string) => ({ startDate: date, endDate: date })

/** The rooms, and a day use of the first one on the 20th of July that ends before check-in time. */
const withDayUse = (stay: object) => async (house: ReservationHouse) => {
  const made = await rooms(house)
  const units = [{ unitTypeId: made.unitTypeId, unitId: made.held }]
  const times = { ...on('2026-07-20'), startTime: '09:00', endTime: '14:00' }
  const { id: dayUse } = await house.stay({ ...times, units, ...stay })
  return { ...made, dayUse }
}

scenarios('A unit is blocked', [
  patch('by the desk as well', [july('20', '21', 0)], 204, {
    given: async (house) => ({ ...(await rooms(house)), desk: await house.tokenOf('frontdesk') }),
    as: 'desk',
  }),
  patch('by nobody who only cleans it', [july('20', '21', 0)], 403, {
    given: async (house) => ({ ...(await rooms(house)), cleaner: await house.tokenOf('housekeeping') }),
    as: 'cleaner',
    error: { code: 'scope-required', meta: { scope: 'units.block' } },
  }),
  patch('and says so', [{ ...july('20', '21', 0), reason: 'Pipes' }, july('25', '25', 0)], 204, {
    header: ['etag', /^"\d+"$/],
    afterwards: '/api/v2/units/{held}',
    holds: {
      maintenance: [
        { from: '2026-07-20', until: '2026-07-21', reason: 'Pipes' },
        { from: '2026-07-25', until: '2026-07-25', reason: null },
      ],
    },
  }),
  patch(
    'on the day on which it is left',
    { data: [{ type: 'unit-availability', attributes: july('05', '06', 0) }] },
    204,
  ),
  patch('not where a stay holds it: 409 names the stays', [july('20', '21', 0), july('04', '05', 0)], 409, {
    error: {
      code: 'unit-occupied',
      at: '/data/1/attributes/startDate',
      meta: { count: 1, stayIds: ['{id}'] },
    },
  }),
  patch('not on the day of a day use that ends before check-in time', [july('20', '20', 0)], 409, {
    given: withDayUse({}),
    error: { code: 'unit-occupied', at: '/data/0/attributes/startDate', meta: { stayIds: ['{dayUse}'] } },
  }),
  patch('on the day of a day use that is over without its guest', [{ ...on(today), quantity: 0 }], 204, {
    given: withDayUse(on(today)),
  }),
  patch('on the days before and after a day use', [july('19', '19', 0), july('21', '21', 0)], 204, {
    given: withDayUse({}),
  }),
  patch('and freed for a part of it', [july('25', '25', 1), july('20', '21', 0), july('22', '22', 1)], 204, {
    afterwards: '/api/v2/units/{held}',
    holds: { maintenance: [{ from: '2026-07-20', until: '2026-07-21', reason: null }] },
  }),
  patch('two periods that overlap: 422', [july('20', '22', 0), july('22', '23', 1)], 422, {
    error: { code: 'validation-failed', at: '/data/1/attributes/startDate' },
  }),
  patch('two units of one: 422 names what is allowed', [july('20', '22', 2)], 422, {
    error: { code: 'validation-failed', at: '/data/0/attributes/quantity', meta: { allowed: [0, 1] } },
  }),
  patch('from no day on: 422', [{ endDate: '2026-07-02', quantity: 0 }], 422, {
    error: { code: 'validation-failed', at: '/data/0/attributes/startDate' },
  }),
  patch('until no day: 422', [{ startDate: '2026-07-02', quantity: 0 }], 422, {
    error: { code: 'validation-failed', at: '/data/0/attributes/endDate' },
  }),
  {
    name: 'that is not there: 404',
    request: ['PATCH', `${list}/${unknown}`, [july('01', '02', 0)]],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'a unit that is out of order says so as well',
    given: async (house) => {
      const made = await rooms(house)
      await house.ask('PATCH', `/api/v2/units/${made.blocked}`, { body: { status: 'OutOfOrder' } })
      return made
    },
    request: ['GET', '/api/v2/units/{blocked}'],
    status: 200,
    holds: {
      maintenance: [
        { from: null, until: null, reason: 'OutOfOrder' },
        { from: '2026-07-10', until: '2026-07-10', reason: 'Painting' },
      ],
    },
  },
  {
    name: 'what of it a body of the unit says is ignored',
    given: rooms,
    request: ['PATCH', '/api/v2/units/{free}', { maintenance: [{ from: today, until: today, reason: 'x' }] }],
    status: 204,
    afterwards: '/api/v2/units/{free}',
    holds: { maintenance: [] },
  },
  {
    name: 'it is not given to a stay: the other one is',
    given: async (house) => {
      const made = await rooms(house)
      return house
        .stay({ units: [{ unitTypeId: made.unitTypeId }], startDate: '2026-07-10', endDate: '2026-07-11' })
        .then((stay) => ({ ...made, ...stay }))
    },
    request: ['POST', '{path}/unit-assignment', { preferredUnitId: '{blocked}' }],
    status: 200,
    holds: { units: [{ unitId: '{held}' }] },
  },
  {
    name: 'nor by hand: 409 says from when to when',
    given: rooms,
    request: [
      'POST',
      '/api/v2/reservations',
      {
        stays: [
          newStay({
            startDate: '2026-07-08',
            endDate: '2026-07-12',
            units: [{ unitTypeId: '{unitTypeId}', unitId: '{blocked}' }],
          }),
        ],
      },
    ],
    status: 409,
    error: {
      code: 'unit-blocked',
      at: '/stays/0/units/0/unitId',
      meta: { startDate: '2026-07-10', endDate: '2026-07-10', reason: 'Painting' },
    },
  },
])

/** A reservation of two stays, of which the second has its unit, in a house of its own types. */
async function group(house: ReservationHouse) {
  const one = await house.rooms(2)
  const other = await house.rooms(1)
  const stays = [
    {
      ...newStay({ units: [{ unitTypeId: one.unitTypeId }], startDate: '2026-07-03', endDate: '2026-07-05' }),
      externalId: 'one',
    },
    {
      ...newStay({
        units: [{ unitTypeId: one.unitTypeId, unitId: one.unitIds[1] }],
        startDate: '2026-07-01',
        endDate: '2026-07-03',
      }),
      externalId: 'two',
    },
    {
      ...newStay({
        units: [{ unitTypeId: other.unitTypeId }],
        startDate: '2026-07-01',
        endDate: '2026-07-02',
      }),
      externalId: 'three',
    },
  ]
  const { data } = (await house.ask('POST', '/api/v2/reservations', { body: { stays } })).body
  const [first, second, third] = data.attributes.stays
  return {
    path: `/api/v2/availability/reservations/${data.id}`,
    reservation: `/api/v2/reservations/${data.id}`,
    first: first.id,
    second: second.id,
    third: third.id,
    unitTypeId: one.unitTypeId,
    otherType: other.unitTypeId,
    a: one.unitIds[0],
    b: one.unitIds[1],
    c: other.unitId,
  }
}

const forGroup = (
  name: string,
  path: string,
  lists: Record<string, unknown>[],
  units: string[],
): Scenario => ({
  name,
  given: group,
  request: ['GET', `{path}${path}`],
  status: 200,
  header: ['x-stability', /^beta$/],
  lists,
  related: { unit: units },
})

scenarios('Which units a reservation could have', [
  forGroup(
    'those of the types that its stays lack, each for the period of a stay',
    '/units',
    [july('03', '04', 1), july('03', '04', 1), july('01', '01', 1)],
    ['{a}', '{b}', '{c}'],
  ),
  forGroup('those for one stay', '/units?filter[stayId]={third}', [july('01', '01', 1)], ['{c}']),
  forGroup('none for a stay that has its unit', '/units?filter[stayId]={second}', [], []),
  forGroup(
    'those of one type',
    '/units?filter[unitTypeId]={unitTypeId}',
    [july('03', '04', 1), july('03', '04', 1)],
    ['{a}', '{b}'],
  ),
  forGroup('one of them', '/units?filter[unitId]={b}', [july('03', '04', 1)], ['{b}']),
  forGroup('page by page', '/units?page[size]=1', [july('03', '04', 1)], ['{a}']),
  {
    name: 'a reservation that is not there: 404',
    request: ['GET', `/api/v2/availability/reservations/${unknown}/units`],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'the period is that of the stays: 400',
    given: group,
    request: ['GET', '{path}/units?filter[startDate]=2026-07-01'],
    status: 400,
    error: { code: 'invalid-filter-field', meta: { allowed: ['stayId', 'unitId', 'unitTypeId'] } },
  },
])

scenarios('Which units a stay could have', [
  forGroup(
    'those of its type that are free for its own period',
    '/stays/{first}/units',
    [july('03', '04', 1), july('03', '04', 1)],
    ['{a}', '{b}'],
  ),
  forGroup('others than the one it has', '/stays/{second}/units', [july('01', '02', 1)], ['{a}']),
  forGroup(
    'also that one, for the nights to come',
    '/stays/{second}/units?filter[startDate]=2026-07-03&filter[endDate]=2026-07-03',
    [july('03', '03', 1), july('03', '03', 1)],
    ['{a}', '{b}'],
  ),
  forGroup(
    'for a longer stay',
    '/stays/{third}/units?filter[endDate]=2026-07-10',
    [july('01', '10', 1)],
    ['{c}'],
  ),
  forGroup(
    'of another type',
    '/stays/{first}/units?filter[unitTypeId]={otherType}',
    [july('03', '04', 1)],
    ['{c}'],
  ),
  {
    name: 'a stay that is not there: 404',
    given: group,
    request: ['GET', `{path}/stays/${unknown}/units`],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'a stay of another reservation: 404',
    given: async (house) => ({ ...(await group(house)), other: (await house.stay()).id }),
    request: ['GET', '{path}/stays/{other}/units'],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'an end before the start of the stay: 400',
    given: group,
    request: ['GET', '{path}/stays/{first}/units?filter[endDate]=2026-07-02'],
    status: 400,
    error: { code: 'invalid-filter-value' },
  },
])

describe('Units that are free', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const hour = 3_600_000
  const idsOf = ({ body }: Reply): string[] =>
    body.data.map(
      (each: { relationships: { unit: { data: { id: string } } } }) => each.relationships.unit.data.id,
    )

  it('are not those whose guest has not left by his planned end, until he does', async () => {
    const { unitTypeId, unitId, path } = await inHouse(house)
    const free = async (start: string) =>
      idsOf(
        await house.ask(
          'GET',
          `${list}?filter[unitTypeId]=${unitTypeId}&filter[startDate]=${start}&filter[endDate]=${start}`,
        ),
      )
    house.clock.set(monday + 17 * hour)
    assert.deepEqual(await free(tomorrow), [unitId], 'at 10:00 he is expected to leave')
    house.clock.set(monday + 19 * hour)
    assert.deepEqual(await free(tomorrow), [], 'at 12:00 he is late')
    assert.deepEqual(await free('2026-06-03'), [unitId], 'the next night is another day')
    house.clock.set(monday + 40 * hour)
    assert.deepEqual(await free('2026-06-03'), [], 'he is still there')
    await house.ask('PATCH', path, { body: { status: 'CheckedOut' } })
    assert.deepEqual(await free('2026-06-03'), [unitId])
    house.clock.set(monday)
  })

  it('are those that a stay can be given, and no others', async () => {
    const { unitTypeId, unitIds } = await house.rooms(6)
    const stays = [
      ['2026-07-01', '2026-07-04'],
      ['2026-07-04', '2026-07-06'],
      ['2026-07-06', '2026-07-09'],
    ] as const
    for (const [index, [startDate, endDate]] of stays.entries())
      await house.stay({ units: [{ unitTypeId, unitId: unitIds[index] }], startDate, endDate })
    await house.ask('PATCH', `${list}/${unitIds[3]}`, { body: [july('05', '05', 0)] })
    const { path, reservation, id } = await house.stay({
      units: [{ unitTypeId }],
      startDate: '2026-07-03',
      endDate: '2026-07-07',
    })
    const shown = idsOf(
      await house.ask('GET', `${reservation.replace('/v2/', '/v2/availability/')}/stays/${id}/units`),
    )
    for (const unitId of unitIds) {
      const given = await house.ask('PATCH', `${path}?dryRun=true`, {
        body: { units: [{ unitTypeId, unitId }] },
      })
      assert.equal(given.status === 204, shown.includes(unitId), given.text)
    }
    assert.deepEqual(shown, unitIds.slice(4))
  })

  it('change the unit’s revision when they are blocked, and nothing when they are already', async () => {
    const { unitId } = await house.rooms(1)
    const block = (quantity: number, headers = {}) =>
      house.ask('PATCH', `${list}/${unitId}`, { body: [july('01', '02', quantity)], headers })
    const first = await block(0)
    const read = await house.ask('GET', `/api/v2/units/${unitId}`)
    assert.equal(first.headers.get('etag'), read.headers.get('etag'))
    assert.equal((await block(0)).headers.get('etag'), read.headers.get('etag'))
    refused(await block(1, { 'If-Match': '"1"' }), 412, 'revision-mismatch')
    assert.equal((await block(1, { 'If-Match': read.headers.get('etag') })).status, 204)
    assert.notEqual(
      (await house.ask('GET', `/api/v2/units/${unitId}`)).headers.get('etag'),
      read.headers.get('etag'),
    )
  })

  it('can be deleted with their blocks', async () => {
    const { unitId } = await house.rooms(1)
    await house.ask('PATCH', `${list}/${unitId}`, { body: [july('01', '02', 0)] })
    assert.equal((await house.ask('DELETE', `/api/v2/units/${unitId}`)).status, 204)
  })
})
