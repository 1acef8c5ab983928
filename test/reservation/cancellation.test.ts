import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FeeBase, feeAmount, feeAtCancellation } from '../../src/reservation/pricing/cancellation-fee.ts'
import {
  type CancellationTermsInput,
  cancellationTerms,
  cancellationTermsSchemas,
  type Fee,
} from '../../src/reservation/pricing/cancellation-policy-terms.ts'
import { refusal } from './refusal.ts'
import { accepts } from './schema-check.ts'

const half: Fee = { percent: 50, of: 'Stay' }
const all: Fee = { percent: 100, of: 'Stay' }
const oneNight: Fee = { nights: 1 }

describe('The terms of a cancellation policy', () => {
  it('count before arrival, and a no-show costs what the last tier does, unless they say otherwise', () => {
    const tiers = [
      { offset: 'P7D', fee: half },
      { offset: 'PT24H', fee: all },
    ]
    assert.deepEqual(cancellationTerms({ tiers }), {
      reference: 'Arrival',
      tiers,
      noShowFee: all,
      nonRefundable: false,
    })
    assert.deepEqual(cancellationTerms({ tiers, noShowFee: oneNight }).noShowFee, oneNight)
  })

  it('that are not refundable are one tier of 100 percent from creation on, and may be sent back', () => {
    const terms = cancellationTerms({ nonRefundable: true })
    assert.deepEqual(terms, {
      reference: 'Creation',
      tiers: [{ offset: 'PT0S', fee: all }],
      noShowFee: all,
      nonRefundable: true,
    })
    assert.deepEqual(cancellationTerms(terms), terms)
    const sentBack = { ...terms, tiers: [{ fee: { of: 'Stay' as const, percent: 100 }, offset: 'PT0S' }] }
    assert.deepEqual(cancellationTerms(sentBack), terms)
  })

  const refused: [rule: string, CancellationTermsInput, pointer: string][] = [
    ['without tiers', {}, '/tiers'],
    [
      'not refundable with other tiers',
      { nonRefundable: true, tiers: [{ offset: 'P7D', fee: half }] },
      '/tiers',
    ],
    [
      'before arrival, shortest first',
      {
        tiers: [
          { offset: 'P1D', fee: half },
          { offset: 'P7D', fee: all },
        ],
      },
      '/tiers/1/offset',
    ],
    [
      'after creation, longest first',
      {
        reference: 'Creation',
        tiers: [
          { offset: 'P7D', fee: half },
          { offset: 'P1D', fee: all },
        ],
      },
      '/tiers/1/offset',
    ],
    [
      'of equal offsets',
      {
        tiers: [
          { offset: 'P1D', fee: half },
          { offset: 'PT24H', fee: all },
        ],
      },
      '/tiers/1/offset',
    ],
    ['of no duration', { tiers: [{ offset: 'P7', fee: half }] }, '/tiers/0/offset'],
    [
      'of more decimals than the currency has',
      { tiers: [{ offset: 'P1D', fee: { amount: 10.5, currency: 'JPY' } }] },
      '/tiers/0/fee/amount',
    ],
    [
      'of a currency that does not exist',
      { tiers: [{ offset: 'P1D', fee: half }], noShowFee: { amount: 10, currency: 'EUX' } },
      '/noShowFee/currency',
    ],
  ]
  for (const [rule, input, pointer] of refused) {
    it(`${rule} are refused`, () => {
      assert.throws(() => cancellationTerms(input), refusal('validation-failed', pointer))
    })
  }

  const fees: [fee: unknown, boolean][] = [
    [{ percent: 12.5, of: 'FirstNight' }, true],
    [{ nights: 365 }, true],
    [{ amount: 50, currency: 'EUR' }, true],
    [{ percent: 101, of: 'Stay' }, false],
    [{ percent: 50 }, false],
    [{ nights: 0 }, false],
    [{ amount: 50 }, false],
    [{ nights: 1, percent: 50, of: 'Stay' }, false],
    [{}, false],
  ]
  for (const [fee, valid] of fees) {
    it(`${JSON.stringify(fee)} ${valid ? 'is' : 'is not'} a fee`, () => {
      assert.equal(accepts(cancellationTermsSchemas.noShowFee, fee), valid)
      assert.equal(accepts(cancellationTermsSchemas.tiers, [{ offset: 'P1D', fee }]), valid)
    })
  }

  it('have one to ten tiers with an offset that is not negative', () => {
    const tiers = (count: number, offset = 'P1D') =>
      Array.from({ length: count }, () => ({ offset, fee: half }))
    const valid = [tiers(0), tiers(1), tiers(10), tiers(11), tiers(1, '-P1D')].map((list) =>
      accepts(cancellationTermsSchemas.tiers, list),
    )
    assert.deepEqual(valid, [false, true, true, false, false])
  })
})

describe('A canceled stay owes the fee of the last tier reached', () => {
  const beforeArrival = cancellationTerms({
    tiers: [
      { offset: 'P7D', fee: half },
      { offset: 'P1D', fee: all },
    ],
  })
  const afterCreation = cancellationTerms({
    reference: 'Creation',
    tiers: [
      { offset: 'PT0S', fee: oneNight },
      { offset: 'PT24H', fee: all },
    ],
  })
  // Arrival at 15:00 on the second day after the clocks went forward in Berlin.
  const arrivesAt = Date.UTC(2026, 2, 30, 13)
  const createdAt = Date.UTC(2026, 2, 1, 12)
  const cases: [rule: string, typeof beforeArrival, canceledAt: number, Fee | null][] = [
    ['nothing before the first', beforeArrival, Date.UTC(2026, 2, 23, 13, 59), null],
    [
      'days are calendar days, 15:00 to 15:00 over a clock change',
      beforeArrival,
      Date.UTC(2026, 2, 23, 14),
      half,
    ],
    ['the first until the second', beforeArrival, Date.UTC(2026, 2, 29, 12, 59), half],
    ['the second', beforeArrival, Date.UTC(2026, 2, 29, 13), all],
    ['after arrival, the last', beforeArrival, Date.UTC(2026, 3, 5), all],
    ['from creation on', afterCreation, createdAt, oneNight],
    ['a day after creation', afterCreation, createdAt + 86_400_000, all],
  ]
  for (const [rule, terms, canceledAt, fee] of cases) {
    it(rule, () => {
      const moments = { canceledAt, createdAt, arrivesAt, zone: 'Europe/Berlin' }
      assert.deepEqual(feeAtCancellation(terms, moments), fee)
    })
  }
})

describe('A fee comes to', () => {
  const three: FeeBase = { currency: 'EUR', amountWithTax: 10000, perNight: [], nights: 3 }
  const priced = { ...three, perNight: [5000, 3000, 2000] }
  const dayUse = { ...three, nights: 0 }
  const cases: [rule: string, Fee, FeeBase, amount: number | null][] = [
    ['a share of the stay', half, three, 5000],
    ['a share with decimals, rounded half up', { percent: 12.345, of: 'Stay' }, three, 1235],
    ['a share of the first night', { percent: 50, of: 'FirstNight' }, priced, 2500],
    [
      'a share of an average night where nights have no price',
      { percent: 100, of: 'FirstNight' },
      three,
      3333,
    ],
    ['the first nights', { nights: 2 }, priced, 8000],
    ['average nights where nights have no price', { nights: 2 }, three, 6667],
    ['never more nights than there are', { nights: 5 }, priced, 10000],
    ['the whole of a stay without nights', { nights: 1 }, dayUse, 10000],
    ['an amount', { amount: 12.5, currency: 'EUR' }, three, 1250],
    ['unknown in another currency', { amount: 12.5, currency: 'USD' }, three, null],
  ]
  for (const [rule, fee, base, amount] of cases) {
    it(`${rule}: ${amount}`, () => {
      assert.deepEqual(feeAmount(fee, base), amount === null ? null : { currency: 'EUR', amount })
    })
  }
})
