import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dueOf, outstandingOf, type PricedStay } from '../../src/reservation/due.ts'
import { checkServiceCount, type PricingType, servicePrice } from '../../src/reservation/service-price.ts'
import { refusal } from './refusal.ts'

const prices: [PricingType, nights: number, persons: number, count: number, price: number][] = [
  [12, 3, 2, 1, 1000],
  [19, 3, 2, 1, 3000],
  [19, 0, 2, 1, 0],
  [20, 3, 2, 1, 2000],
  [21, 3, 2, 1, 6000],
  [24, 3, 2, 5, 5000],
]

describe('A service of 10.00 costs, by its pricing type', () => {
  for (const [pricingType, nights, persons, count, price] of prices) {
    it(`${pricingType} on ${nights} nights for ${persons} persons, ${count} items: ${price}`, () => {
      assert.equal(servicePrice({ pricingType, amountWithTax: 1000, count }, { nights, persons }), price)
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
const stay: PricedStay = {
  status: 'Confirmed',
  nights: 2,
  persons: 2,
  amount: { currency: 'EUR', amountWithTax: 20000 },
  services: [breakfast],
}
const unpriced: PricedStay = { ...stay, amount: null, services: [] }

const dues: [rule: string, PricedStay[], amount: number | null][] = [
  ['a stay and its services', [stay], 26000],
  [
    'several stays',
    [stay, { ...stay, status: 'InHouse', services: [] }, { ...stay, status: 'CheckedOut' }],
    72000,
  ],
  ['services alone', [{ ...stay, amount: null }], 6000],
  ['a stay beside one without a price', [stay, unpriced], 26000],
  ['nothing for a stay canceled', [stay, { ...stay, status: 'Canceled' }], 26000],
  ['nothing for a stay not shown up', [{ ...stay, status: 'NoShow' }], 0],
  ['unknown without a price', [unpriced], null],
  ['unknown without stays', [], null],
  ['unknown in two currencies', [stay, { ...stay, amount: { currency: 'USD', amountWithTax: 1 } }], null],
]

describe('What is due', () => {
  for (const [rule, stays, amount] of dues) {
    it(`${rule}: ${amount}`, () => {
      assert.deepEqual(dueOf(stays), amount === null ? null : { currency: 'EUR', amount })
    })
  }
})

describe('What is outstanding', () => {
  const due = { currency: 'EUR', amount: 26000 }
  const payment = { currency: 'EUR', amount: 20000, voided: false }

  it('is what is due when nothing was paid', () => assert.deepEqual(outstandingOf(due, []), due))
  it('is less what was paid', () => {
    assert.deepEqual(outstandingOf(due, [payment, { ...payment, amount: 1000 }]), {
      currency: 'EUR',
      amount: 5000,
    })
  })
  it('does not count payments that were voided', () => {
    assert.deepEqual(outstandingOf(due, [payment, { ...payment, voided: true }]), {
      currency: 'EUR',
      amount: 6000,
    })
  })
  it('is negative when too much was paid', () => {
    assert.deepEqual(outstandingOf(due, [payment, payment]), { currency: 'EUR', amount: -14000 })
  })
  it('is unknown when what is due is', () => assert.equal(outstandingOf(null, [payment]), null))
  it('is unknown when something was paid in another currency', () => {
    assert.equal(outstandingOf(due, [{ ...payment, currency: 'USD' }]), null)
    assert.deepEqual(outstandingOf(due, [{ ...payment, currency: 'USD', voided: true }]), due)
  })
})
