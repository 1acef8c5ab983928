import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  checkServiceCount,
  type PricingType,
  servicePrice,
} from '../../../src/reservation/pricing/service-price.ts'
import { dueOf, type Prices } from '../../../src/reservation/stays/stay-price.ts'
import { refusal } from '../refusal.ts'

const prices: [PricingType, nights: number, persons: number, count: number, price: number][] = [
  [12, 3, 2, 1, 1000],
  [19, 3, 2, 1, 3000],
  [19, 0, 2, 1, 1000],
  [21, 0, 2, 1, 2000],
  [19, 1, 2, 1, 1000],
  [20, 3, 2, 1, 2000],
  [21, 3, 2, 1, 6000],
  [24, 3, 2, 5, 5000],
]

describe('A service of 10.00 costs, by its pricing type', () => {
  for (const [pricingType, nights, persons, count, price] of prices) {
    it(`${pricingType} on ${nights} nights for ${persons} persons, ${count} items: ${price}`, () => {
      assert.equal(
        servicePrice({ pricingType, amountWithTax: 1000, count }, { nights, persons }),
        BigInt(price),
      )
    })
  }

  it('the count is 1 unless it is priced by the item', () => {
    assert.doesNotThrow(() => checkServiceCount({ pricingType: 24, count: 3 }))
    assert.doesNotThrow(() => checkServiceCount({ pricingType: 21, count: 1 }))
    const perStay = () => checkServiceCount({ pricingType: 12, count: 2 })
    assert.throws(perStay, refusal('validation-failed', '/count', { expected: 1 }))
  })
})

const breakfast = { pricingType: 21, amountWithTax: 1500, count: 1, currency: 'EUR' } as const
const stay: Prices = {
  status: 'Confirmed',
  nights: 2,
  persons: 2,
  amount: { currency: 'EUR', amountWithTax: 20000 },
  services: [breakfast],
}
const noShow = { ...stay, status: 'NoShow' } as const
const inDollars = { currency: 'USD', amountWithTax: 1 }
const large = { currency: 'EUR', amountWithTax: Number.MAX_SAFE_INTEGER }

const dues: [rule: string, Prices, amount: number | null][] = [
  ['a stay and its services', stay, 26_000],
  ['services alone', { ...stay, amount: null }, 6_000],
  ['a stay alone', { ...stay, services: [] }, 20_000],
  ['a stay that is free', { ...stay, services: [], amount: { currency: 'EUR', amountWithTax: 0 } }, 0],
  ['a discount', { ...stay, services: [{ ...breakfast, pricingType: 12, amountWithTax: -500 }] }, 19_500],
  ['a day use, with its services of a night once', { ...stay, nights: 0 }, 23_000],
  ['nothing for a stay canceled', { ...stay, status: 'Canceled' }, 0],
  ['nothing for a stay not shown up', noShow, 0],
  ['the fee of a no-show that is charged', { ...noShow, fee: { currency: 'EUR', amount: 10_000 } }, 10_000],
  ['no fee while the guest is expected', { ...stay, fee: { currency: 'EUR', amount: 10_000 } }, 26_000],
  ['the same for a guest in house', { ...stay, status: 'InHouse' }, 26_000],
  ['the same for one who has left', { ...stay, status: 'CheckedOut' }, 26_000],
  ['as much as an integer holds', { ...stay, services: [], amount: large }, Number.MAX_SAFE_INTEGER],
  ['unknown without a price', { ...stay, amount: null, services: [] }, null],
  ['unknown in two currencies', { ...stay, amount: inDollars }, null],
]

describe('What is due', () => {
  for (const [rule, priced, amount] of dues) {
    it(`${rule}: ${amount}`, () => {
      assert.deepEqual(dueOf(priced), amount === null ? null : { currency: 'EUR', amount })
    })
  }

  it('more than an exact integer holds is refused', () => {
    assert.throws(() => dueOf({ ...stay, amount: large }), refusal('validation-failed', '/amount'))
  })
})
