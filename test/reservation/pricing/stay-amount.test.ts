import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sum } from '../../../src/reservation/pricing/amount-sums.ts'
import {
  type StayAmountInput,
  shownStayAmount,
  stayAmount,
  stayAmountSchema,
} from '../../../src/reservation/pricing/stay-amount.ts'
import { toMajor } from '../../../src/reservation/values/money.ts'
import { Problem } from '../../../src/resource/problem.ts'
import fc from '../../seed.ts'
import { refusal } from '../refusal.ts'
import { accepts } from '../schema-check.ts'

const twoNights = { startDate: '2026-05-01', endDate: '2026-05-03' }
const dayUse = { startDate: '2026-05-01', endDate: '2026-05-01' }

const full: StayAmountInput = {
  currency: 'EUR',
  amountWithTax: 214,
  amountWithoutTax: 200,
  taxes: [
    { code: 'VAT', name: 'Value added tax', percent: 5, amount: 10 },
    { code: 'CITY', name: 'City tax', amount: 4 },
  ],
  perNight: [
    { date: '2026-05-01', amountWithTax: 104.01, amountWithoutTax: 99.99 },
    { date: '2026-05-02', amountWithTax: 109.99, amountWithoutTax: 100.01 },
  ],
}

describe('The price of a stay', () => {
  it('is kept in minor units', () => {
    const { amountWithTax, amountWithoutTax, taxes, perNight } = stayAmount(full, twoNights)
    assert.deepEqual([amountWithTax, amountWithoutTax], [21400, 20000])
    assert.deepEqual(
      taxes.map(({ amount }) => amount),
      [1000, 400],
    )
    assert.deepEqual(perNight[0], { date: '2026-05-01', amountWithTax: 10401, amountWithoutTax: 9999 })
  })

  it('of a stay that ended early keeps the nights that were booked', () => {
    assert.equal(stayAmount(full, null).perNight.length, 2)
    const uneven = { ...full, amountWithTax: 215, taxes: null }
    assert.throws(() => stayAmount(uneven, null), refusal('validation-failed', '/amount/perNight'))
  })

  it('is shown as it was told', () => assert.deepEqual(shownStayAmount(stayAmount(full, twoNights)), full))

  it('without tax is that with tax where it is not told', () => {
    const amount = stayAmount({ currency: 'JPY', amountWithTax: 12000, taxes: null }, twoNights)
    assert.equal(amount.amountWithoutTax, 12000)
    const shown = { currency: 'JPY', amountWithTax: 12000, amountWithoutTax: 12000 }
    assert.deepEqual(shownStayAmount(amount), shown)
  })

  it('may have nights without a price before tax of their own', () => {
    const perNight = full.perNight!.map(({ date, amountWithTax }) => ({ date, amountWithTax }))
    assert.equal(stayAmount({ ...full, perNight }, twoNights).perNight.length, 2)
  })

  for (const [amount, off] of [
    [9.99, 'one minor unit below'],
    [10.01, 'one minor unit above'],
  ] as const) {
    it(`has taxes that may be ${off} the difference`, () => {
      const taxes = [{ ...full.taxes![0]!, amount }, full.taxes![1]!]
      assert.equal(stayAmount({ ...full, taxes }, twoNights).amountWithTax, 21400)
    })
  }
})

const night = full.perNight!
const refused: [rule: string, Partial<StayAmountInput>, dates: typeof twoNights, pointer: string][] = [
  ['an unknown currency', { currency: 'EUX' }, twoNights, '/amount/currency'],
  ['a fraction of a cent', { amountWithTax: 214.001 }, twoNights, '/amount/amountWithTax'],
  ['a fraction of a cent before tax', { amountWithoutTax: 200.001 }, twoNights, '/amount/amountWithoutTax'],
  [
    'a fraction of a cent of tax',
    { taxes: [{ code: 'A', name: 'A', amount: 0.001 }] },
    twoNights,
    '/amount/taxes/0/amount',
  ],
  ['taxes three cents off', { amountWithoutTax: 200.03 }, twoNights, '/amount/taxes'],
  ['taxes where there is no price before tax', { amountWithoutTax: null }, twoNights, '/amount/taxes'],
  ['a night missing', { perNight: [night[0]!] }, twoNights, '/amount/perNight'],
  ['a night twice', { perNight: [night[0]!, night[0]!] }, twoNights, '/amount/perNight'],
  ['a night too many', {}, { ...twoNights, endDate: '2026-05-02' }, '/amount/perNight'],
  ['a night on a day use', { perNight: [night[0]!] }, dayUse, '/amount/perNight'],
  [
    'nights of another sum',
    { perNight: [night[0]!, { ...night[1]!, amountWithTax: 110.02 }] },
    twoNights,
    '/amount/perNight',
  ],
  [
    'nights of another sum before tax',
    { perNight: [night[0]!, { ...night[1]!, amountWithoutTax: 99.98 }] },
    twoNights,
    '/amount/perNight',
  ],
]

/** The prices of nights from 2026-05-01 on, or of the taxes of a stay. */
const pricesOf = (...prices: number[]) =>
  prices.map((amountWithTax, at) => ({ date: `2026-05-0${at + 1}`, amountWithTax }))
const untilDay = (nights: number) => ({ startDate: '2026-05-01', endDate: `2026-05-0${1 + nights}` })

describe('The last night carries the rest of the rounding', () => {
  const examples: [what: string, currency: string, whole: number, nights: number[], kept: number[]][] = [
    ['100.00 as three times 33.33', 'EUR', 100, [33.33, 33.33, 33.33], [33.33, 33.33, 33.34]],
    ['200.00 as three times 66.67', 'EUR', 200, [66.67, 66.67, 66.67], [66.67, 66.67, 66.66]],
    ['yen, which have no decimals', 'JPY', 10_000, [3333, 3333, 3333], [3333, 3333, 3334]],
    [
      'dinars, which have three',
      'KWD',
      1,
      [0.142, 0.142, 0.142, 0.142, 0.142, 0.142, 0.142],
      [0.142, 0.142, 0.142, 0.142, 0.142, 0.142, 0.148],
    ],
    ['a last night that is free', 'EUR', 66.66, [33.34, 33.33, 0], [33.34, 33.32, 0]],
    ['a day use', 'EUR', 40, [40.01], [40]],
  ]
  for (const [what, currency, whole, nights, kept] of examples) {
    it(what, () => {
      const dates = nights.length === 1 ? untilDay(0) : untilDay(nights.length)
      const amount = stayAmount({ currency, amountWithTax: whole, perNight: pricesOf(...nights) }, dates)
      assert.deepEqual(
        shownStayAmount(amount).perNight?.map((night) => night.amountWithTax),
        kept,
      )
    })
  }

  it('also where the nights are not in order of date', () => {
    const perNight = pricesOf(33.33, 33.33, 33.33).toReversed()
    const shown = shownStayAmount(stayAmount({ currency: 'EUR', amountWithTax: 100, perNight }, untilDay(3)))
    assert.deepEqual(shown.perNight?.at(0), {
      date: '2026-05-03',
      amountWithTax: 33.34,
      amountWithoutTax: 33.34,
    })
  })

  it('also before tax, and the last line of the taxes does', () => {
    const taxes = [3.33, 3.33, 3.33].map((amount, at) => ({ code: `T${at}`, name: 'Tax', amount }))
    const perNight = pricesOf(36.67, 36.67, 36.67).map((night) => ({ ...night, amountWithoutTax: 33.33 }))
    const input = { currency: 'EUR', amountWithTax: 110, amountWithoutTax: 100, taxes, perNight }
    const { taxes: kept, perNight: nights } = stayAmount(input, untilDay(3))
    assert.deepEqual(
      kept.map(({ amount }) => amount),
      [333, 333, 334],
    )
    assert.deepEqual(
      nights.map((night) => night.amountWithoutTax),
      [3333, 3333, 3334],
    )
    assert.deepEqual(
      nights.map((night) => night.amountWithTax),
      [3667, 3667, 3666],
    )
  })

  it('of nights that do not state their price before tax', () => {
    const input = { ...full, perNight: pricesOf(104.01, 109.99) }
    const nets = stayAmount(input, twoNights).perNight.map((night) => night.amountWithoutTax)
    assert.deepEqual(nets, [9721, 10279])
  })

  it('whatever the nights, the amount and the currency: they sum up exactly, and none is below zero', () => {
    const night = fc.integer({ min: 0, max: 5_000_000 })
    const rounded = fc.record({
      parts: fc.array(night, { minLength: 1, maxLength: 9 }),
      currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'USD', 'CLP'),
      isTruncated: fc.boolean(),
    })
    fc.assert(
      fc.property(rounded, ({ parts, currency, isTruncated }) => {
        // Hundredths of a minor unit, which a vendor rounds night by night.
        const round = isTruncated ? Math.trunc : Math.round
        const nights = parts.map((part) => toMajor(round(part / 100), currency))
        const whole = Math.round(sum(parts) / 100)
        const dates = untilDay(parts.length)
        const input = { currency, amountWithTax: toMajor(whole, currency), perNight: pricesOf(...nights) }
        const { perNight } = stayAmount(input, parts.length === 9 ? null : dates)
        const kept = perNight.map((each) => each.amountWithTax)
        return sum(kept) === whole && kept.every((each) => each >= 0)
      }),
    )
  })

  it('and more than rounding explains is refused with both sums', () => {
    const nights = { currency: 'EUR', amountWithTax: 100, perNight: pricesOf(33, 33, 33) }
    const saysBoth = (pointer: string, sums: object) => (error: unknown) => {
      assert.ok(error instanceof Problem)
      assert.equal(error.options.pointer, pointer)
      assert.deepEqual(error.options.meta, sums)
      for (const each of Object.values(sums)) assert.match(error.message, new RegExp(RegExp.escape(each)))
      return true
    }
    assert.throws(
      () => stayAmount(nights, untilDay(3)),
      saysBoth('/amount/perNight', { sum: '99.00', expected: '100.00' }),
    )
    const four = { ...nights, perNight: pricesOf(33.32, 33.32, 33.32) }
    assert.throws(
      () => stayAmount(four, untilDay(3)),
      saysBoth('/amount/perNight', { sum: '99.96', expected: '100.00' }),
    )
    const taxed = { ...full, amountWithoutTax: 199 }
    assert.throws(
      () => stayAmount(taxed, twoNights),
      saysBoth('/amount/taxes', { sum: '14.00', expected: '15.00' }),
    )
  })
})

describe('The price of a stay is refused', () => {
  for (const [rule, change, dates, pointer] of refused) {
    it(`with ${rule}`, () => {
      assert.throws(() => stayAmount({ ...full, ...change }, dates), refusal('validation-failed', pointer))
    })
  }

  const bodies: [body: unknown, boolean][] = [
    [full, true],
    [{ currency: 'EUR', amountWithTax: 0, taxes: null, perNight: null }, true],
    [{ currency: 'EUR' }, false],
    [{ currency: 'EUR', amountWithTax: '12.00' }, false],
    [{ currency: 'EUR', amountWithTax: -1 }, false],
    [{ currency: 'euro', amountWithTax: 1 }, false],
    [{ currency: 'EUR', amountWithTax: 1, taxes: [{ code: 'A', amount: 1 }] }, false],
    [{ currency: 'EUR', amountWithTax: 1, perNight: [{ date: '2026-02-30', amountWithTax: 1 }] }, false],
  ]
  for (const [body, valid] of bodies) {
    it(`${JSON.stringify(body).slice(0, 70)} ${valid ? 'has' : 'lacks'} its form`, () => {
      assert.equal(accepts(stayAmountSchema, body), valid)
    })
  }
})
