import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type DerivedAdjustmentInput,
  derivedAdjustment,
  derivedAdjustmentSchema,
} from '../../../src/reservation/pricing/derived-adjustment.ts'
import { refusal } from '../refusal.ts'
import { accepts } from '../schema-check.ts'

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
