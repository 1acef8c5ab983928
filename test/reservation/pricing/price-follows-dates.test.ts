import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sum } from '../../../src/reservation/pricing/amount-sums.ts'
import { priceOnDates } from '../../../src/reservation/pricing/price-follows-dates.ts'
import {
  type StayAmountInput,
  stayAmount,
  stayAmountForm,
} from '../../../src/reservation/pricing/stay-amount.ts'
import { dateAfter, datesHeld, datesIn } from '../../../src/reservation/stays/rules/stay-dates.ts'
import fc from '../../seed.ts'

const day = (number: number) => dateAfter('2026-05-01', number - 1)
const days = (first: number, last: number) => ({ startDate: day(first), endDate: day(last) })

/** The 2nd to the 4th of May: 80, 100 and 120, of which a tenth is tax. */
const booked: StayAmountInput = {
  currency: 'EUR',
  amountWithTax: 300,
  amountWithoutTax: 270,
  taxes: [
    { code: 'VAT', name: 'VAT', amount: 20 },
    { code: 'CITY', name: 'City tax', amount: 10 },
  ],
  perNight: [80, 100, 120].map((price, at) => ({
    date: day(2 + at),
    amountWithTax: price,
    amountWithoutTax: price * 0.9,
  })),
}
const bookedDays = days(2, 5)

const moves: [what: string, after: ReturnType<typeof days>, prices: number[]][] = [
  ['one night longer', days(2, 6), [80, 100, 120, 120]],
  ['one night shorter', days(2, 4), [80, 100]],
  ['one night earlier, and one later', days(1, 6), [120, 80, 100, 120, 120]],
  ['a later arrival', days(3, 5), [100, 120]],
  ['both dates by one night', days(3, 6), [100, 120, 120]],
  ['to days without one of its nights', days(11, 13), [120, 120]],
  ['to a day use', days(2, 2), [80]],
]

describe('A price by night follows the dates', () => {
  for (const [what, after, prices] of moves) {
    it(`${what}: ${prices.join(', ')}`, () => {
      const amount = priceOnDates(booked, bookedDays, after)
      const total = sum(prices)
      assert.deepEqual(amount, {
        currency: 'EUR',
        amountWithTax: total,
        amountWithoutTax: total * 0.9,
        taxes: [
          { code: 'VAT', name: 'VAT', amount: Number(((total * 2) / 30).toFixed(2)) },
          {
            code: 'CITY',
            name: 'City tax',
            amount: Number((total * 0.1 - Number(((total * 2) / 30).toFixed(2))).toFixed(2)),
          },
        ],
        perNight: prices.map((price, at) => ({
          date: datesIn(datesHeld(after))[at],
          amountWithTax: price,
          amountWithoutTax: price * 0.9,
        })),
      })
    })
  }

  it('of a day use that becomes a night, and of nights that an earlier version stored', () => {
    const dayUse = { currency: 'EUR', amountWithTax: 40, perNight: [{ date: day(2), amountWithTax: 40 }] }
    assert.equal(priceOnDates(dayUse, days(2, 2), days(2, 4)).amountWithTax, 80)
    // 0.6.0 stored nights without a price before tax with that of the price with tax.
    const perNight = booked.perNight!.map((night) => ({ ...night, amountWithoutTax: night.amountWithTax }))
    const longer = priceOnDates({ ...booked, perNight }, bookedDays, days(2, 6))
    assert.deepEqual([longer.amountWithTax, longer.amountWithoutTax], [420, 378])
  })
})

describe('A price without prices of its nights follows the dates in proportion', () => {
  const whole = {
    currency: 'EUR',
    amountWithTax: 100,
    amountWithoutTax: 90,
    taxes: [{ code: 'A', name: 'A', amount: 10 }],
  }
  const examples: [before: ReturnType<typeof days>, after: ReturnType<typeof days>, total: number][] = [
    [days(1, 3), days(1, 4), 150],
    [days(1, 4), days(1, 5), 133.33],
    [days(1, 4), days(1, 2), 33.33],
    [days(1, 3), days(8, 10), 100],
    [days(1, 1), days(1, 2), 100],
    [days(1, 1), days(1, 4), 300],
    [days(1, 3), days(1, 1), 50],
  ]
  for (const [before, after, total] of examples) {
    it(`${before.startDate} to ${before.endDate} becomes ${after.startDate} to ${after.endDate}: ${total}`, () => {
      const { amountWithTax, amountWithoutTax = 0, taxes, perNight } = priceOnDates(whole, before, after)
      assert.equal(amountWithTax, total)
      assert.equal(amountWithoutTax, Number((total * 0.9).toFixed(2)))
      assert.equal(taxes![0]!.amount, Number((total - amountWithoutTax!).toFixed(2)))
      assert.equal(perNight, undefined)
    })
  }
})

describe('A price on its limits follows the dates', () => {
  it('with taxes that are a rebate, which sum up to less than zero', () => {
    for (const taxes of [[-10], [-5, -5], [-3.33, -3.33, -3.34], [-12, 2]]) {
      const rebate = {
        currency: 'EUR',
        amountWithTax: 90,
        amountWithoutTax: 100,
        taxes: taxes.map((amount, at) => ({ code: `T${at}`, name: 'Rebate', amount })),
      }
      for (const last of [2, 3, 5, 8, 9]) {
        const moved = priceOnDates(rebate, days(1, 4), days(1, last))
        assert.doesNotThrow(() => stayAmount(moved, null), `${taxes} until ${last}`)
        const minor = moved.taxes!.map(({ amount }) => Math.round(amount * 100))
        assert.equal(sum(minor), Math.round((moved.amountWithTax - moved.amountWithoutTax!) * 100))
      }
    }
  })

  it('with taxes that sum up to zero, of nights whose taxes do not', () => {
    const taxes = (...amounts: number[]) =>
      amounts.map((amount, at) => ({ code: `T${at}`, name: 'Tax', amount }))
    const perNight = [90, 110].map((amountWithoutTax, at) => ({
      date: day(1 + at),
      amountWithTax: 100,
      amountWithoutTax,
    }))
    const even = { currency: 'EUR', amountWithTax: 200, amountWithoutTax: 200, perNight }
    const shorter = priceOnDates({ ...even, taxes: taxes(0) }, days(1, 3), days(1, 2))
    assert.doesNotThrow(() => stayAmount(shorter, days(1, 2)))
    assert.equal(shorter.taxes![0]!.amount, 10)
    const whole = { currency: 'EUR', amountWithTax: 200, amountWithoutTax: 200, taxes: taxes(10, -10) }
    assert.deepEqual(priceOnDates(whole, days(1, 3), days(1, 4)).taxes, taxes(10, -10))
  })

  it('in proportion for more nights than a price may list', () => {
    const night = { currency: 'EUR', amountWithTax: 10, perNight: [{ date: day(1), amountWithTax: 10 }] }
    assert.equal(priceOnDates(night, days(1, 2), days(1, 1_001)).perNight!.length, 1_000)
    const longest = priceOnDates(night, days(1, 2), days(1, 1_002))
    assert.deepEqual([longest.amountWithTax, longest.perNight], [10_010, undefined])
  })
})

const price = fc.integer({ min: 0, max: 100_000 })
const length = fc.integer({ min: 0, max: 9 })
const anyChange = fc.record({
  prices: fc.array(price, { minLength: 1, maxLength: 9 }),
  tax: fc.integer({ min: 0, max: 30 }),
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  isByNight: fc.boolean(),
  start: fc.integer({ min: 1, max: 12 }),
  length,
})

describe('Any price on any dates', () => {
  it('is one that a request may state, and keeps each night that the stay keeps', () => {
    fc.assert(
      fc.property(anyChange, ({ prices, tax, currency, isByNight, start, length }) => {
        const unit = { EUR: 0.01, JPY: 1, KWD: 0.001 }[currency]!
        const major = (minor: number) => Number((minor * unit).toFixed(3))
        const whole = sum(prices)
        const net = Math.round((whole * 100) / (100 + tax))
        const before = days(5, 5 + prices.length)
        const after = days(start, start + length)
        const stored = stayAmountForm({
          currency,
          amountWithTax: major(whole),
          amountWithoutTax: major(net),
          taxes: [{ code: 'A', name: 'A', amount: major(whole - net) }],
          perNight: isByNight
            ? prices.map((each, at) => ({ date: day(5 + at), amountWithTax: major(each) }))
            : null,
        })
        const moved = priceOnDates(stored, before, after)
        assert.deepEqual(stayAmountForm(moved), moved)
        assert.doesNotThrow(() => stayAmount(moved, after))
        const kept = (moved.perNight ?? []).filter(
          ({ date }) => before.startDate <= date && date < before.endDate,
        )
        for (const night of kept)
          assert.deepEqual(
            night,
            stored.perNight?.find(({ date }) => date === night.date),
          )
      }),
    )
  })
})
