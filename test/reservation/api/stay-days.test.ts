import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { monday } from '../../appliance.ts'
import { openHouse, type ReservationHouse, refused, today, tomorrow, yesterday } from './house.ts'
import { inHouse, withUnit } from './stay-samples.ts'

const hour = 3_600_000
const day = 24 * hour

const twoNights = {
  currency: 'EUR',
  amountWithTax: 200,
  perNight: [
    { date: today, amountWithTax: 100 },
    { date: tomorrow, amountWithTax: 100 },
  ],
}

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
    const { path } = await house.told({
      startDate: tomorrow,
      endDate: '2026-06-03',
      units: [{ unitTypeId: first.unitTypeId }],
    })
    const assigned = await house.ask('PATCH', path, { body: { units: first.units } })
    refused(assigned, 409, 'unit-occupied', '/data/attributes/units/0/unitId')
    house.clock.set(monday)
  })

  it('a stay is made longer though the guest before it has not left yet', async () => {
    const { units } = await inHouse(house)
    const next = await house.stay({ units, startDate: tomorrow, endDate: '2026-06-04' })
    const last = await house.stay({ units, startDate: '2026-06-05', endDate: '2026-06-06' })
    house.clock.advance(day)
    const end = (endDate: string) => house.ask('PATCH', next.path, { body: { endDate } })
    assert.equal((await end('2026-06-05')).status, 204)
    refused(await house.ask('PATCH', last.path, { body: { startDate: '2026-06-04' } }), 409, 'unit-occupied')
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

  it('a check-out that is undone gives the guest back the nights he had booked', async () => {
    const { path } = await inHouse(house, { endDate: '2026-06-09', endTime: '12:00' })
    const booked = await house.attributes(path)
    await set(path, 'CheckedOut')
    assert.equal((await house.attributes(path)).nights, 0)
    assert.equal((await set(path, 'InHouse')).status, 204)
    const { endDate, endTime, plannedEndsAt, nights, checkedOutAt } = await house.attributes(path)
    assert.deepEqual([endDate, endTime, nights, checkedOutAt], ['2026-06-09', '12:00', 8, null])
    assert.equal(plannedEndsAt, booked.plannedEndsAt)
  })

  it('a check-out that is undone leaves the nights that were sold to somebody else', async () => {
    const { path, units } = await inHouse(house, { endDate: '2026-06-09' })
    await set(path, 'CheckedOut')
    await house.stay({ units, startDate: tomorrow, endDate: '2026-06-03' })
    assert.equal((await set(path, 'InHouse')).status, 204)
    const { status, endDate } = await house.attributes(path)
    assert.deepEqual([status, endDate], ['InHouse', today])
  })

  it('a check-out is undone although the nights with a price of their own were sold to somebody else', async () => {
    const perNight = twoNights.perNight.map((night) => ({ ...night, amountWithTax: 0 }))
    const amount = { ...twoNights, amountWithTax: 0, perNight }
    const { path, units } = await inHouse(house, { endDate: '2026-06-03', amount })
    await set(path, 'CheckedOut')
    await house.stay({ units, startDate: tomorrow, endDate: '2026-06-03' })
    const undone = await set(path, 'InHouse')
    assert.equal(undone.status, 204, undone.text)
    const commented = await house.ask('PATCH', path, { body: { comment: 'Is still here' } })
    assert.equal(commented.status, 204, commented.text)
    const { amount: shown } = await house.attributes(path)
    const longer = await house.ask('PATCH', path, { body: { endTime: '23:00', amount: shown } })
    assert.equal(longer.status, 204, longer.text)
    const other = await house.ask('PATCH', path, { body: { amount: { ...amount, amountWithTax: 10 } } })
    refused(other, 422, 'validation-failed', '/data/attributes/amount/perNight')
  })

  it('a check-out that is undone leaves the nights for which its type is sold out', async () => {
    const { path, unitTypeId } = await inHouse(house, { endDate: '2026-06-09' })
    await set(path, 'CheckedOut')
    await house.stay({ units: [{ unitTypeId }], startDate: tomorrow, endDate: '2026-06-03' })
    assert.equal((await set(path, 'InHouse')).status, 204)
    assert.equal((await house.attributes(path)).endDate, today)
  })

  it('a check-out that is undone leaves the nights for which the unit was blocked', async () => {
    const { path, unitId } = await inHouse(house, { endDate: '2026-06-09' })
    await set(path, 'CheckedOut')
    const body = [{ startDate: tomorrow, endDate: tomorrow, quantity: 0 }]
    await house.ask('PATCH', `/api/v2/availability/units/${unitId}`, { body })
    assert.equal((await set(path, 'InHouse')).status, 204)
    assert.equal((await house.attributes(path)).endDate, today)
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

  it('a check-out is not undone when the next guest has come before check-in time', async () => {
    house.clock.set(monday - 8 * hour)
    const { path, units, unitId } = await inHouse(house, { startDate: yesterday, endDate: today })
    await set(path, 'CheckedOut')
    await house.ask('PATCH', `/api/v2/units/${unitId}`, { body: { status: 'Clean' } })
    const next = await house.stay({ units })
    assert.equal((await set(next.path, 'InHouse')).status, 204)
    refused(await set(path, 'InHouse'), 409, 'unit-occupied', '/data/attributes/status')
    house.clock.set(monday)
  })

  it('a guest in house is not moved to a guest who has come before check-in time', async () => {
    house.clock.set(monday - 8 * hour)
    const { path } = await inHouse(house, { startDate: yesterday, endDate: today })
    const { id, units } = await inHouse(house)
    const moved = await house.ask('PATCH', path, { body: { units } })
    refused(moved, 409, 'unit-occupied', '/data/attributes/units/0/unitId', { stayIds: [id] })
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

  /** A trial says the fee of the end of a stay, and stores nothing. */
  async function saysFee(path: string, status: string, fee: string): Promise<void> {
    const before = await house.attributes(path)
    const reply = await house.ask('PATCH', `${path}?dryRun=true`, {
      body: { status },
      headers: { 'accept-language': 'fr' },
    })
    assert.equal(reply.status, 200, reply.text)
    const [message] = reply.body.meta.messages
    assert.deepEqual(message.values, { fee, currency: 'EUR' })
    assert.match(message.text, new RegExp(`les frais sont de ${fee} EUR`))
    const { cancellationFee } = reply.body.data.attributes
    assert.deepEqual(cancellationFee, { currency: 'EUR', amount: Number(fee) * 100 })
    assert.deepEqual(await house.attributes(path), before)
  }

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
    await saysFee(path, 'Canceled', '50.00')
    assert.equal((await set(path, 'Canceled')).status, 204)
    const { cancellationFee, cancellationPolicy } = await house.attributes(path)
    assert.equal(cancellationPolicy.name, 'Half')
    assert.deepEqual(cancellationFee, { currency: 'EUR', amount: 5000 })
  })

  it('who does not show up owes what the terms say of that, until the stay is reinstated', async () => {
    const tiers = [{ offset: 'P1D', fee: { percent: 50, of: 'Stay' } }]
    const policy = { code: 'NS', name: 'First night', tiers, noShowFee: { nights: 1 } }
    const cancellationPolicyId = await house.make('cancellation-policies', policy)
    const plan = { code: 'NS', name: 'NS', startDate: today, endDate: '2026-12-31', cancellationPolicyId }
    const ratePlanId = await house.make('rate-plans', plan)
    const [first, second] = twoNights.perNight
    // A PMS may list the nights in any order.
    const perNight = [
      { ...second, amountWithTax: 120 },
      { ...first, amountWithTax: 80 },
    ]
    const amount = { ...twoNights, perNight }
    const { path } = await withUnit(house, { ratePlanId, amount, endDate: '2026-06-03' })
    house.clock.advance(day)
    await saysFee(path, 'NoShow', '80.00')
    assert.equal((await set(path, 'NoShow')).status, 204)
    assert.deepEqual((await house.attributes(path)).cancellationFee, { currency: 'EUR', amount: 8_000 })
    assert.equal((await set(path, 'Confirmed')).status, 204)
    assert.equal((await house.attributes(path)).cancellationFee, null)
    house.clock.set(monday)
  })

  it('a change of a stay is a new revision of its reservation', async () => {
    const { reservation, path } = await withUnit(house)
    const before = await house.ask('GET', reservation)
    await house.ask('PATCH', path, { body: { comment: 'late' } })
    const after = await house.ask('GET', reservation)
    assert.notEqual(after.headers.get('etag'), before.headers.get('etag'))
    assert.equal(after.body.data.attributes.stays[0].comment, 'late')
  })

  /** A guest in house with a card for the unit. */
  async function withCard() {
    const [controller] = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data
    const [reservation] = (
      await house.ask(
        'GET',
        '/api/v2/reservations?filter[status]=Confirmed&filter[stays.amount.amountWithTax][gt]=0',
      )
    ).body.data
    const [{ id, startDate, endDate, externalId }] = reservation.attributes.stays
    const path = `/api/v2/reservations/${reservation.id}/stays/${id}`
    const assigned = await house.ask('POST', `${path}/unit-assignment`)
    assert.equal((await set(path, 'InHouse')).status, 204)
    const [{ unitName, unitTypeId }] = assigned.body.data.attributes.units
    const body = { type: 'keyCard', unitName, original: true, startDate, endDate, externalId }
    const key = await house.ask('POST', `/api/v2/access/controllers/${controller.id}/key`, { body })
    assert.equal(key.status, 201, key.text)
    return {
      path,
      reservation: `/api/v2/reservations/${reservation.id}`,
      unitTypeId,
      keyId: key.body.data.id,
    }
  }

  it('a card locks its unit, dies with a check-in that is reverted, and keeps its stay from being deleted', async () => {
    const { path, reservation, unitTypeId, keyId } = await withCard()
    assert.partialDeepStrictEqual(await house.attributes(path), {
      units: [{ locked: true }],
      keys: { live: 1 },
    })
    const moved = await house.ask('PATCH', path, { body: { units: [{ unitTypeId }] } })
    refused(moved, 409, 'unit-change-refused', '/data/attributes/units/0/unitId')
    assert.match(moved.body.errors[0].detail, /Erase its card first/)
    const crowded = { units: [{ unitTypeId }], personCount: { adults: 90 } }
    // The lock is refused last: a desk that reads it ends the keys, and nothing else is in the way then.
    refused(await house.ask('PATCH', path, { body: crowded }), 422, 'person-count-exceeds-occupancy')

    assert.equal((await set(path, 'Confirmed')).status, 204)
    assert.equal((await house.attributes(`/api/v2/access/keys/${keyId}`)).status, 'revocationPending')
    assert.equal((await house.attributes(path)).checkedInAt, null)

    const leftOut = await house.ask('PUT', reservation, { body: { stays: [] } })
    assert.equal(leftOut.status, 204, leftOut.text)
    assert.equal((await house.attributes(path)).status, 'Canceled')
    assert.equal((await house.attributes(reservation)).status, 'Canceled')
  })
})
