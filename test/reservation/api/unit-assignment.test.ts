import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openHouse, type ReservationHouse, refused, today, tomorrow } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'

const unknown = '0197c0de-0000-7000-8000-000000000000'

/** A type with units as described, and a stay that needs one of them. */
async function choice(
  house: ReservationHouse,
  units: Record<string, unknown>[],
  stay: Record<string, unknown> = {},
) {
  const { unitTypeId } = await house.rooms(0, { amenities: (stay.amenities as string[]) ?? [] })
  const names: Record<string, string> = {}
  for (const { name, ...unit } of units) {
    names[String(name)] = await house.make('units', {
      name: `${name} ${unitTypeId}`,
      status: 'Clean',
      unitTypeId,
      ...unit,
    })
  }
  const { amenities: _, ...rest } = stay
  return { ...(await house.told({ units: [{ unitTypeId }], ...rest })), unitTypeId, ...names }
}

const chosen = (
  name: string,
  given: (house: ReservationHouse) => Promise<object>,
  unitId: string,
  body?: unknown,
): Scenario => ({
  name,
  given,
  request: ['POST', '{path}/unit-assignment', body],
  status: 200,
  holds: { units: [{ unitId }] },
})

const none = (name: string, given: (house: ReservationHouse) => Promise<object>, meta: object): Scenario => ({
  name,
  given,
  request: ['POST', '{path}/unit-assignment'],
  status: 422,
  error: { code: 'no-eligible-unit', meta: { ...meta } },
})

const booked = async (house: ReservationHouse) => {
  const { unitTypeId, unitId } = await house.rooms(1)
  await house.stay({ units: [{ unitTypeId, unitId }] })
  return house.told({ units: [{ unitTypeId }] })
}

scenarios('Which unit a stay gets', [
  chosen('the one that is suggested', (house) => choice(house, [{ name: 'a' }, { name: 'b' }]), '{b}', {
    preferredUnitId: '{b}',
  }),
  chosen(
    'another, when the one suggested is not ready',
    (house) => choice(house, [{ name: 'a' }, { name: 'b', status: 'Dirty' }]),
    '{a}',
    { preferredUnitId: '{b}', notes: 'near the lift' },
  ),
  chosen('another, when the one suggested is not there', (house) => choice(house, [{ name: 'a' }]), '{a}', {
    preferredUnitId: unknown,
  }),
  chosen('one, when null is suggested', (house) => choice(house, [{ name: 'a' }]), '{a}', {
    preferredUnitId: null,
    notes: null,
  }),
  chosen(
    'the one with the amenities of the type',
    async (house) => {
      const balcony = await house.make('amenities', { code: 'BAL', name: 'Balcony' })
      return choice(house, [{ name: 'a' }, { name: 'b', amenities: [balcony] }], { amenities: [balcony] })
    },
    '{b}',
  ),
  chosen(
    'an inspected one before a clean one',
    (house) => choice(house, [{ name: 'a' }, { name: 'b', status: 'Inspected' }]),
    '{b}',
  ),
  chosen(
    'that of the lowest priority number',
    (house) => choice(house, [{ name: 'a', priority: 2 }, { name: 'b', priority: 1 }, { name: 'c' }]),
    '{b}',
  ),
  chosen('the first by name', (house) => choice(house, [{ name: '10' }, { name: '9' }]), '{9}'),
  chosen(
    'a dirty one, for a stay that starts tomorrow',
    (house) =>
      choice(house, [{ name: 'a', status: 'Dirty' }], { startDate: tomorrow, endDate: '2026-06-03' }),
    '{a}',
  ),
  chosen(
    'the one it has, whatever is suggested',
    async (house) => {
      const made = await choice(house, [{ name: 'a' }, { name: 'b' }])
      await house.ask('POST', `${made.path}/unit-assignment`)
      return made
    },
    '{a}',
    { data: { type: 'unit-assignment', attributes: { preferredUnitId: '{b}' } } },
  ),
])

scenarios('Why a stay gets no unit', [
  none('no-unit-of-type', (house) => choice(house, []), { reason: 'no-unit-of-type', ofType: 0 }),
  none(
    'all-dirty',
    (house) =>
      choice(house, [
        { name: 'a', status: 'Dirty' },
        { name: 'b', status: 'Cleaning' },
      ]),
    {
      reason: 'all-dirty',
      ofType: 2,
      notReady: 2,
      occupied: 0,
    },
  ),
  none('out-of-order', (house) => choice(house, [{ name: 'a', status: 'OutOfOrder' }]), {
    reason: 'out-of-order',
    outOfOrder: 1,
  }),
  none('all-occupied', booked, { reason: 'all-occupied', occupied: 1, nextExpectedAt: null }),
  none(
    'all-occupied, and when the first guest is expected to leave',
    async (house) => {
      const { unitTypeId, unitId } = await house.rooms(1)
      await house.stay({ units: [{ unitTypeId, unitId }], status: 'InHouse' })
      return house.told({ units: [{ unitTypeId }] })
    },
    { reason: 'all-occupied', nextExpectedAt: '2026-06-02T10:00:00.000Z' },
  ),
  {
    name: 'a stay that is canceled gets none: 409',
    given: (house) => canceledStay(house),
    request: ['POST', '{path}/unit-assignment'],
    status: 409,
    error: { code: 'stay-status-transition', meta: { status: 'Canceled' } },
  },
  {
    name: 'a stay of another reservation is not found',
    given: async (house) => ({ ...(await house.stay()), other: (await house.stay()).reservation }),
    request: ['POST', '{other}/stays/{id}/unit-assignment'],
    status: 404,
    error: { code: 'not-found' },
  },
  ...(['stays/{id}/unit-assignment', 'unit-assignments'] as const).map(
    (path): Scenario => ({
      name: `POST …/${path} of a reservation that is not there: 404`,
      given: (house) => house.stay(),
      request: ['POST', `/api/v2/reservations/${unknown}/${path}`],
      status: 404,
      error: { code: 'not-found' },
    }),
  ),
  {
    name: 'a stay that is not there is not found',
    given: (house) => house.stay(),
    request: ['POST', `{reservation}/stays/${unknown}/unit-assignment`],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'hints for a stay of another reservation are not heeded',
    given: (house) => house.stay(),
    request: ['POST', '{reservation}/unit-assignments', { stays: [{ stayId: unknown, notes: null }] }],
    status: 200,
  },
  {
    name: 'hints that do not say for which stay: 422',
    given: (house) => house.stay(),
    request: ['POST', '{reservation}/unit-assignments', { stays: [{ notes: 'x' }] }],
    status: 422,
    error: { code: 'validation-failed', at: '/stays/0/stayId' },
  },
  {
    name: 'a body that is not JSON: 400',
    given: (house) => house.stay(),
    request: ['POST', '{path}/unit-assignment', '{'],
    status: 400,
    error: { code: 'malformed-json' },
  },
  {
    name: 'a suggestion that is no id: 422 names it',
    given: (house) => house.stay(),
    request: ['POST', '{path}/unit-assignment', { preferredUnitId: '201' }],
    status: 422,
    error: { code: 'validation-failed', at: '/preferredUnitId' },
  },
])

async function canceledStay(house: ReservationHouse) {
  const made = await house.stay()
  await house.ask('PATCH', made.path, { body: { status: 'Canceled' } })
  return made
}

describe('Units are assigned', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const newStay = (unitTypeId: string, units = 1) => ({
    startDate: today,
    endDate: tomorrow,
    status: 'Confirmed',
    personCount: { adults: 1 },
    units: Array.from({ length: units }, () => ({ unitTypeId })),
    reservationIds: [],
  })

  it('to a stay of several units: all of them or none', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const three = await house.told({ units: newStay(unitTypeId, 3).units })
    refused(await house.ask('POST', `${three.path}/unit-assignment`), 422, 'no-eligible-unit')
    assert.deepEqual(
      (await house.attributes(three.path)).units.map((each: { unitId: null }) => each.unitId),
      [null, null, null],
    )
    const two = await house.told({ units: newStay(unitTypeId, 2).units })
    const assigned = await house.ask('POST', `${two.path}/unit-assignment`)
    const given = assigned.body.data.attributes.units.map((each: { unitId: string }) => each.unitId)
    assert.deepEqual(given.toSorted(), unitIds.toSorted())
    assert.deepEqual(assigned.body.meta, { assigned: [two.id], unassigned: [] })
  })

  it('to a whole reservation as far as it goes, saying what was left without', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const stays = [newStay(unitTypeId), newStay(unitTypeId), newStay(unitTypeId)]
    const token = await house.tokenOf('integrator')
    const made = await house.ask('POST', '/api/v2/reservations', { body: { stays }, token })
    const { id, attributes } = made.body.data
    const [first, second, third] = attributes.stays.map((each: { id: string }) => each.id)
    const body = { stays: [{ stayId: second, preferredUnitId: unitIds[0] }] }
    const assigned = await house.ask('POST', `/api/v2/reservations/${id}/unit-assignments`, { body })
    assert.equal(assigned.status, 200, assigned.text)
    const { data, meta } = assigned.body
    assert.equal(data.type, 'reservation')
    assert.deepEqual(meta.assigned, [first, second])
    assert.partialDeepStrictEqual(meta.unassigned, [
      { stayId: third, code: 'no-eligible-unit', meta: { reason: 'all-occupied', occupied: 2 } },
    ])
    assert.equal(data.attributes.stays[2].units[0].unitId, null)
    assert.equal(assigned.headers.get('etag'), `"${data.attributes.revision}"`)
  })

  it('again after PUT has cleared one', async () => {
    const { unitTypeId, unitId } = await house.rooms(1)
    const { path } = await house.stay({ units: [{ unitTypeId, unitId }] })
    const stay = await house.attributes(path)
    const cleared = await house.ask('PUT', path, { body: { ...stay, units: [{ unitTypeId, unitId: null }] } })
    assert.equal(cleared.status, 204, cleared.text)
    assert.equal((await house.attributes(path)).units[0].unitId, null)
    const again = await house.ask('POST', `${path}/unit-assignment`)
    assert.equal(again.body.data.attributes.units[0].unitId, unitId)
  })

  it('to 40 clients at once without two of them sharing a unit', async () => {
    const { unitTypeId, unitIds } = await house.rooms(25)
    const stays = await Promise.all(Array.from({ length: 40 }, () => house.told({ units: [{ unitTypeId }] })))
    const replies = await Promise.all(stays.map(({ path }) => house.ask('POST', `${path}/unit-assignment`)))
    const won = replies.filter(({ status }) => status === 200)
    const given = won.map(({ body }) => body.data.attributes.units[0].unitId)
    assert.deepEqual(given.toSorted(), unitIds.toSorted())
    for (const lost of replies.filter(({ status }) => status !== 200)) {
      refused(lost, 422, 'no-eligible-unit', undefined, { reason: 'all-occupied', occupied: 25 })
    }
    const kept = await Promise.all(stays.map(({ path }) => house.attributes(path)))
    const held = kept.flatMap(({ units }) => (units[0].unitId ? [units[0].unitId] : []))
    assert.deepEqual(held.toSorted(), unitIds.toSorted())
  })
})
