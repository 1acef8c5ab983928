import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from '../../seed.ts'
import { openHouse, type ReservationHouse, refused, today, tomorrow } from './house.ts'
import { inHouse, withUnit } from './stay-samples.ts'

const day = (number: number) => `2026-06-${String(number).padStart(2, '0')}`
const german = { 'Accept-Language': 'de' }
const dayRoom = { endDate: today, startTime: '18:00', endTime: '20:00' }

/** A price of nights from today on. */
const priced = (...prices: number[]) => ({
  currency: 'EUR',
  amountWithTax: Number(prices.reduce((total, price) => total + price, 0).toFixed(2)),
  perNight: prices.map((amountWithTax, at) => ({ date: day(1 + at), amountWithTax })),
})

describe('Prices of nights', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const pricesOf = async (path: string) => {
    const { amount, due } = await house.attributes(path)
    const nights = (amount.perNight ?? []).map((night: { amountWithTax: number }) => night.amountWithTax)
    return { total: amount.amountWithTax, nights, due }
  }
  const change = (path: string, body: object) => house.ask('PATCH', path, { body, headers: german })

  describe('on a day use', () => {
    it('are charged once: a service of each night, and of each person and night', async () => {
      const serviceOf = (pricingType: number) => {
        const service = {
          currencyCode: 'EUR',
          amountWithTax: 40,
          amountWithoutTax: 40,
          count: 1,
          pricingType,
        }
        return house.make('services', { code: `S${pricingType}`, name: 'Day room', ...service })
      }
      const [night, personNight] = [await serviceOf(19), await serviceOf(21)]
      const { path } = await withUnit(house, { ...dayRoom, services: [{ serviceId: night }] })
      assert.equal((await house.attributes(path)).due, 4_000)
      const two = { ...dayRoom, personCount: { adults: 2 }, services: [{ serviceId: personNight }] }
      assert.equal((await house.attributes((await withUnit(house, two)).path)).due, 8_000)
      await change(path, { status: 'InHouse' })
      refused(await change(path, { status: 'CheckedOut' }), 422, 'balance-outstanding')
    })

    it('have one entry, that of its date', async () => {
      const { path } = await withUnit(house, { ...dayRoom, amount: priced(40) })
      assert.deepEqual(await pricesOf(path), { total: 40, nights: [40], due: 4_000 })
      const { unitTypeId } = await house.rooms(1)
      for (const amount of [
        priced(40, 40),
        { ...priced(40), perNight: [{ date: tomorrow, amountWithTax: 40 }] },
      ]) {
        const stays = [
          {
            startDate: today,
            ...dayRoom,
            status: 'Confirmed',
            personCount: { adults: 1 },
            reservationIds: [],
            units: [{ unitTypeId }],
            amount,
          },
        ]
        const made = await house.ask('POST', '/api/v2/reservations', { body: { stays }, headers: german })
        refused(made, 422, 'validation-failed', '/data/attributes/stays/0/amount/perNight')
        assert.match(made.body.errors[0].detail, /^Es muss einen Preis für jede Nacht/)
      }
    })
  })

  describe('that were rounded one by one', () => {
    it('are kept, and the last night carries the rest: at a request and at an import', async () => {
      const amount = { ...priced(33.33, 33.33, 33.33), amountWithTax: 100 }
      const { path, unitTypeId } = await withUnit(house, { endDate: day(4), amount })
      assert.deepEqual(await pricesOf(path), { total: 100, nights: [33.33, 33.33, 33.34], due: 10_000 })
      const stays = [
        {
          startDate: today,
          endDate: day(4),
          status: 'Confirmed',
          personCount: { adults: 1 },
          reservationIds: [],
          units: [{ unitTypeId }],
          amount,
        },
      ]
      const body = { data: [{ externalId: 'rounded', stays }] }
      const imported = await house.ask('POST', '/api/config/v1/imports', { body })
      assert.ok(imported.status < 300, imported.text)
      const [{ attributes }] = (await house.ask('GET', '/api/v2/reservations?filter[externalId]=rounded'))
        .body.data
      assert.equal(attributes.stays[0].amount.perNight[2].amountWithTax, 33.34)
    })

    it('beyond what rounding explains are refused with both sums, in the language of the request', async () => {
      const { path } = await withUnit(house, { endDate: day(4) })
      const reply = await change(path, { amount: { ...priced(33, 33, 33), amountWithTax: 100 } })
      refused(reply, 422, 'validation-failed', '/data/attributes/amount/perNight', {
        sum: '99.00',
        expected: '100.00',
      })
      assert.match(
        reply.body.errors[0].detail,
        /^Die Summe von Preis mit Steuer der Nächte ist 99\.00, .* 100\.00\./,
      )
      const taxes = [{ code: 'A', name: 'A', amount: 9 }]
      const taxed = await change(path, {
        amount: { currency: 'EUR', amountWithTax: 110, amountWithoutTax: 100, taxes },
      })
      refused(taxed, 422, 'validation-failed', '/data/attributes/amount/taxes', {
        sum: '9.00',
        expected: '10.00',
      })
      assert.match(taxed.body.errors[0].detail, /^Die Summe der Steuern ist 9\.00/)
    })

    it('and state no price before tax: the stay can be changed and canceled like any other', async () => {
      const amount = {
        ...priced(55, 55),
        amountWithoutTax: 100,
        taxes: [{ code: 'A', name: 'A', amount: 10 }],
      }
      const { path } = await withUnit(house, { endDate: day(3), amount })
      assert.equal((await change(path, { comment: 'Late.' })).status, 204)
      const { amount: shown } = await house.attributes(path)
      assert.deepEqual(
        shown.perNight.map((night: { amountWithoutTax: number }) => night.amountWithoutTax),
        [50, 50],
      )
      assert.equal((await change(path, { status: 'Canceled' })).status, 204)
    })
  })

  describe('follow the dates', () => {
    const moves: [what: string, dates: object, nights: number[]][] = [
      ['one night longer', { endDate: day(4) }, [80, 120, 120]],
      ['one night shorter', { endDate: day(2) }, [80]],
      ['a later arrival', { startDate: day(2) }, [120]],
      ['moved by a night', { startDate: day(2), endDate: day(4) }, [120, 120]],
      ['moved to other nights', { startDate: day(10), endDate: day(12) }, [120, 120]],
      ['to a day use', { ...dayRoom }, [80]],
    ]
    for (const [what, dates, nights] of moves) {
      it(`${what}: ${nights.join(', ')}`, async () => {
        const { path } = await withUnit(house, { endDate: day(3), amount: priced(80, 120) })
        const reply = await change(path, dates)
        assert.equal(reply.status, 200, reply.text)
        const total = nights.reduce((sum, night) => sum + night, 0)
        assert.deepEqual(await pricesOf(path), { total, nights, due: total * 100 })
        const { data, meta } = reply.body
        assert.equal(data.attributes.amount.amountWithTax, total)
        const [message] = meta.messages
        assert.equal(message.code, 'price-of-nights')
        assert.partialDeepStrictEqual(message.values, {
          currency: 'EUR',
          before: '200.00',
          after: total.toFixed(2),
        })
        assert.match(message.text, /^Der Preis folgt den Daten: Aus 200\.00 EUR wurden /)
        assert.equal(reply.headers.get('etag'), `"${data.attributes.revision}"`)
      })
    }

    it('in proportion where there is only a total, with the taxes', async () => {
      const taxes = [{ code: 'A', name: 'A', amount: 10 }]
      const amount = { currency: 'EUR', amountWithTax: 110, amountWithoutTax: 100, taxes }
      const { path } = await withUnit(house, { endDate: day(3), amount })
      const reply = await change(path, { endDate: day(4) })
      assert.equal(reply.body.meta.messages[0].code, 'price-in-proportion')
      const { amount: shown } = await house.attributes(path)
      assert.deepEqual([shown.amountWithTax, shown.amountWithoutTax, shown.taxes[0].amount], [165, 150, 15])
    })

    it('not where the request states a price, nor where the stay has none', async () => {
      const stated = await withUnit(house, { endDate: day(3), amount: priced(80, 120) })
      const amount = { currency: 'EUR', amountWithTax: 200 }
      assert.equal((await change(stated.path, { endDate: day(4), amount })).status, 204)
      assert.equal((await pricesOf(stated.path)).total, 200)
      const free = await withUnit(house, { endDate: day(3) })
      assert.equal((await change(free.path, { endDate: day(4) })).status, 204)
      assert.equal((await house.attributes(free.path)).amount, null)
    })

    it('in a dry run too, which stores nothing', async () => {
      const { path } = await withUnit(house, { endDate: day(3), amount: priced(80, 120) })
      const asked = await change(`${path}?dryRun=true`, { endDate: day(4) })
      assert.equal(asked.body.data.attributes.amount.amountWithTax, 320)
      assert.equal((await pricesOf(path)).total, 200)
    })

    it('of a guest in house; who leaves early owes the nights of the booking', async () => {
      const { path } = await inHouse(house, { endDate: day(3), amount: priced(80, 120) })
      assert.equal((await change(path, { endDate: day(5) })).status, 200)
      assert.equal((await pricesOf(path)).total, 440)
      const pay = { currency: 'EUR', amount: 44_000, brand: 'Cash' }
      const paid = await house.ask('POST', `${path}/actions/record-payment`, { body: pay })
      assert.equal(paid.status, 201, paid.text)
      assert.equal((await change(path, { status: 'CheckedOut' })).status, 204)
      assert.deepEqual(await pricesOf(path), { total: 440, nights: [80, 120, 120, 120], due: 44_000 })
      assert.equal((await change(path, { status: 'InHouse' })).status, 204)
      assert.equal((await pricesOf(path)).total, 440)
    })

    it('of the booking, where an early check-out is undone after the room was given away', async () => {
      for (const [end, total] of [
        [5, 400],
        [6, 500],
        [3, 200],
      ] as const) {
        const stay = await inHouse(house, {
          endDate: day(5),
          amount: { currency: 'EUR', amountWithTax: 400 },
        })
        const { path, units } = stay
        await house.ask('POST', `${path}/actions/record-payment`, {
          body: { currency: 'EUR', amount: 40_000, brand: 'Cash' },
        })
        assert.equal((await change(path, { status: 'CheckedOut' })).status, 204)
        await house.stay({ units, startDate: tomorrow, endDate: day(3) })
        assert.equal((await change(path, { status: 'InHouse' })).status, 204)
        assert.equal((await house.attributes(path)).endDate, today)
        const { unitTypeId, unitIds } = await house.rooms(1)
        const moved = { units: [{ unitTypeId, unitId: unitIds[0] }], endDate: day(end), endTime: null }
        await change(path, moved)
        assert.equal((await pricesOf(path)).total, total)
        await change(path, { endDate: day(2) })
        assert.equal((await pricesOf(path)).total, 100)
      }
    })

    it('whatever they are: the nights that stay keep their price, and the others cost what the last one did', async () => {
      const { path } = await withUnit(house, { endDate: day(2), amount: priced(10) })
      const length = fc.integer({ min: 1, max: 6 })
      const cases = fc.sample(
        fc.tuple(
          fc.array(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 6 }),
          fc.integer({ min: 1, max: 8 }),
          length,
        ),
        12,
      )
      for (const [minor, start, nights] of cases) {
        const prices = minor.map((each) => each / 100)
        const booked = { startDate: today, endDate: day(1 + prices.length), amount: priced(...prices) }
        assert.equal((await change(path, booked)).status, 204)
        await change(path, { startDate: day(start), endDate: day(start + nights) })
        const expected = Array.from({ length: nights }, (_, at) => prices[start - 1 + at] ?? prices.at(-1))
        assert.deepEqual((await pricesOf(path)).nights, expected)
      }
    })
  })
})
