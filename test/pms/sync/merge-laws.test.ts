import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tripledStays } from '../../../src/pms/sync/merge/match.ts'
import { differences } from '../../../src/pms/sync/merge/same.ts'
import { knownOf } from '../../../src/pms/sync/merge/shadow-document.ts'
import type { SharedReservation } from '../../../src/pms/sync/shared-reservation.ts'
import fc from '../../seed.ts'
import {
  edited,
  edits,
  nothingHappened as facts,
  mergeOf,
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
  it('reported twice changes nothing the second time, and finds no conflict again', () => {
    fc.assert(
      fc.property(edits('house'), edits('pms'), policies, (here, there, policy) => {
        const [local, upstream] = [edited(both, here), edited(both, there)]
        const house = written(mergeOf({ base: both, local, upstream, policy, facts }).result)
        const base = knownAfter(both, upstream, house)
        const again = mergeOf({ base, local: house, upstream, policy, facts })
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
        const first = mergeOf({ base: both, local, upstream, policy, facts })
        const house = written(first.result)
        const pms = structuredClone(house)
        const after = mergeOf({
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
        const there = mergeOf({ base: both, local: both, upstream: changed, policy, facts })
        assert.deepEqual(there.conflicts, [])
        assert.equal(there.keepsLocal, false)
        assert.deepEqual(differences(there.result, there.known), [])
        const mine = written(changed)
        const here = mergeOf({ base: both, local: mine, upstream: both, policy, facts })
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
        const { result, conflicts, keepsLocal } = mergeOf({ base: both, local, upstream, policy, facts })
        assert.deepEqual(conflicts, [])
        assert.equal(keepsLocal, false)
        assert.deepEqual(differences(result, local), [])
      }),
      runs,
    )
  })
})
