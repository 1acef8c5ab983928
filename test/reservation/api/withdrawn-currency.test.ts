import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { seed } from '../../seed.ts'
import { aStay, openHouse, type ReservationHouse, refused, tomorrow } from './house.ts'
import { pay, product } from './paid-stays.ts'

const others = ['ANG', 'CUC', 'HRK', 'SLL', 'ZWL', 'DEM', 'ITL', 'BYR']
/** The leva of a Bulgarian hotel, and six more; the last one is drawn from the seed. */
const withdrawn = ['BGN', ...others.slice(0, 5), others.slice(5)[seed % 3]!]
const pointer = '/data/attributes/stays/0/amount/currency'

describe('A currency that ISO 4217 has withdrawn', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  /** A stay that was sold in the currency in another system, or before the currency was withdrawn. */
  async function stored(currency: string): Promise<string> {
    const { unitTypeId } = await house.rooms(1)
    const stay = { ...aStay, units: [{ unitTypeId }], amount: { currency, amountWithTax: 250.5 } }
    const row = { externalId: `OLD-${currency}`, stays: [stay] }
    const { body, text } = await house.ask('POST', '/api/config/v1/imports', { body: { data: [row] } })
    assert.equal(body.meta.accepted, 1, text)
    const found = await house.ask('GET', `/api/v2/reservations?filter[externalId]=OLD-${currency}`)
    const [{ id, attributes }] = found.body.data
    return `/api/v2/reservations/${id}/stays/${attributes.stays[0].id}`
  }

  for (const currency of withdrawn) {
    it(`${currency} is none of a new booking`, async () => {
      const { unitTypeId } = await house.rooms(1)
      const amount = { currency, amountWithTax: 100 }
      const stays = [{ ...aStay, units: [{ unitTypeId }], amount }]
      refused(
        await house.ask('POST', '/api/v2/reservations', { body: { stays } }),
        422,
        'validation-failed',
        pointer,
      )
      const { path } = await house.stay({ units: [{ unitTypeId }] })
      const put = await house.ask('PATCH', path, { body: { amount } })
      refused(put, 422, 'validation-failed', '/data/attributes/amount/currency')
    })

    it(`${currency} of a stored stay is extended, priced anew and paid`, async () => {
      const path = await stored(currency)
      const amount = { currency, amountWithTax: 300.25 }
      const body = { endDate: '2026-06-03', comment: 'One night more.', amount }
      const { status, text } = await house.ask('PATCH', path, { body })
      assert.equal(status, 204, text)
      await pay(house, path, { currency, amount: 30_025, brand: 'Cash' })
      const { due, outstanding } = await house.attributes(path)
      assert.deepEqual([due, outstanding], [30_025, 0])
    })
  }

  it('is none of a new service or rate plan', async () => {
    const service = { ...product(19, 10), code: 'LEVA', currencyCode: 'BGN' }
    const made = await house.ask('POST', '/api/v2/services', { body: service })
    refused(made, 422, 'validation-failed', '/data/attributes/currencyCode')
    const plan = { code: 'L', name: 'Leva', startDate: tomorrow, endDate: tomorrow, currency: 'BGN' }
    const sold = await house.ask('POST', '/api/v2/rate-plans', { body: plan })
    refused(sold, 422, 'validation-failed', '/data/attributes/currency')
  })

  it('is not confused with one that never was: that is refused everywhere', async () => {
    const { path } = await house.stay()
    for (const currency of ['EUX', 'XXX', 'XAU']) {
      const body = { currency, amount: 100, brand: 'Cash' }
      refused(await house.ask('POST', `${path}/actions/record-payment`, { body }), 422, 'validation-failed')
    }
  })
})
