import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { knownOf } from '../../../src/pms/sync/known.ts'
import { tripledStays } from '../../../src/pms/sync/match.ts'
import { merge } from '../../../src/pms/sync/merge.ts'
import { differences } from '../../../src/pms/sync/same.ts'
import type { SharedReservation } from '../../../src/pms/sync/shared-reservation.ts'
import {
  edited,
  edits,
  nothingHappened as facts,
  reservationSample,
  staySample,
  usual,
  written,
} from './shared-samples.ts'

const both = reservationSample([
  staySample(),
  staySample({
    externalId: 'S2',
    localId: 'stay-2',
    startDate: '2026-07-05',
    endDate: '2026-07-06',
    guests: [],
  }),
])

const policies = fc.record(
  Object.fromEntries(Object.keys(usual).map((group) => [group, fc.constantFrom('Pms', 'Local')])),
) as fc.Arbitrary<typeof usual>

/** What the PMS is known to have, once the house has written what was merged. */
const knownAfter = (base: SharedReservation, upstream: SharedReservation, house: SharedReservation) =>
  knownOf(base, upstream, tripledStays({ base: base.stays, local: house.stays, upstream: upstream.stays }))

const runs = { numRuns: 400 }

describe('a merge', () => {
  it('told twice changes nothing the second time, and finds no conflict again', () => {
    fc.assert(
      fc.property(edits('house'), edits('pms'), policies, (here, there, policy) => {
        const [local, upstream] = [edited(both, here), edited(both, there)]
        const house = written(merge({ base: both, local, upstream, policy, facts }).result)
        const base = knownAfter(both, upstream, house)
        const again = merge({ base, local: house, upstream, policy, facts })
        assert.deepEqual(differences(again.result, house), [])
        assert.deepEqual(again.conflicts, [])
        assert.deepEqual(again.ended, [])
      }),
      runs,
    )
  })

  it('and the PMS agree as soon as it has taken what is offered', () => {
    fc.assert(
      fc.property(edits('house'), edits('pms'), policies, (here, there, policy) => {
        const [local, upstream] = [edited(both, here), edited(both, there)]
        const first = merge({ base: both, local, upstream, policy, facts })
        const house = written(first.result)
        const pms = structuredClone(house)
        const after = merge({
          base: knownAfter(both, pms, house),
          local: house,
          upstream: pms,
          policy,
          facts,
        })
        assert.deepEqual(differences(after.result, pms), [])
        assert.equal(after.keepsLocal, false)
        assert.deepEqual(after.conflicts, [])
        if (!first.keepsLocal) assert.deepEqual(differences(knownAfter(both, upstream, house), house), [])
      }),
      runs,
    )
  })

  it('loses nothing that one side alone has changed', () => {
    fc.assert(
      fc.property(edits('one'), policies, (changes, policy) => {
        const changed = edited(both, changes)
        const there = merge({ base: both, local: both, upstream: changed, policy, facts })
        assert.deepEqual(there.conflicts, [])
        assert.equal(there.keepsLocal, false)
        assert.deepEqual(differences(there.result, there.known), [])
        const mine = written(changed)
        const here = merge({ base: both, local: mine, upstream: both, policy, facts })
        assert.deepEqual(here.conflicts, [])
        assert.deepEqual(differences(here.result, mine), [])
      }),
      runs,
    )
  })

  it('of the same on both sides is no conflict', () => {
    fc.assert(
      fc.property(edits('one'), policies, (changes, policy) => {
        const upstream = edited(both, changes)
        const local = written(upstream)
        const { result, conflicts, keepsLocal } = merge({ base: both, local, upstream, policy, facts })
        assert.deepEqual(conflicts, [])
        assert.equal(keepsLocal, false)
        assert.deepEqual(differences(result, local), [])
      }),
      runs,
    )
  })
})
