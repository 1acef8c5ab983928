import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type DerivedAdjustment,
  type DerivedAdjustmentInput,
  derivedAdjustment,
  derivedAdjustmentSchema,
  derivedPrice,
} from '../../src/reservation/derived-adjustment.ts'
import { refusal } from './refusal.ts'
import { accepts } from './schema-check.ts'

describe('A derived adjustment', () => {
  it('in amounts is per night unless it says otherwise; in percent it has no basis', () => {
    assert.deepEqual(derivedAdjustment({ type: 'Absolute', value: -5, minimum: null }, 'EUR'), {
      type: 'Absolute',
      value: -5,
      basis: 'PerNight',
    })
    assert.deepEqual(derivedAdjustment({ type: 'Percent', value: -12.345 }, 'EUR'), {
      type: 'Percent',
      value: -12.345,
    })
  })

  const refused: [rule: string, DerivedAdjustmentInput, pointer: string][] = [
    ['a percentage below -100', { type: 'Percent', value: -100.1 }, '/derivedAdjustment/value'],
    ['a percentage above 1000', { type: 'Percent', value: 1000.1 }, '/derivedAdjustment/value'],
    ['a percentage per night', { type: 'Percent', value: 1, basis: 'PerNight' }, '/derivedAdjustment/basis'],
    ['a fraction of a cent', { type: 'Absolute', value: 0.001 }, '/derivedAdjustment/value'],
    [
      'a fraction of a cent at least',
      { type: 'Percent', value: 1, minimum: 0.001 },
      '/derivedAdjustment/minimum',
    ],
    [
      'rounding to less than a cent',
      { type: 'Percent', value: 1, rounding: { mode: 'Up', unit: 0.001 } },
      '/derivedAdjustment/rounding/unit',
    ],
    [
      'a minimum above the maximum',
      { type: 'Percent', value: 1, minimum: 2, maximum: 1 },
      '/derivedAdjustment/minimum',
    ],
  ]
  for (const [rule, input, pointer] of refused) {
    it(`with ${rule} is refused`, () => {
      assert.throws(() => derivedAdjustment(input, 'EUR'), refusal('validation-failed', pointer))
    })
  }

  const forms: [body: unknown, boolean][] = [
    [
      { type: 'Percent', value: -10, rounding: { mode: 'Truncate', unit: 0.5 }, minimum: 1, maximum: null },
      true,
    ],
    [{ type: 'Percent' }, false],
    [{ type: 'percent', value: 1 }, false],
    [{ type: 'Absolute', value: 1, basis: 'PerWeek' }, false],
    [{ type: 'Percent', value: 1, rounding: { mode: 'Down', unit: 1 } }, false],
    [{ type: 'Percent', value: 1, rounding: { mode: 'Up', unit: 0 } }, false],
    [{ type: 'Percent', value: 1, rounding: { mode: 'Up' } }, false],
  ]
  for (const [body, valid] of forms) {
    it(`${JSON.stringify(body)} ${valid ? 'has' : 'lacks'} its form`, () => {
      assert.equal(accepts(derivedAdjustmentSchema, body), valid)
    })
  }
})

const prices: [rule: string, parent: number, DerivedAdjustment, derived: number][] = [
  ['10 percent less', 10000, { type: 'Percent', value: -10 }, 9000],
  ['a percentage with decimals, to the nearest cent', 9999, { type: 'Percent', value: 12.5 }, 11249],
  ['half a cent upwards', 1, { type: 'Percent', value: 50 }, 2],
  ['nothing at -100 percent', 10000, { type: 'Percent', value: -100 }, 0],
  ['an amount for each night', 10000, { type: 'Absolute', value: 5, basis: 'PerNight' }, 11500],
  ['an amount for the stay', 10000, { type: 'Absolute', value: 5, basis: 'PerStay' }, 10500],
  ['an amount for each person', 10000, { type: 'Absolute', value: 5, basis: 'PerPerson' }, 11000],
  [
    'an amount for each person and night',
    10000,
    { type: 'Absolute', value: -5, basis: 'PerPersonNight' },
    7000,
  ],
  ['never below nothing', 1000, { type: 'Absolute', value: -50, basis: 'PerStay' }, 0],
  [
    'rounded to whole units',
    10149,
    { type: 'Percent', value: 0, rounding: { mode: 'Round', unit: 1 } },
    10100,
  ],
  ['rounded to halves', 10130, { type: 'Percent', value: 0, rounding: { mode: 'Round', unit: 0.5 } }, 10150],
  [
    'truncated to fives',
    10999,
    { type: 'Percent', value: 0, rounding: { mode: 'Truncate', unit: 5 } },
    10500,
  ],
  ['up to tens', 10001, { type: 'Percent', value: 0, rounding: { mode: 'Up', unit: 10 } }, 11000],
  [
    'truncated to the cent',
    9999,
    { type: 'Percent', value: 12.5, rounding: { mode: 'Truncate', unit: 0.01 } },
    11248,
  ],
  ['at least the minimum', 10000, { type: 'Percent', value: -50, minimum: 60 }, 6000],
  ['at most the maximum', 10000, { type: 'Percent', value: 50, maximum: 120 }, 12000],
]

describe('A derived price of 3 nights for 2 persons is the parent’s', () => {
  for (const [rule, parent, adjustment, derived] of prices) {
    it(`${rule}: ${parent} → ${derived}`, () => {
      assert.equal(derivedPrice(parent, adjustment, { currency: 'EUR', nights: 3, persons: 2 }), derived)
    })
  }

  it('in a currency without decimals, in whole units', () => {
    const adjustment = { type: 'Percent', value: 5 } as const
    assert.equal(derivedPrice(1010, adjustment, { currency: 'JPY', nights: 1, persons: 1 }), 1061)
  })
})
