import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  initialUnitStatus,
  removesAvailability,
  type UnitStatus,
  unitStatuses,
  unitTransition,
} from '../../../src/reservation/values/unit-status.ts'
import { refusal } from '../refusal.ts'

/** `*` marks what only an inspector may do. */
const table: Record<UnitStatus, string> = {
  Dirty: 'Cleaning Clean Inspected* OutOfService OutOfOrder',
  Cleaning: 'Dirty Clean OutOfService OutOfOrder',
  Clean: 'Inspected Dirty OutOfService OutOfOrder',
  Inspected: 'Dirty OutOfService OutOfOrder',
  OutOfService: 'Dirty Clean Inspected*',
  OutOfOrder: 'Dirty Clean Inspected*',
}

describe('A unit changes its status', () => {
  for (const from of unitStatuses) {
    const row = table[from].split(' ')
    for (const to of unitStatuses.filter((status) => status !== from)) {
      if (row.includes(to)) {
        it(`${from} → ${to}`, () => assert.equal(unitTransition(from, to, { canInspect: false }), true))
      } else if (row.includes(`${to}*`)) {
        it(`${from} → ${to} by an inspector alone`, () => {
          const meta = { scope: 'units.inspect' }
          assert.equal(unitTransition(from, to, { canInspect: true }), true)
          assert.throws(
            () => unitTransition(from, to, { canInspect: false }),
            refusal('scope-required', '/status', meta),
          )
        })
      } else {
        it(`${from} → ${to} is refused, even to an inspector`, () => {
          assert.throws(
            () => unitTransition(from, to, { canInspect: true }),
            (error) => {
              refusal('unit-status-transition', '/status')(error)
              const { allowed } = (error as { options: { meta: { allowed: string[] } } }).options.meta
              assert.deepEqual(allowed.toSorted(), row.map((word) => word.replace('*', '')).toSorted())
              return true
            },
          )
        })
      }
    }

    it(`${from} again changes nothing`, () =>
      assert.equal(unitTransition(from, from, { canInspect: false }), false))
  }

  it('who is no inspector is not told of what only an inspector may', () => {
    assert.throws(
      () => unitTransition('OutOfService', 'Cleaning', { canInspect: false }),
      refusal('unit-status-transition', '/status', { allowed: ['Dirty', 'Clean'] }),
    )
  })

  it('a new unit is dirty', () => assert.equal(initialUnitStatus, 'Dirty'))

  it('only a unit out of order is not there to be sold', () => {
    assert.deepEqual(
      unitStatuses.filter((status) => removesAvailability[status]),
      ['OutOfOrder'],
    )
  })
})
