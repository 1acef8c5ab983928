import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Reply } from '../appliance.ts'
import { guestFound } from '../guest-found.ts'
import { wallClock } from '../reservation/api/wall-clock.ts'
import { tokenOf } from '../token-of.ts'
import { type Case, inTime, oneNight, tooLate } from './departure-cases.ts'
import { type HouseWithDoors, houseWithDoors, idle } from './house-with-doors.ts'

let house: HouseWithDoors
let kiosk: string
let settings: string
let numbers = 0
before(async () => {
  house = await houseWithDoors()
  kiosk = await tokenOf(house.ask, 'kiosk')
  settings = `/api/config/v1/settings/${(await house.ask('GET', '/api/config/v1/settings')).body.data[0].id}`
})
after(() => house.stop())
beforeEach(() => idle(house))

/** A stay with a price, whose guest comes to the kiosk at a time of the property. */
async function guest({ dates, comes, zone = 'Europe/Lisbon' }: Omit<Case, 'name'>) {
  const zoned = await house.ask('PATCH', settings, { body: { timeZone: zone } })
  assert.equal(zoned.status, 204, zoned.text)
  house.clock.set(wallClock(zone).startOf(...comes))
  const number = `LATE-${++numbers}`
  const types = await house.ask('GET', '/api/v2/unit-types?sort=code')
  const stay = {
    ...dates,
    status: 'Confirmed',
    personCount: { adults: 1 },
    units: [{ unitTypeId: types.body.data[0].id }],
    amount: { currency: 'EUR', amountWithTax: 90 },
    reservationIds: [{ type: 'Confirmation', value: number }],
    profiles: [{ role: 'PrimaryGuest', firstName: 'Ada', lastName: `Late ${numbers}` }],
  }
  const made = await house.ask('POST', '/api/v2/reservations', { body: { stays: [stay] } })
  assert.equal(made.status, 201, made.text)
  const { id, attributes } = made.body.data
  const stayId: string = attributes.stays[0].id
  const path = `/api/v2/reservations/${id}/stays/${stayId}`
  await guestFound(house.ask, kiosk, stayId)
  return { path, stayId, reservationId: String(id), dates }
}

type Guest = Awaited<ReturnType<typeof guest>>

const at = (token: string) => (method: string, path: string, body?: object) =>
  house.ask(method, path, { token, ...(body && { body }) })
const said = ({ status, body }: Reply) => (status < 400 ? status : body.errors[0].code)

const pay = ({ stayId }: Guest) => at(kiosk)('POST', `/api/v2/stays/${stayId}/actions/pay-at-terminal`)
const assign = ({ path }: Guest) => at(kiosk)('POST', `${path}/unit-assignment`)
const checkIn = ({ path }: Guest) => at(kiosk)('PATCH', path, { status: 'InHouse' })
async function key({ path, stayId, dates }: Guest) {
  const { units } = await read({ path })
  const { startDate, endDate } = dates
  const order = {
    type: 'keyCard',
    unitName: units[0].unitName,
    original: true,
    startDate,
    endDate,
    externalId: stayId,
  }
  return at(kiosk)('POST', `/api/v2/access/controllers/${house.controllerId}/key`, order)
}
const read = async ({ path }: Pick<Guest, 'path'>) => (await house.ask('GET', path)).body.data.attributes

/** A client that goes on whatever is refused, in an order of its own. */
async function outcome(who: Guest, steps: readonly ((who: Guest) => Promise<Reply>)[]) {
  const answers: unknown[] = []
  for (const step of steps) answers.push(said(await step(who)))
  const { status, paid, units, plannedEndsAt } = await read(who)
  const keys = await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${who.stayId}`)
  for (const { attributes } of keys.body.data) assert.equal(attributes.validUntil, plannedEndsAt)
  await leave(who, status, units)
  return { answers, status, paid, keys: keys.body.data.length as number }
}

/** Gives the room back, so that the next guest finds it clean. */
async function leave({ path }: Guest, status: string, units: { unitId: string | null }[]) {
  await idle(house)
  const gone = { status: status === 'InHouse' ? 'CheckedOut' : 'Canceled' }
  assert.equal((await house.ask('PATCH', path, { body: gone })).status, 204)
  for (const { unitId } of units)
    if (unitId) await house.ask('PATCH', `/api/v2/units/${unitId}`, { body: { status: 'Clean' } })
}

const desk = at('demo')
const handedOver = async ({ stayId }: Guest) => {
  const why = { failure: 'stay-over', step: 'room', language: 'de' }
  const made = await at(kiosk)('POST', `/api/v2/stays/${stayId}/actions/hand-over`, why)
  assert.equal(made.status, 201, made.text)
  return String(made.body.data.attributes.code)
}
const orders = [
  ['room first', [assign, pay, checkIn, key]],
  ['payment first', [pay, assign, checkIn, key]],
] as const
const served = { answers: [200, 201, 204, 201], status: 'InHouse', paid: 9_000, keys: 1 }
const atDeparture = { dates: oneNight, comes: ['2026-06-03', '11:30'] } satisfies Omit<Case, 'name'>

describe('a guest who comes to the kiosk after the departure', () => {
  for (const { name, ...how } of tooLate)
    for (const [order, steps] of orders)
      it(`${name}, ${order}: every step is refused, and nothing is charged`, async () => {
        const refused = Array<string>(3).fill('stay-status-transition')
        const { answers, ...after } = await outcome(await guest(how), steps)
        assert.deepEqual(after, { status: 'Confirmed', paid: 0, keys: 0 })
        assert.deepEqual(answers.slice(0, 3), refused)
      })

  for (const { name, ...how } of inTime)
    it(`${name}: paid, in house, and a key`, async () => {
      assert.deepEqual(await outcome(await guest(how), orders[0][1]), served)
    })

  for (const { startTime, comes, opensAt } of [
    { startTime: '18:00', comes: '16:00', opensAt: '15:00' },
    { startTime: '18:00', comes: '19:00', opensAt: '15:00' },
    { startTime: '12:00', comes: '16:00', opensAt: '12:00' },
  ])
    it(`has a key from ${opensAt} when the arrival of ${startTime} is one at ${comes}`, async () => {
      const who = await guest({ dates: { ...oneNight, startTime }, comes: ['2026-06-02', comes] })
      assert.deepEqual(
        [said(await assign(who)), said(await pay(who)), said(await checkIn(who))],
        [200, 201, 204],
      )
      const made = await key(who)
      assert.equal(made.status, 201, made.text)
      const { validFrom } = made.body.data.attributes
      assert.equal(Date.parse(validFrom), wallClock('Europe/Lisbon').startOf('2026-06-02', opensAt))
      await leave(who, 'InHouse', (await read(who)).units)
    })

  it('is sent to the desk in words, and reads no amount to pay at a terminal of the kiosk', async () => {
    const who = await guest(atDeparture)
    for (const refused of [await assign(who), await pay(who)]) {
      const { meta } = refused.body.errors[0]
      assert.deepEqual([refused.status, meta.guard, meta.guest], [409, 'not-over-at-kiosk', 'desk'])
      assert.match(meta.guestText, /front desk/)
    }
    const path = `/api/v2/reservations/${who.reservationId}?include=stays`
    const { data, included } = (await at(kiosk)('GET', path)).body
    const [stay] = included.filter(({ type }: { type: string }) => type === 'stay')
    const read = [
      data.attributes.outstanding,
      data.attributes.stays[0].outstanding,
      stay.attributes.outstanding,
    ]
    assert.deepEqual(read, [null, null, null])
    assert.equal((await desk('GET', path)).body.data.attributes.outstanding, 9_000)
    await leave(who, 'Confirmed', [])
  })

  for (const { paid, ...later } of [
    { endTime: '16:00', paid: 9_000 },
    { endDate: '2026-06-04', paid: 18_000 },
  ])
    it(`goes on at the kiosk when the desk has set ${JSON.stringify(later)}`, async () => {
      const who = await guest(atDeparture)
      const code = await handedOver(who)
      const waiting = (await desk('GET', `/api/v2/hand-overs?filter[code]=${code}`)).body.data
      assert.deepEqual(
        waiting.map(({ attributes }: { attributes: object }) => attributes),
        [{ ...waiting[0].attributes, stayId: who.stayId, failure: 'stay-over', step: 'room' }],
      )
      assert.equal(said(await desk('PATCH', who.path, later)), paid === 9_000 ? 204 : 200)
      await guestFound(house.ask, kiosk, who.stayId)
      const all = { ...who, dates: { ...oneNight, ...later } }
      assert.deepEqual(await outcome(all, orders[0][1]), { ...served, paid })
    })

  it('who pays in time and is late for the key goes to the desk, and has the key when the desk has extended', async () => {
    const who = await guest({ dates: oneNight, comes: ['2026-06-03', '10:54'] })
    assert.deepEqual([said(await assign(who)), said(await pay(who))], [200, 201])
    house.clock.advance(7 * 60_000)
    await guestFound(house.ask, kiosk, who.stayId)
    const late = 'stay-status-transition'
    assert.deepEqual([said(await assign(who)), said(await checkIn(who))], [late, late])
    assert.match(await handedOver(who), /^\d{4}$/)
    assert.equal((await desk('PATCH', who.path, { endTime: '12:00' })).status, 204)
    const { answers, ...after } = await outcome(who, [assign, checkIn, key])
    assert.deepEqual([answers, after], [[200, 204, 201], { status: 'InHouse', paid: 9_000, keys: 1 }])
  })

  it('who repeats a payment of before the departure is answered what was paid', async () => {
    const who = await guest({ dates: oneNight, comes: ['2026-06-03', '10:54'] })
    const wish = { token: kiosk, headers: { 'Idempotency-Key': `wish-${who.stayId}` } }
    const path = `/api/v2/stays/${who.stayId}/actions/pay-at-terminal`
    const first = await house.ask('POST', path, wish)
    house.clock.advance(7 * 60_000)
    await guestFound(house.ask, kiosk, who.stayId)
    const again = await house.ask('POST', path, wish)
    assert.deepEqual([first.status, again.body], [201, first.body])
    assert.equal(said(await pay(who)), 'payment-exceeds-outstanding')
    await leave(who, 'Confirmed', [])
  })

  it('does not begin to pay in the last five minutes', async () => {
    const who = await guest({ dates: oneNight, comes: ['2026-06-03', '10:55'] })
    assert.deepEqual([said(await assign(who)), said(await pay(who))], [200, 'stay-status-transition'])
    const { units } = await read(who)
    await leave(who, 'Confirmed', units)
  })

  it('has a charge of the terminal of another kiosk recorded, because the money is gone', async () => {
    const who = await guest(atDeparture)
    const charge = { currency: 'EUR', amount: 9_000, brand: 'Visa', terminalTransactionId: '4711' }
    assert.equal(said(await at(kiosk)('POST', `${who.path}/actions/record-payment`, charge)), 201)
    assert.equal(said(await checkIn(who)), 'stay-status-transition')
    await leave(who, 'Confirmed', [])
  })

  it('is served by the desk, which may also record a check-in that was forgotten', async () => {
    const who = await guest(atDeparture)
    assert.equal(said(await desk('POST', `${who.path}/unit-assignment`)), 200)
    assert.equal(said(await desk('POST', `/api/v2/stays/${who.stayId}/actions/pay-at-terminal`)), 201)
    assert.equal(said(await desk('PATCH', who.path, { status: 'InHouse' })), 204)
    await guestFound(house.ask, kiosk, who.stayId)
    assert.equal(said(await key(who)), 'stay-status-transition')
    const { units, paid } = await read(who)
    assert.equal(paid, 9_000)
    await leave(who, 'InHouse', units)
  })

  it('is in house as soon as a PMS says so', async () => {
    const who = await guest(atDeparture)
    const pms = at(await tokenOf(house.ask, 'integrator'))
    assert.equal(said(await desk('POST', `${who.path}/unit-assignment`)), 200)
    assert.equal(said(await pms('PATCH', who.path, { status: 'InHouse' })), 204)
    const { units } = await read(who)
    const charge = { currency: 'EUR', amount: 9_000, brand: 'Visa', terminalTransactionId: '4712' }
    assert.equal(said(await desk('POST', `${who.path}/actions/record-payment`, charge)), 201)
    await leave(who, 'InHouse', units)
  })

  it('pays at the kiosk what was used, when in house', async () => {
    const who = await guest({ dates: oneNight, comes: ['2026-06-03', '10:00'] })
    assert.equal(said(await assign(who)), 200)
    assert.equal(said(await desk('PATCH', who.path, { status: 'InHouse' })), 204)
    house.clock.advance(90 * 60_000)
    await guestFound(house.ask, kiosk, who.stayId)
    assert.equal(said(await pay(who)), 201)
    const { units } = await read(who)
    await leave(who, 'InHouse', units)
  })

  it('has one room of a party that stays longer, and the other guest of the party has the key', async () => {
    const who = await guest(atDeparture)
    const { units, endDate: _, startDate: __, reservationIds: ___, ...more } = await read(who)
    const longer = {
      status: 'Confirmed',
      personCount: more.personCount,
      amount: more.amount,
      profiles: [{ role: 'PrimaryGuest', firstName: 'Bea', lastName: `Longer ${numbers}` }],
      reservationIds: [{ type: 'Confirmation', value: `LONGER-${numbers}` }],
      units: units.map(({ unitTypeId }: { unitTypeId: string }) => ({ unitTypeId })),
      startDate: '2026-06-02',
      endDate: '2026-06-04',
    }
    const made = await desk('POST', `/api/v2/reservations/${who.reservationId}/stays`, longer)
    assert.equal(made.status, 201, made.text)
    const stayId: string = made.body.data.id
    await guestFound(house.ask, kiosk, stayId)
    const other = {
      ...who,
      stayId,
      path: `/api/v2/reservations/${who.reservationId}/stays/${stayId}`,
      dates: longer,
    }
    assert.deepEqual(await outcome(other, orders[0][1]), served)
    await leave(who, 'Confirmed', [])
  })
})
