import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc, { seed } from '../../seed.ts'
import { openHouse, type ReservationHouse, refused, tomorrow } from './house.ts'
import {
  cash,
  euros,
  openInHouse,
  paidInFull,
  partlyPaid,
  party,
  pay,
  priced,
  product,
  record,
} from './paid-stays.ts'
import { inHouse } from './stay-samples.ts'

describe('Money is whole minor units', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  for (const [currency, amountWithTax, due] of [
    ['JPY', 12_000, 12_000],
    ['EUR', 0.29, 29],
    ['EUR', 1.1, 110],
    ['KWD', 19.995, 19_995],
    ['EUR', 9_999_999_999_999.99, 999_999_999_999_999],
  ] as const) {
    it(`${amountWithTax} ${currency} is ${due}, which a reservation pays exactly`, async () => {
      const { reservation } = await priced(house, { amount: { currency, amountWithTax } })
      assert.equal((await house.attributes(reservation)).outstanding, due)
      await pay(house, reservation, { currency, amount: due, brand: 'Visa' })
      assert.equal((await house.attributes(reservation)).outstanding, 0)
    })
  }

  it('an amount that a JSON number does not hold exactly is refused', async () => {
    const { path } = await priced(house)
    const amount = { currency: 'EUR', amountWithTax: 90_071_992_547_409.91 }
    const put = await house.ask('PATCH', path, { body: { amount } })
    refused(put, 422, 'validation-failed', '/data/attributes/amount/amountWithTax')
  })

  it('services of a day use are charged once where they are priced by the night', async () => {
    const services = [
      { serviceId: await house.make('services', product(19, 10)) },
      { serviceId: await house.make('services', product(21, 10)) },
      { serviceId: await house.make('services', product(20, 2.5)) },
      { serviceId: await house.make('services', product(24, 0.1)), count: 3 },
    ]
    const day = { startDate: tomorrow, startTime: '10:00', endTime: '18:00', personCount: { adults: 2 } }
    const { path } = await priced(house, { ...day, services, amount: null })
    assert.equal((await house.attributes(path)).due, 3_530)
  })
})

describe('What is due, paid and outstanding', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const set = (path: string, body: object) => house.ask('PATCH', path, { body })
  const money = async (path: string) => {
    const { due, paid, outstanding } = await house.attributes(path)
    return [due, paid, outstanding]
  }

  it('follows the price', async () => {
    const { path, reservation } = await partlyPaid(house)
    assert.equal((await set(path, { amount: euros(120) })).status, 204)
    assert.deepEqual(await money(path), [12_000, 900, 11_100])
    assert.deepEqual(await money(reservation), [12_000, 900, 11_100])
  })

  it('shows what was paid too much as less than nothing', async () => {
    const { path, reservation } = await paidInFull(house)
    await set(path, { amount: euros(100) })
    assert.deepEqual(await money(path), [10_000, 10_900, -900])
    assert.deepEqual(await money(reservation), [10_000, 10_900, -900])
  })

  it('lets what a canceled stay has paid pay for the others', async () => {
    const { reservation, first, second } = await party(house, [euros(50), euros(60)])
    await pay(house, first, cash(5_000))
    await set(first, { status: 'Canceled' })
    assert.deepEqual(await money(first), [0, 0, 0])
    assert.deepEqual(await money(second), [6_000, 5_000, 1_000])
    assert.deepEqual(await money(reservation), [6_000, 5_000, 1_000])
    const tooMuch = await house.ask('POST', `${second}/${record}`, { body: cash(1_001) })
    refused(tooMuch, 422, 'payment-exceeds-outstanding')
    await pay(house, second, cash(1_000))
    assert.deepEqual(await money(reservation), [6_000, 6_000, 0])
  })

  it('lets each stay owe what it became dearer after the whole was paid', async () => {
    const { reservation, first, second } = await party(house, [euros(50), euros(60)])
    await pay(house, reservation, cash(11_000))
    await set(first, { amount: euros(55) })
    assert.deepEqual(await money(first), [5_500, 5_000, 500])
    assert.deepEqual(await money(second), [6_000, 6_000, 0])
  })

  it('counts the fee of a cancellation once the desk charges it', async () => {
    const tiers = [{ offset: 'P30D', fee: { percent: 100, of: 'Stay' } }]
    const cancellationPolicyId = await house.make('cancellation-policies', { code: 'X', name: 'X', tiers })
    const plan = {
      code: 'X',
      name: 'X',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      cancellationPolicyId,
    }
    const ratePlanId = await house.make('rate-plans', plan)
    const { path, reservation } = await priced(house, { ratePlanId })
    await set(path, { status: 'Canceled' })
    const { cancellationFee } = await house.attributes(path)
    assert.deepEqual(cancellationFee, { currency: 'EUR', amount: 10_900 })
    assert.deepEqual(await money(reservation), [0, 0, 0])

    const charged = await house.ask('PATCH', path, { body: { feeCharged: true } })
    assert.equal(charged.status, 204, charged.text)
    assert.deepEqual(await money(reservation), [10_900, 0, 10_900])
    const pay = (amount: number) =>
      house.ask('POST', `${path}/actions/record-payment`, {
        body: { currency: 'EUR', amount, brand: 'Cash' },
      })
    assert.equal((await pay(10_901)).body.errors[0].code, 'payment-exceeds-outstanding')
    assert.equal((await pay(900)).status, 201)
    const { feeCharged: _, ...whole } = await house.attributes(path)
    const replaced = await house.ask('PUT', path, { body: whole })
    assert.equal(replaced.status, 204, replaced.text)
    assert.deepEqual(await money(path), [10_900, 900, 10_000])
    await set(path, { feeCharged: false })
    assert.deepEqual(await money(path), [0, 900, -900])
    await set(path, { feeCharged: true })
    await set(path, { status: 'Confirmed' })
    assert.equal((await house.attributes(path)).feeCharged, null, 'a stay that is reinstated has no fee')
    await set(path, { status: 'Canceled' })
    assert.deepEqual(await money(path), [0, 900, -900])
  })

  it('keeps the price of a service as it was booked', async () => {
    const breakfast = product(12, 10, { code: 'BF' })
    const serviceId = await house.make('services', breakfast)
    const { path, reservation } = await priced(house, { services: [{ serviceId }] })
    const dearer = { ...breakfast, amountWithTax: 99, currencyCode: 'CHF', pricingType: 19 }
    const put = await house.ask('PUT', `/api/v2/services/${serviceId}`, { body: dearer })
    assert.equal(put.status, 204, put.text)
    await set(path, { comment: 'Window seat', services: [{ serviceId }] })
    assert.deepEqual(await money(path), [11_900, 0, 11_900])
    const booked = { currencyCode: 'EUR', amountWithTax: 10, amountWithoutTax: 10, pricingType: 12, count: 1 }
    assert.deepEqual((await house.attributes(path)).services, [{ serviceId, ...booked }])
    await set(path, { services: [{ serviceId }, { serviceId }] })
    assert.equal((await house.attributes(path)).due, null, 'booked now, it costs what it costs now')
    await set(path, { services: [] })
    await set(path, { services: [{ serviceId }] })
    assert.equal((await house.attributes(reservation)).currency, null)
  })

  it('takes the count of a service that is not told', async () => {
    const serviceId = await house.make('services', product(24, 2, { code: 'SIX', count: 6 }))
    const { path } = await priced(house, { services: [{ serviceId }], amount: null })
    assert.deepEqual(await money(path), [1_200, 0, 1_200])
    await set(path, { services: [{ serviceId, count: 2 }] })
    assert.deepEqual(await money(path), [400, 0, 400])
  })

  it('knows no count of a service that is not priced by the item', async () => {
    const serviceId = await house.make('services', product(12, 2, { code: 'ONE' }))
    const { path } = await priced(house)
    const two = await set(path, { services: [{ serviceId, count: 2 }] })
    refused(two, 422, 'validation-failed', '/data/attributes/services/0/count', { expected: 1 })
  })

  it('stays in the currency in which it was paid', async () => {
    const { path, payment } = await partlyPaid(house)
    const amount = { currency: 'CHF', amountWithTax: 100 }
    refused(await set(path, { amount }), 422, 'payment-currency-mismatch', '/data/attributes/amount/currency')
    assert.deepEqual(await money(path), [10_900, 900, 10_000])
    await set(path, { amount: null })
    assert.deepEqual(await money(path), [0, 900, -900])
    await house.ask('DELETE', payment)
    assert.deepEqual(await money(path), [null, 0, null])
    assert.equal((await set(path, { amount })).status, 204)
  })
})

describe('A guest checks out', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const checkOut = (path: string, more: object = {}) =>
    house.ask('PATCH', path, { body: { status: 'CheckedOut', ...more } })

  it('when his stay is paid, in one piece or in several', async () => {
    const { path, reservation } = await openInHouse(house)
    refused(await checkOut(path), 422, 'balance-outstanding', '/data/attributes/status', {
      outstanding: 10_900,
    })
    await pay(house, path, cash(900))
    refused(await checkOut(path), 422, 'balance-outstanding', '/data/attributes/status', {
      outstanding: 10_000,
    })
    await pay(house, reservation, cash(10_000))
    assert.equal((await checkOut(path)).status, 204)
  })

  it('whatever the others of his party still owe', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const stays = unitIds.map((unitId) => ({
      startDate: '2026-06-01',
      endDate: tomorrow,
      status: 'InHouse',
      personCount: { adults: 1 },
      units: [{ unitTypeId, unitId }],
      reservationIds: [],
      amount: euros(50),
    }))
    const made = await house.ask('POST', '/api/v2/reservations', { body: { stays } })
    assert.equal(made.status, 201, made.text)
    const { id, attributes } = made.body.data
    const [first, second] = attributes.stays.map(
      (stay: { id: string }) => `/api/v2/reservations/${id}/stays/${stay.id}`,
    )
    await pay(house, first, cash(5_000))
    assert.equal((await checkOut(first)).status, 204)
    refused(await checkOut(second), 422, 'balance-outstanding')
  })

  it('not when a payment was taken back', async () => {
    const { path } = await openInHouse(house)
    const { payment } = await pay(house, path, cash(10_900))
    await house.ask('DELETE', payment)
    refused(await checkOut(path), 422, 'balance-outstanding')
  })

  const surplus = [1, 900, 10_900, ...fc.sample(fc.integer({ min: 2, max: 10_899 }), { numRuns: 3, seed })]
  for (const cents of surplus) {
    it(`while ${cents} is to be given back, which stays on the stay`, async () => {
      const { path } = await openInHouse(house)
      await pay(house, path, cash(10_900))
      await house.ask('PATCH', path, { body: { amount: euros((10_900 - cents) / 100) } })
      assert.equal((await checkOut(path)).status, 204)
      const { status, due, paid, outstanding } = await house.attributes(path)
      assert.deepEqual([status, due, paid, outstanding], ['CheckedOut', 10_900 - cents, 10_900, -cents])
      const list = await house.ask('GET', '/api/v2/stays?filter[outstanding][lt]=0&page[size]=100')
      assert.ok(list.body.data.some(({ id }: { id: string }) => path.endsWith(id)))
    })
  }

  it('with a lower price than he has paid, in one request', async () => {
    const { path } = await openInHouse(house)
    await pay(house, path, cash(10_900))
    assert.equal((await checkOut(path, { amount: euros(100) })).status, 204)
    assert.equal((await house.attributes(path)).outstanding, -900)
  })

  it('held to the price that is said with it', async () => {
    const { path } = await openInHouse(house)
    await pay(house, path, cash(10_900))
    refused(await checkOut(path, { amount: euros(120) }), 422, 'balance-outstanding', undefined, {
      outstanding: 1_100,
    })
    assert.equal((await checkOut(path, { amount: euros(109) })).status, 204)
  })

  it('without the price that he has paid, which is to be given back', async () => {
    const { path } = await openInHouse(house)
    await pay(house, path, cash(10_900))
    assert.equal((await checkOut(path, { amount: null })).status, 204)
    const { due, outstanding } = await house.attributes(path)
    assert.deepEqual([due, outstanding], [0, -10_900])
  })

  it('not while it is not known what he owes, because it is in several currencies', async () => {
    const dollars = product(12, 10, { code: 'USD', currencyCode: 'USD' })
    const services = [{ serviceId: await house.make('services', dollars) }]
    const { path } = await openInHouse(house)
    refused(await checkOut(path, { services }), 422, 'balance-outstanding')
    assert.equal((await house.ask('PATCH', path, { body: { services } })).status, 204)
    const unknown = await checkOut(path)
    refused(unknown, 422, 'balance-outstanding', undefined, { outstanding: null })
    assert.match(unknown.body.errors[0].detail, /prices of the stay are in several currencies/)
    const { path: free } = await inHouse(house)
    assert.equal((await checkOut(free)).status, 204)
  })

  it('early, and has paid neither too much nor too little', async () => {
    const serviceId = await house.make('services', product(19, 10))
    const three = { endDate: '2026-06-04', amount: euros(100), services: [{ serviceId }] }
    const { path, reservation } = await inHouse(house, three)
    await pay(house, path, cash(13_000))
    assert.equal((await checkOut(path)).status, 204)
    assert.equal((await house.ask('PATCH', path, { body: { comment: 'A day early.' } })).status, 204)
    for (const each of [path, reservation]) {
      const { due, paid, outstanding } = await house.attributes(each)
      assert.deepEqual([due, paid, outstanding], [13_000, 13_000, 0])
    }
    assert.equal((await house.attributes(path)).nights, 0)
    assert.equal((await house.ask('PATCH', path, { body: { status: 'InHouse' } })).status, 204)
    assert.equal((await house.attributes(path)).outstanding, 0)
  })
})

describe('What was paid for is kept', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  it('409 for a reservation with a payment, even one that was voided', async () => {
    const { reservation, payment } = await partlyPaid(house)
    refused(await house.ask('DELETE', reservation), 409, 'resource-referenced')
    await house.ask('DELETE', payment)
    refused(await house.ask('DELETE', reservation), 409, 'resource-referenced')
    assert.equal((await house.ask('GET', reservation)).status, 200)
  })

  it('409 for a stay that was paid on it or with the whole, while another can go', async () => {
    const { reservation, first, second, paths } = await party(house, [euros(50), euros(60), null])
    await pay(house, first, cash(5_000))
    await pay(house, reservation, cash(6_000))
    refused(await house.ask('DELETE', first), 409, 'resource-referenced')
    refused(await house.ask('DELETE', second), 409, 'resource-referenced')
    assert.equal((await house.ask('DELETE', paths[2] ?? '')).status, 204)
  })

  it('a stay that a replacement leaves out is canceled, and its payment stays', async () => {
    const { reservation, first, second, unitTypeId, ids } = await party(house, [euros(50), euros(60)])
    await pay(house, first, cash(5_000))
    const kept = (await house.attributes(reservation)).stays[1]
    const put = await house.ask('PUT', reservation, { body: { stays: [kept] } })
    assert.equal(put.status, 204, put.text)
    assert.equal((await house.attributes(first)).status, 'Canceled')
    const { due, paid, outstanding } = await house.attributes(second)
    assert.deepEqual([due, paid, outstanding], [6_000, 5_000, 1_000])
    assert.ok(unitTypeId && ids.length === 2)
  })
})
