import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Reply } from '../../appliance.ts'
import { openHouse, type ReservationHouse, refused, today, tomorrow, yesterday } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { inHouse, newStay } from './stay-samples.ts'

const dates = (start: string, end: string) => ({ startDate: `2026-07-${start}`, endDate: `2026-07-${end}` })

/** A type of one unit, sold from the 3rd to the 5th of July, and a stay on it from the 6th to the 8th. */
async function sold(house: ReservationHouse, stay: Record<string, unknown> = {}) {
  const { unitTypeId, unitId } = await house.rooms(1)
  const other = await house.rooms(1)
  const units = [{ unitTypeId }]
  await house.stay({ units, ...dates('03', '05') })
  const made = await house.stay({ units, ...dates('06', '08'), ...stay })
  return { ...made, unitTypeId, unitId, otherType: other.unitTypeId, otherUnit: other.unitId }
}

const place = '/stays/0/units/0/unitTypeId'
const soldOut = (at: string, ...days: string[]) => ({
  code: 'no-eligible-unit',
  at,
  meta: { reason: 'all-occupied', unitTypeId: '{unitTypeId}', dates: days.map((day) => `2026-07-${day}`) },
})

const book = (
  name: string,
  stays: object[],
  error?: Scenario['error'],
  more: Partial<Scenario> = {},
): Scenario => ({
  name,
  given: (house) => sold(house),
  request: ['POST', '/api/v2/reservations', { stays }],
  status: error ? 422 : 201,
  ...(error && { error }),
  ...more,
})

const change = (
  name: string,
  fields: object,
  error?: Scenario['error'],
  stay: Record<string, unknown> = {},
): Scenario => ({
  name,
  given: (house) => sold(house, stay),
  request: ['PATCH', '{path}', fields],
  status: error ? 422 : 204,
  ...(error && { error }),
})

const two = [{ unitTypeId: '{unitTypeId}' }, { unitTypeId: '{unitTypeId}' }]

scenarios('A booking', [
  book(
    'is refused on nights on which no unit of the type is left, which it names',
    [newStay(dates('01', '08'))],
    soldOut(place, '03', '04', '06', '07'),
  ),
  book('is taken between them: a unit left in the morning is free that night', [newStay(dates('05', '06'))]),
  book(
    'of two units is refused where one is left',
    [newStay({ ...dates('05', '06'), units: two })],
    soldOut('/stays/0/units/1/unitTypeId', '05'),
  ),
  book(
    'of two stays is refused where one is left, at the second',
    [newStay(dates('09', '11')), newStay(dates('10', '12'))],
    soldOut('/stays/1/units/0/unitTypeId', '10'),
  ),
  book(
    'as an option is refused as well',
    [newStay({ ...dates('03', '04'), status: 'Tentative' })],
    soldOut(place, '03'),
  ),
  book('on the waiting list is taken', [newStay({ ...dates('03', '04'), status: 'Waitlisted' })]),
  book(
    'of a day use is refused on a day that is sold',
    [newStay({ ...dates('04', '04'), startTime: '09:00', endTime: '10:00' })],
    soldOut(place, '04'),
  ),
  book('of a type of which nothing is known is taken', [newStay({ units: two })], undefined, {
    given: ({ rooms }) => rooms(0),
  }),
  book(
    'of a type without units is refused where upstream said that none is left',
    [newStay(dates('03', '05'))],
    soldOut(place, '04'),
    {
      given: async (house) => {
        const { unitTypeId } = await house.rooms(0)
        const body = [{ startDate: '2026-07-04', endDate: '2026-07-04', quantity: 0 }]
        await house.ask('PATCH', `/api/v2/availability/unit-types/${unitTypeId}`, { body })
        return { unitTypeId }
      },
    },
  ),
  book(
    'is taken where upstream says that more are left than there are units',
    [newStay({ ...dates('03', '05'), units: two })],
    undefined,
    {
      given: async (house) => {
        const made = await sold(house)
        const body = [{ startDate: '2026-07-03', endDate: '2026-07-04', quantity: 2 }]
        await house.ask('PATCH', `/api/v2/availability/unit-types/${made.unitTypeId}`, { body })
        return made
      },
    },
  ),
  book(
    'is refused where the unit is out of order',
    [newStay()],
    { code: 'no-eligible-unit', at: place, meta: { dates: [today] } },
    {
      given: async (house) => {
        const made = await house.rooms(1)
        await house.ask('PATCH', `/api/v2/units/${made.unitId}`, { body: { status: 'OutOfOrder' } })
        return made
      },
    },
  ),
  book('is refused where the unit is blocked', [newStay(dates('09', '12'))], soldOut(place, '10'), {
    given: async (house) => {
      const made = await sold(house)
      const body = [{ startDate: '2026-07-10', endDate: '2026-07-10', quantity: 0 }]
      await house.ask('PATCH', `/api/v2/availability/units/${made.unitId}`, { body })
      return made
    },
  }),
  book(
    'is not refused for nights that are over',
    [newStay({ startDate: yesterday, endDate: tomorrow })],
    undefined,
    {
      given: async (house) => {
        const made = await house.rooms(1)
        await house.stay({
          units: [{ unitTypeId: made.unitTypeId }],
          startDate: '2026-05-30',
          endDate: today,
        })
        return made
      },
    },
  ),
  book(
    'told by a PMS is kept, whether or not there is a unit',
    [newStay({ ...dates('01', '08'), units: two })],
    undefined,
    {
      given: async (house) => ({ ...(await sold(house)), pms: await house.tokenOf('integrator') }),
      as: 'pms',
    },
  ),
  book('made by the desk is refused', [newStay(dates('03', '05'))], soldOut(place, '03', '04'), {
    given: async (house) => ({ ...(await sold(house)), desk: await house.tokenOf('frontdesk') }),
    as: 'desk',
  }),
])

scenarios('A stay that is changed', [
  change(
    'is refused where it becomes longer than there is a unit',
    { endDate: '2026-07-10', startDate: '2026-07-04' },
    soldOut('/units/0/unitTypeId', '04'),
  ),
  change('is moved where there is one', { ...dates('05', '07') }),
  change('becomes shorter, whatever else is sold', { endDate: '2026-07-07' }),
  change(
    'is refused a type of which none is left',
    { units: [{ unitTypeId: '{unitTypeId}' }, { unitTypeId: '{unitTypeId}' }] },
    soldOut('/units/1/unitTypeId', '06', '07'),
  ),
  change('gets one of another type', { units: [{ unitTypeId: '{otherType}' }] }),
  change('is confirmed from an option, whose unit it holds already', { status: 'Confirmed' }, undefined, {
    status: 'Tentative',
  }),
  change(
    'is refused to be confirmed from the waiting list',
    { status: 'Confirmed' },
    soldOut('/units/0/unitTypeId', '03', '04'),
    {
      ...dates('03', '05'),
      status: 'Waitlisted',
    },
  ),
  {
    name: 'is refused to come back where its unit was sold since',
    given: async (house) => {
      const made = await sold(house)
      await house.ask('PATCH', made.path, { body: { status: 'Canceled' } })
      await house.stay({ units: [{ unitTypeId: made.unitTypeId }], ...dates('07', '09') })
      return made
    },
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 422,
    error: soldOut('/units/0/unitTypeId', '07'),
  },
  {
    name: 'is added to a reservation only where there is a unit',
    given: (house) => sold(house),
    request: ['POST', '{reservation}/stays', newStay(dates('02', '04'))],
    status: 422,
    error: soldOut('/units/0/unitTypeId', '03'),
  },
  ...(['comment', 'endDate', 'status'] as const).map((field): Scenario => {
    const changes = { comment: 'Late', endDate: '2026-07-07', status: 'Canceled' }
    return {
      name: `is not refused ${field} where a PMS has sold more than there is`,
      given: async (house) => {
        const made = await sold(house)
        await house.told({ units: [{ unitTypeId: made.unitTypeId }], ...dates('06', '08') })
        return made
      },
      request: ['PATCH', '{path}', { [field]: changes[field] }],
      status: 204,
    }
  }),
])

describe('What is imported', () => {
  it('is kept, whether or not there is a unit', async () => {
    const house = await openHouse()
    const { unitTypeId } = await sold(house)
    const stays = [{ ...newStay(), units: [{ unitTypeId }], ...dates('03', '05') }]
    const reply = await house.ask('POST', '/api/config/v1/imports', {
      body: { data: [{ externalId: 'I', stays }] },
    })
    assert.deepEqual([reply.status, reply.body.meta.accepted], [200, 1], reply.text)
    await house.stop()
  })
})

describe('The last unit', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const book = (unitTypeId: string, stay: object = {}) =>
    house.ask('POST', '/api/v2/reservations', {
      body: { stays: [{ ...newStay(), units: [{ unitTypeId }], ...stay }] },
    })
  const statuses = (replies: Reply[]) => replies.map(({ status }) => status).sort()

  it('goes to one of two clients who book it at the same moment, in every one of 40 rounds', async () => {
    const { unitTypeId } = await house.rooms(1)
    for (let round = 0; round < 40; round++) {
      const startDate = new Date(Date.UTC(2026, 6, 1 + round)).toISOString().slice(0, 10)
      const endDate = new Date(Date.UTC(2026, 6, 2 + round)).toISOString().slice(0, 10)
      const replies = await Promise.all([1, 2].map(() => book(unitTypeId, { startDate, endDate })))
      assert.deepEqual(statuses(replies), [201, 422], startDate)
      refused(replies.find(({ status }) => status === 422)!, 422, 'no-eligible-unit', undefined, {
        dates: [startDate],
      })
    }
  })

  it('is the tenth for ten of fifty clients at once', async () => {
    const { unitTypeId } = await house.rooms(10)
    const replies = await Promise.all(Array.from({ length: 50 }, () => book(unitTypeId)))
    assert.equal(replies.filter(({ status }) => status === 201).length, 10)
    assert.equal(replies.filter(({ status }) => status === 422).length, 40)
    const list = await house.ask(
      'GET',
      `/api/v2/availability/unit-types?filter[unitTypeId]=${unitTypeId}&filter[endDate]=${today}`,
    )
    assert.equal(list.body.data[0].attributes.quantity, 0)
  })

  it('is not sold twice by who books, who moves and who cancels at the same moment', async () => {
    const { unitTypeId } = await house.rooms(3)
    const stays = await Promise.all(
      [1, 2, 3].map(() => house.stay({ units: [{ unitTypeId }], ...dates('01', '03') })),
    )
    await Promise.all([
      ...Array.from({ length: 10 }, () => book(unitTypeId, dates('02', '05'))),
      ...stays.map(({ path }, index) =>
        house.ask('PATCH', path, { body: index === 0 ? { status: 'Canceled' } : dates('04', '06') }),
      ),
      ...Array.from({ length: 10 }, () => book(unitTypeId, dates('04', '06'))),
    ])
    const { data } = (
      await house.ask(
        'GET',
        `/api/v2/stays?filter[units.unitTypeId]=${unitTypeId}&filter[status]=Confirmed&page[size]=100`,
      )
    ).body
    for (const night of ['01', '02', '03', '04', '05']) {
      const there = data.filter(
        ({ attributes }: { attributes: { startDate: string; endDate: string } }) =>
          attributes.startDate <= `2026-07-${night}` && `2026-07-${night}` < attributes.endDate,
      )
      assert.ok(there.length <= 3, `${there.length} on the ${night}`)
    }
  })

  it('is not sold twice after midnight, for the night that is not over', async () => {
    const { unitTypeId } = await house.rooms(1)
    const tonight = { startDate: today, endDate: tomorrow }
    await book(unitTypeId, tonight)
    house.clock.advance(9 * 3_600_000)
    refused(await book(unitTypeId, tonight), 422, 'no-eligible-unit', undefined, { dates: [today] })
    house.clock.advance(9 * 3_600_000)
    assert.equal((await book(unitTypeId, tonight)).status, 201)
    house.clock.advance(-18 * 3_600_000)
  })

  it('is not sold while a guest of yesterday is still in it', async () => {
    const { unitTypeId, path } = await inHouse(house)
    house.clock.advance(24 * 3_600_000)
    refused(await book(unitTypeId, { startDate: tomorrow, endDate: '2026-06-03' }), 422, 'no-eligible-unit')
    await house.ask('PATCH', path, { body: { status: 'CheckedOut' } })
    assert.equal((await book(unitTypeId, { startDate: tomorrow, endDate: '2026-06-03' })).status, 201)
    house.clock.advance(-24 * 3_600_000)
  })
})

describe('One PUT of a reservation', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  async function pair(first: object, second: object) {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const units = (index: number) => [{ unitTypeId, unitId: unitIds[index] }]
    const stays = [
      { ...newStay(), units: units(0), externalId: 'one', ...first },
      { ...newStay(), units: units(1), externalId: 'two', ...second },
    ]
    const made = await house.ask('POST', '/api/v2/reservations', { body: { stays } })
    assert.equal(made.status, 201, made.text)
    const path = `/api/v2/reservations/${made.body.data.id}`
    const put = (changes: [object, object]) =>
      house.ask('PUT', path, {
        body: { stays: stays.map((each, index) => ({ ...each, ...changes[index] })) },
      })
    const unitsOf = async () =>
      (await house.attributes(path)).stays.map(
        (each: { units: { unitId: string }[] }) => each.units[0]?.unitId,
      )
    return { put, units, unitIds, unitsOf, path }
  }

  it('swaps the units of two stays', async () => {
    const { put, units, unitIds, unitsOf } = await pair({}, {})
    const swapped = await put([{ units: units(1) }, { units: units(0) }])
    assert.equal(swapped.status, 204, swapped.text)
    assert.deepEqual(await unitsOf(), unitIds.toReversed())
  })

  it('swaps those of guests who are in house: both are left to be cleaned, and both are occupied', async () => {
    const { put, units, unitIds, unitsOf } = await pair({ status: 'InHouse' }, { status: 'InHouse' })
    assert.equal((await put([{ units: units(1) }, { units: units(0) }])).status, 204)
    assert.deepEqual(await unitsOf(), unitIds.toReversed())
    for (const id of unitIds) {
      const { occupied, status } = await house.attributes(`/api/v2/units/${id}`)
      assert.deepEqual([occupied, status], [true, 'Dirty'])
    }
  })

  it('lets one stay have the nights that the other gives up, in either order', async () => {
    const { unitTypeId, unitId } = await house.rooms(1)
    const units = [{ unitTypeId, unitId }]
    const stays = [
      { ...newStay(), units, externalId: 'one', ...dates('01', '03') },
      { ...newStay(), units, externalId: 'two', ...dates('03', '05') },
    ]
    const made = await house.ask('POST', '/api/v2/reservations', { body: { stays } })
    const path = `/api/v2/reservations/${made.body.data.id}`
    for (const middle of ['04', '02', '03']) {
      const moved = [
        { ...stays[0], ...dates('01', middle) },
        { ...stays[1], ...dates(middle, '05') },
      ]
      const reply = await house.ask('PUT', path, { body: { stays: moved } })
      assert.equal(reply.status, 204, reply.text)
    }
  })

  it('of what it is already changes nothing', async () => {
    const { put, path } = await pair({}, {})
    const before = await house.ask('GET', path)
    assert.equal((await put([{}, {}])).status, 204)
    assert.equal((await house.ask('GET', path)).text, before.text)
  })

  it('refuses two stays one unit', async () => {
    const { put, units, unitIds, unitsOf } = await pair({}, {})
    refused(
      await put([{ units: units(1) }, {}]),
      409,
      'unit-occupied',
      '/data/attributes/stays/0/units/0/unitId',
    )
    assert.deepEqual(await unitsOf(), unitIds)
  })

  it('refuses what no unit is left for, at its place', async () => {
    const { put, units } = await pair({}, {})
    const typeOnly = [{ unitTypeId: units(0)[0]!.unitTypeId }]
    const reply = await put([{ units: [...typeOnly, ...typeOnly] }, {}])
    refused(reply, 422, 'no-eligible-unit', '/data/attributes/stays/1/units/0/unitTypeId', { dates: [today] })
  })
})
