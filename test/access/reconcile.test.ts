import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FoundKey, nextStep, type ReconcileStep } from '../../src/access/keys/issuing/reconcile-table.ts'

/** The materialisation table, and what follows from it for keys in other states. */
const table: [
  found: FoundKey,
  window: 'open' | 'later',
  unit: 'unit' | 'no unit',
  matches: boolean,
  step: ReconcileStep,
][] = [
  ['none', 'later', 'unit', false, 'hold'],
  ['none', 'later', 'no unit', false, 'hold'],
  ['none', 'open', 'unit', false, 'make'],
  ['none', 'open', 'no unit', false, 'refuse-unit'],
  ['virtual', 'open', 'unit', true, 'materialise'],
  ['virtual', 'open', 'unit', false, 'materialise'],
  ['virtual', 'open', 'no unit', true, 'refuse-unit'],
  ['virtual', 'later', 'unit', true, 'keep'],
  ['virtual', 'later', 'unit', false, 'change-held'],
  ['virtual', 'later', 'no unit', true, 'keep'],
  ['virtual', 'later', 'no unit', false, 'change-held'],
  ['live', 'open', 'unit', true, 'keep'],
  ['live', 'open', 'unit', false, 'change'],
  ['live', 'open', 'no unit', false, 'refuse-unit'],
  ['live', 'later', 'unit', true, 'keep'],
  ['live', 'later', 'unit', false, 'change'],
  ['expired', 'open', 'unit', false, 'revive'],
  ['expired', 'open', 'no unit', false, 'refuse-unit'],
  ['expired', 'later', 'unit', false, 'hold'],
  ['unknown', 'open', 'unit', true, 'resolve'],
  ['unknown', 'open', 'unit', false, 'resolve'],
  ['unknown', 'open', 'no unit', false, 'refuse-unit'],
  ['gone', 'open', 'unit', true, 'gone'],
  ['gone', 'later', 'unit', false, 'gone'],
  ['gone', 'open', 'no unit', false, 'gone'],
]

describe('a request for the key of a stay', () => {
  for (const [found, window, unit, matches, step] of table) {
    it(`${found}, ${window}, ${unit}, ${matches ? 'the same' : 'another'}: ${step}`, () => {
      const asked = { windowOpen: window === 'open', unitNamed: unit === 'unit', matches }
      assert.equal(nextStep(found, asked), step)
    })
  }
})
