import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { monday } from '../../appliance.ts'
import { openHouse, type ReservationHouse, refused, today, tomorrow, yesterday } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'

const hour = 3_600_000
const day = 24 * hour

/** A stay with a unit of a type that no other test uses. */
async function withUnit(house: ReservationHouse, attributes: Record<string, unknown> = {}) {
  const { unitTypeId, unitIds } = await house.rooms(1)
  const units = [{ unitTypeId, unitId: unitIds[0] }]
  return { ...(await house.stay({ units, ...attributes })), unitTypeId, unitId: unitIds[0], units }
}

/** The same, in house. */
async function inHouse(house: ReservationHouse, attributes: Record<string, unknown> = {}) {
  const made = await withUnit(house, attributes)
  const checkIn = await house.ask('PATCH', made.path, { body: { status: 'InHouse' } })
  assert.equal(checkIn.status, 204, checkIn.text)
  return made
}

const canceled = async (house: ReservationHouse) => {
  const made = await withUnit(house)
  await house.ask('PATCH', made.path, { body: { status: 'Canceled' } })
  return made
}

const twoNights = {
  currency: 'EUR',
  amountWithTax: 200,
  perNight: [
    { date: today, amountWithTax: 100 },
    { date: tomorrow, amountWithTax: 100 },
  ],
}

const theUnit = [{ unitTypeId: '{unitTypeId}', unitId: '{unitId}' }]

function newStay(attributes: Record<string, unknown>) {
  return {
    startDate: today,
    endDate: tomorrow,
    status: 'Confirmed',
    personCount: { adults: 1 },
    units: [{ unitTypeId: '{unitTypeId}' }],
    reservationIds: [],
    ...attributes,
  }
}

const rows: Scenario[] = [
  ...(['Tentative', 'Waitlisted', 'Confirmed'] as const).map(
    (status): Scenario => ({
      name: `(new) → ${status}`,
      given: (house) => house.stay({ status }),
      request: ['GET', '{path}'],
      status: 200,
      holds: { status },
      lacks: ['checkedInAt'],
    }),
  ),
  {
    name: '(new) → InHouse is a walk-in: checked in, its unit occupied',
    given: (house) => withUnit(house, { status: 'InHouse' }),
    request: ['GET', '/api/v2/units/{unitId}'],
    status: 200,
    holds: { occupied: true, status: 'Clean' },
  },
  {
    name: '(new) → InHouse without a unit: 422 unit-required',
    given: (house) => house.rooms(1),
    request: ['POST', '/api/v2/reservations', { stays: [newStay({ status: 'InHouse' })] }],
    status: 422,
    error: { code: 'unit-required', at: '/stays/0/status' },
  },
  {
    name: '(new) → InHouse before the first day: 409',
    given: (house) => house.rooms(1),
    request: [
      'POST',
      '/api/v2/reservations',
      { stays: [newStay({ status: 'InHouse', startDate: tomorrow, endDate: '2026-06-03', units: theUnit })] },
    ],
    status: 409,
    error: { code: 'stay-status-transition', at: '/stays/0/status' },
  },
  {
    name: '(new) → CheckedOut: 409, naming what a new stay can be',
    given: (house) => house.rooms(1),
    request: ['POST', '/api/v2/reservations', { stays: [newStay({ status: 'CheckedOut' })] }],
    status: 409,
    error: {
      code: 'stay-status-transition',
      at: '/stays/0/status',
      meta: { allowed: ['Tentative', 'Waitlisted', 'Confirmed'] },
    },
  },
  {
    name: 'Tentative → Confirmed while a unit of the type is free',
    given: (house) => withUnit(house, { status: 'Tentative' }),
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 204,
    afterwards: '{path}',
    holds: { status: 'Confirmed' },
  },
  {
    name: 'Waitlisted → Confirmed when all units of the type are booked: 409',
    given: async (house) => {
      const { unitTypeId } = await withUnit(house)
      return house.stay({ status: 'Waitlisted', units: [{ unitTypeId }] })
    },
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 409,
    error: { code: 'stay-status-transition', at: '/status', meta: { guard: 'available' } },
  },
  {
    name: 'Tentative → InHouse: 409, naming Confirmed and Canceled',
    given: (house) => withUnit(house, { status: 'Tentative' }),
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 409,
    error: { code: 'stay-status-transition', at: '/status', meta: { allowed: ['Confirmed', 'Canceled'] } },
  },
  {
    name: 'Confirmed → Canceled: the unit can be given to another stay',
    given: async (house) => {
      const { path, units } = await withUnit(house)
      await house.ask('PATCH', path, { body: { status: 'Canceled' } })
      return house.stay({ units })
    },
    request: ['GET', '{path}'],
    status: 200,
    holds: { status: 'Confirmed' },
  },
  {
    name: 'Confirmed → InHouse: checkedInAt is now',
    given: inHouse,
    request: ['GET', '{path}'],
    status: 200,
    holds: { status: 'InHouse', checkedInAt: '2026-06-01T16:00:00.000Z' },
    lacks: ['checkedOutAt'],
  },
  {
    name: 'Confirmed → InHouse: the unit is occupied',
    given: inHouse,
    request: ['GET', '/api/v2/units/{unitId}'],
    status: 200,
    holds: { occupied: true },
  },
  {
    name: 'Confirmed → InHouse: so is the reservation',
    given: inHouse,
    request: ['GET', '{reservation}'],
    status: 200,
    holds: { status: 'InHouse' },
  },
  {
    name: 'Confirmed → InHouse without a unit: 422 unit-required',
    given: (house) => house.stay(),
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 422,
    error: { code: 'unit-required', at: '/status' },
  },
  {
    name: 'Confirmed → InHouse before the first day: 409',
    given: (house) => withUnit(house, { startDate: tomorrow, endDate: '2026-06-03' }),
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 409,
    error: { code: 'stay-status-transition', meta: { guard: 'within-stay' } },
  },
  {
    name: 'Confirmed → InHouse after the last day: 409',
    given: (house) => withUnit(house, { startDate: '2026-05-20', endDate: yesterday }),
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 409,
    error: { code: 'stay-status-transition', meta: { guard: 'within-stay' } },
  },
  {
    name: 'Confirmed → InHouse on a unit that is not ready: 409 names its status',
    given: async (house) => {
      const made = await withUnit(house)
      await house.ask('PATCH', `/api/v2/units/${made.unitId}`, { body: { status: 'Dirty' } })
      return made
    },
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 409,
    error: { code: 'stay-status-transition', meta: { guard: 'unit-ready', unitStatus: 'Dirty' } },
  },
  {
    name: 'Confirmed → NoShow on the first day: 409',
    given: withUnit,
    request: ['PATCH', '{path}', { status: 'NoShow' }],
    status: 409,
    error: { code: 'stay-status-transition', meta: { guard: 'after-start' } },
  },
  {
    name: 'Confirmed → NoShow after the first day: the unit keeps its status and is free',
    given: (house) => withUnit(house, { startDate: yesterday, endDate: tomorrow }),
    request: ['PATCH', '{path}', { status: 'NoShow' }],
    status: 204,
    afterwards: '/api/v2/units/{unitId}',
    holds: { occupied: false, status: 'Clean' },
  },
  {
    name: 'Canceled → Confirmed without the scope: 403 names it',
    given: async (house) => ({
      ...(await canceled(house)),
      writer: await house.tokenOf('auditor', ['reservations.write']),
    }),
    as: 'writer',
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 403,
    error: { code: 'scope-required', at: '/status', meta: { scope: 'reservations.reinstate' } },
  },
  {
    name: 'Canceled → Confirmed: the stay has its unit again',
    given: canceled,
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 204,
    afterwards: '{path}',
    holds: { status: 'Confirmed', units: [{ unitId: '{unitId}' }] },
    lacks: ['cancellationFee'],
  },
  {
    name: 'Canceled → Confirmed when the unit was given away: the stay is without one',
    given: async (house) => {
      const made = await canceled(house)
      await house.stay({ units: made.units })
      return made
    },
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 204,
    afterwards: '{path}',
    holds: { status: 'Confirmed', units: [{ unitTypeId: '{unitTypeId}', unitId: null }] },
  },
  {
    name: 'InHouse → CheckedOut: the unit is dirty and free',
    given: inHouse,
    request: ['PATCH', '{path}', { status: 'CheckedOut' }],
    status: 204,
    afterwards: '/api/v2/units/{unitId}',
    holds: { status: 'Dirty', occupied: false, idleSince: '2026-06-01T16:00:00.000Z' },
  },
  {
    name: 'InHouse → CheckedOut before the last day: the stay ends now',
    given: inHouse,
    request: ['PATCH', '{path}', { status: 'CheckedOut' }],
    status: 204,
    afterwards: '{path}',
    holds: { endDate: today, endTime: '17:00', nights: 0, checkedOutAt: '2026-06-01T16:00:00.000Z' },
  },
  {
    name: 'InHouse → CheckedOut of a unit that was taken out of order leaves it so',
    given: async (house) => {
      const made = await inHouse(house)
      await house.ask('PATCH', `/api/v2/units/${made.unitId}`, { body: { status: 'OutOfOrder' } })
      return made
    },
    request: ['PATCH', '{path}', { status: 'CheckedOut' }],
    status: 204,
    afterwards: '/api/v2/units/{unitId}',
    holds: { status: 'OutOfOrder', occupied: false },
  },
  {
    name: 'InHouse → Confirmed on the same day: nobody is in the unit',
    given: inHouse,
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 204,
    afterwards: '/api/v2/units/{unitId}',
    holds: { occupied: false, status: 'Clean' },
  },
  {
    name: 'InHouse → Canceled: 409, naming what it can become',
    given: inHouse,
    request: ['PATCH', '{path}', { status: 'Canceled' }],
    status: 409,
    error: { code: 'stay-status-transition', meta: { allowed: ['Confirmed', 'CheckedOut'] } },
  },
  {
    name: 'CheckedOut → InHouse on the same day: the unit is occupied again',
    given: async (house) => {
      const made = await inHouse(house)
      await house.ask('PATCH', made.path, { body: { status: 'CheckedOut' } })
      return made
    },
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 204,
    afterwards: '/api/v2/units/{unitId}',
    holds: { occupied: true, status: 'Dirty' },
  },
  {
    name: 'InHouse stays with its first day: 409 names the field',
    given: inHouse,
    request: ['PATCH', '{path}', { startDate: yesterday }],
    status: 409,
    error: {
      code: 'stay-status-transition',
      at: '/startDate',
      meta: { field: 'startDate', status: 'InHouse' },
    },
  },
  {
    name: 'InHouse may stay longer',
    given: inHouse,
    request: ['PATCH', '{path}', { endDate: '2026-06-05' }],
    status: 204,
    afterwards: '{path}',
    holds: { nights: 4 },
  },
  {
    name: 'Canceled changes nothing but its comments: 409 names the field',
    given: canceled,
    request: ['PATCH', '{path}', { comment: 'called', personCount: { adults: 2 } }],
    status: 409,
    error: { code: 'stay-status-transition', at: '/personCount' },
  },
  {
    name: 'Canceled takes a comment',
    given: canceled,
    request: ['PATCH', '{path}', { comment: 'called' }],
    status: 204,
    afterwards: '{path}',
    holds: { comment: 'called', status: 'Canceled' },
  },
  {
    name: 'InHouse cannot be deleted: 409',
    given: async (house) => {
      const made = await inHouse(house)
      await house.ask('POST', `${made.reservation}/stays`, {
        body: newStay({
          units: [{ unitTypeId: made.unitTypeId }],
          startDate: '2027-01-01',
          endDate: '2027-01-02',
        }),
      })
      return made
    },
    request: ['DELETE', '{path}'],
    status: 409,
    error: { code: 'resource-referenced' },
  },
]

scenarios('A stay changes its status', rows)

describe('A stay through its days', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const set = (path: string, status: string) => house.ask('PATCH', path, { body: { status } })

  it('no two stays are in house on a unit', async () => {
    const first = await inHouse(house)
    house.clock.advance(day)
    const { path } = await house.stay({
      startDate: tomorrow,
      endDate: '2026-06-03',
      units: [{ unitTypeId: first.unitTypeId }],
    })
    const assigned = await house.ask('PATCH', path, { body: { units: first.units } })
    refused(assigned, 409, 'unit-occupied', '/data/attributes/units/0/unitId')
    house.clock.set(monday)
  })

  it('a check-in is reverted on its own day only', async () => {
    const { path } = await inHouse(house, { endDate: '2026-06-09' })
    house.clock.advance(day)
    refused(await set(path, 'Confirmed'), 409, 'stay-status-transition', '/data/attributes/status', {
      guard: 'checked-in-today',
    })
    house.clock.set(monday)
    assert.equal((await set(path, 'Confirmed')).status, 204)
  })

  it('a check-out is undone on its own day only', async () => {
    const { path } = await inHouse(house, { endDate: '2026-06-09' })
    assert.equal((await set(path, 'CheckedOut')).status, 204)
    house.clock.advance(day)
    refused(await set(path, 'InHouse'), 409, 'stay-status-transition')
    house.clock.set(monday)
  })

  it('a check-out is not undone when the unit was given away', async () => {
    const { path, units, unitId } = await inHouse(house)
    await set(path, 'CheckedOut')
    await house.ask('PATCH', `/api/v2/units/${unitId}`, { body: { status: 'Clean' } })
    const next = await house.stay({ units, startTime: '17:30' })
    house.clock.advance(hour)
    await set(next.path, 'InHouse')
    refused(await set(path, 'InHouse'), 409, 'unit-occupied')
    house.clock.set(monday)
  })

  it('who comes before check-in time and leaves again has stayed a minute', async () => {
    house.clock.set(monday - 6 * hour)
    const { path } = await inHouse(house)
    assert.equal((await set(path, 'CheckedOut')).status, 204)
    const stay = await house.attributes(path)
    assert.equal(stay.endDate, today)
    assert.equal(stay.endTime, '15:01')
    house.clock.set(monday)
  })

  it('an open balance holds the guest, unless the property allows it', async () => {
    const settings = (await house.ask('GET', '/api/config/v1/settings')).body.data[0].id
    const allow = (allowOpenBalance: boolean) =>
      house.ask('PATCH', `/api/config/v1/settings/${settings}`, { body: { allowOpenBalance } })
    const { path } = await inHouse(house, { amount: twoNights, endDate: '2026-06-03' })
    refused(await set(path, 'CheckedOut'), 422, 'balance-outstanding', '/data/attributes/status', {
      outstanding: 20_000,
    })
    assert.equal((await allow(true)).status, 204)
    assert.equal((await set(path, 'CheckedOut')).status, 204)
    const { amount, nights } = await house.attributes(path)
    assert.equal(nights, 0)
    assert.equal(amount.perNight.length, 2)
    await allow(false)
  })

  it('a move in house leaves the old unit dirty and occupies the new one', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const { path } = await house.stay({ units: [{ unitTypeId, unitId: unitIds[0] }] })
    await set(path, 'InHouse')
    const moved = await house.ask('PATCH', path, { body: { units: [{ unitTypeId, unitId: unitIds[1] }] } })
    assert.equal(moved.status, 204, moved.text)
    const left = await house.attributes(`/api/v2/units/${unitIds[0]}`)
    assert.deepEqual([left.status, left.occupied], ['Dirty', false])
    const entered = await house.attributes(`/api/v2/units/${unitIds[1]}`)
    assert.deepEqual([entered.status, entered.occupied], ['Clean', true])
  })

  it('a stay that is canceled says nothing of the guest who is in its unit now', async () => {
    const { units, unitId } = await inHouse(house)
    const { path } = await house.stay({ units, startDate: '2026-07-01', endDate: '2026-07-02' })
    await set(path, 'Canceled')
    assert.equal((await house.attributes(`/api/v2/units/${unitId}`)).occupied, true)
  })

  it('canceling keeps what it cost by the terms of the day of booking', async () => {
    const tiers = [{ offset: 'P1D', fee: { percent: 50, of: 'Stay' } }]
    const cancellationPolicyId = await house.make('cancellation-policies', {
      code: 'HALF',
      name: 'Half',
      tiers,
    })
    const plan = { code: 'P', name: 'P', startDate: today, endDate: '2026-12-31', cancellationPolicyId }
    const ratePlanId = await house.make('rate-plans', plan)
    const { path } = await withUnit(house, { ratePlanId, amount: { currency: 'EUR', amountWithTax: 99.99 } })
    await house.ask('PUT', `/api/v2/cancellation-policies/${cancellationPolicyId}`, {
      body: { code: 'HALF', name: 'Now free', tiers: [{ offset: 'PT0S', fee: { nights: 1 } }] },
    })
    assert.equal((await set(path, 'Canceled')).status, 204)
    const { cancellationFee, cancellationPolicy } = await house.attributes(path)
    assert.equal(cancellationPolicy.name, 'Half')
    assert.deepEqual(cancellationFee, { currency: 'EUR', amount: 5000 })
  })

  it('a change of a stay is a new revision of its reservation', async () => {
    const { reservation, path } = await withUnit(house)
    const before = await house.ask('GET', reservation)
    await house.ask('PATCH', path, { body: { comment: 'late' } })
    const after = await house.ask('GET', reservation)
    assert.notEqual(after.headers.get('etag'), before.headers.get('etag'))
    assert.equal(after.body.data.attributes.stays[0].comment, 'late')
  })
})
