import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type StayAmountInput,
  shownStayAmount,
  stayAmount,
  stayAmountSchema,
} from '../../../src/reservation/pricing/stay-amount.ts'
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
  ['taxes two cents off', { amountWithoutTax: 200.02 }, twoNights, '/amount/taxes'],
  ['taxes where there is no price before tax', { amountWithoutTax: null }, twoNights, '/amount/taxes'],
  ['a night missing', { perNight: [night[0]!] }, twoNights, '/amount/perNight'],
  ['a night twice', { perNight: [night[0]!, night[0]!] }, twoNights, '/amount/perNight'],
  ['a night too many', {}, { ...twoNights, endDate: '2026-05-02' }, '/amount/perNight'],
  ['a night on a day use', { perNight: [night[0]!] }, dayUse, '/amount/perNight'],
  [
    'nights of another sum',
    { perNight: [night[0]!, { ...night[1]!, amountWithTax: 110 }] },
    twoNights,
    '/amount/perNight',
  ],
  [
    'nights of another sum before tax',
    { perNight: [night[0]!, { ...night[1]!, amountWithoutTax: 100 }] },
    twoNights,
    '/amount/perNight',
  ],
]

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
