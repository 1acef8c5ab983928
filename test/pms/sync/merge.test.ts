import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PhysicalFacts } from '../../../src/pms/sync/merge/merge-stay.ts'
import type { SharedStay } from '../../../src/pms/sync/shared-reservation.ts'
import {
  guestSample,
  mergeOf,
  nothingHappened,
  reservationSample,
  staySample,
  usual,
} from './shared-samples.ts'

interface Case {
  base?: Partial<SharedStay> | null
  local?: Partial<SharedStay>
  upstream?: Partial<SharedStay>
  facts?: Partial<PhysicalFacts>
  policy?: Partial<typeof usual>
  /** What of the stay is so afterwards. */
  is: Partial<SharedStay>
  /** Group, whose word counts, and why. */
  conflict?: [string, string, string]
  keepsLocal?: boolean
}

const unit = (unitName: string | null, unitTypeCode = 'DBL') => ({ units: [{ unitTypeCode, unitName }] })
const key = { locked: { 'stay-1': ['212'] } }
const brk = { serviceCode: 'BRK', count: 2 }
const spa = { serviceCode: 'SPA', count: 1 }
const dog = { serviceCode: 'DOG', count: 1 }
const bo = guestSample({ externalId: null, localId: 'guest-2', role: 'AdditionalGuest', firstName: 'Bo' })
const cy = guestSample({ externalId: 'G3', localId: null, role: 'AdditionalGuest', firstName: 'Cy' })

const cases: Record<string, Case> = {
  'what the PMS alone has changed is taken': { upstream: { comment: 'There.' }, is: { comment: 'There.' } },
  'what the house alone has changed stays': {
    local: { comment: 'Here.' },
    is: { comment: 'Here.' },
    keepsLocal: true,
  },
  'what the PMS does not say, it does not change': {
    local: { comment: 'Here.' },
    upstream: { comment: undefined as never },
    is: { comment: 'Here.' },
    keepsLocal: true,
  },
  'of two other words that of the owner counts': {
    local: { comment: 'Here.' },
    upstream: { comment: 'There.' },
    is: { comment: 'There.' },
    conflict: ['comments', 'Pms', 'both-changed'],
  },
  'which may be the house': {
    local: { comment: 'Here.' },
    upstream: { comment: 'There.' },
    policy: { comments: 'Local' },
    is: { comment: 'Here.' },
    conflict: ['comments', 'Local', 'both-changed'],
    keepsLocal: true,
  },
  'what the PMS had never reported, and both have set since, is a disagreement': {
    base: { comment: undefined as never },
    local: { comment: 'Here.' },
    upstream: { comment: 'There.' },
    is: { comment: 'There.' },
    conflict: ['comments', 'Pms', 'both-changed'],
  },
  'two comments are two things': {
    local: { guestComment: 'Here.' },
    upstream: { comment: 'There.' },
    is: { comment: 'There.', guestComment: 'Here.' },
    keepsLocal: true,
  },
  'the two dates are one period': {
    local: { startDate: '2026-07-02' },
    upstream: { endDate: '2026-07-09' },
    is: { startDate: '2026-07-01', endDate: '2026-07-09' },
    conflict: ['dates', 'Pms', 'both-changed'],
  },
  'a price is that of its rate plan': {
    local: { ratePlanCode: 'FLEX' },
    upstream: { amount: { currency: 'EUR', amountWithTax: 250 } },
    is: { ratePlanCode: 'BAR', amount: { currency: 'EUR', amountWithTax: 250 } },
    conflict: ['rates', 'Pms', 'both-changed'],
  },
  'services of both sides are there': {
    local: { services: [brk, spa] },
    upstream: { services: [dog] },
    is: { services: [spa, dog] },
    keepsLocal: true,
  },
  'guests of both sides are there': {
    local: { guests: [guestSample(), bo] },
    upstream: { guests: [guestSample({ localId: null }), cy] },
    is: { guests: [guestSample(), bo, cy] },
    keepsLocal: true,
  },
  'of one guest each side may change something': {
    local: { guests: [guestSample({ title: 'Dr' })] },
    upstream: { guests: [guestSample({ lastName: 'Kern-Bo' })] },
    is: { guests: [guestSample({ title: 'Dr', lastName: 'Kern-Bo' })] },
    keepsLocal: true,
  },
  'at the first meeting each group is that of its owner': {
    base: null,
    local: { comment: 'Here.', status: 'InHouse' },
    upstream: { comment: 'There.', status: 'Confirmed' },
    is: { comment: 'There.', status: 'InHouse' },
    keepsLocal: true,
  },
  'a unit that is not named is not taken away': {
    base: unit('212'),
    local: unit('212'),
    upstream: { units: [{ unitTypeCode: 'DBL' }] },
    is: unit('212'),
  },
  'a unit whose key is out is kept': {
    base: unit('212'),
    local: unit('212'),
    upstream: unit('214'),
    facts: key,
    is: unit('212'),
    conflict: ['units', 'Local', 'key-is-out'],
    keepsLocal: true,
  },
  'a unit that was given by a lease is kept': {
    base: unit(null),
    local: unit('212'),
    upstream: unit('214'),
    facts: { leased: { 'stay-1': ['212'] } },
    is: unit('212'),
    conflict: ['units', 'Local', 'leased'],
    keepsLocal: true,
  },
  'a key does not keep a unit for a stay that was canceled here': {
    base: { ...unit('212'), status: 'Confirmed' },
    local: { ...unit('212'), status: 'Canceled' },
    upstream: { ...unit('214'), status: 'Confirmed' },
    facts: key,
    is: { ...unit('214'), status: 'Canceled' },
    keepsLocal: true,
  },
  'who is in the house is not canceled': {
    base: { status: 'InHouse' },
    local: { status: 'InHouse' },
    upstream: { status: 'Canceled' },
    is: { status: 'InHouse' },
    conflict: ['status', 'Local', 'guest-was-here'],
    keepsLocal: true,
  },
  'who has left is no no-show, whatever the policy': {
    local: { status: 'CheckedOut' },
    upstream: { status: 'NoShow' },
    policy: { status: 'Pms' },
    is: { status: 'CheckedOut' },
    conflict: ['status', 'Local', 'guest-was-here'],
    keepsLocal: true,
  },
  'who has left was where he was': {
    base: { status: 'CheckedOut', ...unit('212') },
    local: { status: 'CheckedOut', ...unit('212') },
    upstream: { status: 'CheckedOut', ...unit('214') },
    is: unit('212'),
    conflict: ['units', 'Local', 'guest-was-here'],
    keepsLocal: true,
  },
  'a unit that the PMS has taken from who has left is his still': {
    base: { status: 'Confirmed', ...unit('212') },
    local: { status: 'CheckedOut', ...unit('212') },
    upstream: { status: 'Confirmed', ...unit(null) },
    is: { status: 'CheckedOut', ...unit('212') },
    conflict: ['units', 'Local', 'guest-was-here'],
    keepsLocal: true,
  },
  'the unit of who left without one is what the PMS says': {
    base: { status: 'CheckedOut', ...unit(null) },
    local: { status: 'CheckedOut', ...unit(null) },
    upstream: { status: 'CheckedOut', ...unit('214') },
    is: unit('214'),
  },
  'of two that went the same way the one that went further counts': {
    local: { status: 'InHouse' },
    upstream: { status: 'CheckedOut' },
    is: { status: 'CheckedOut' },
  },
  'a cancellation there is taken': { upstream: { status: 'Canceled' }, is: { status: 'Canceled' } },
  'a guest in the house does not leave yesterday': {
    base: { status: 'InHouse' },
    local: { status: 'InHouse' },
    upstream: { status: 'InHouse', endDate: '2026-07-02' },
    facts: { today: '2026-07-03' },
    is: { endDate: '2026-07-04' },
    conflict: ['dates', 'Local', 'day-is-over'],
    keepsLocal: true,
  },
  'and has arrived when he has': {
    base: { status: 'InHouse' },
    local: { status: 'InHouse' },
    upstream: { status: 'InHouse', startDate: '2026-06-30', endDate: '2026-07-05' },
    is: { startDate: '2026-07-01', endDate: '2026-07-05' },
    conflict: ['dates', 'Local', 'guest-was-here'],
    keepsLocal: true,
  },
}

describe('Of what both have changed', () => {
  for (const [name, { base = {}, local = {}, upstream = {}, facts, policy, ...expected }] of Object.entries(
    cases,
  )) {
    it(name, () => {
      const merged = mergeOf({
        base: base && reservationSample([staySample(base)]),
        local: reservationSample([staySample(local)]),
        upstream: reservationSample([staySample(upstream)]),
        policy: { ...usual, ...policy },
        facts: { ...nothingHappened, ...facts },
      })
      for (const [member, value] of Object.entries(expected.is)) {
        assert.deepEqual(merged.result.stays[0]![member as keyof SharedStay], value, member)
      }
      assert.deepEqual(
        merged.conflicts.map(({ group, counts, reason }) => [group, counts, reason]),
        expected.conflict ? [expected.conflict] : [],
      )
      assert.equal(merged.keepsLocal, expected.keepsLocal ?? false)
    })
  }
})

describe('A stay', () => {
  const two = staySample({
    externalId: 'S2',
    localId: 'stay-2',
    startDate: '2026-07-05',
    endDate: '2026-07-06',
  })
  const both = reservationSample([staySample(), two])
  const one = reservationSample([staySample()])
  const given = { policy: usual, facts: nothingHappened }

  it('that the PMS has taken away ends', () => {
    const { ended, conflicts, keepsLocal } = mergeOf({ base: both, local: both, upstream: one, ...given })
    assert.deepEqual([ended, conflicts, keepsLocal], [['stay-2'], [], false])
  })

  it('with a guest in it does not', () => {
    const local = reservationSample([staySample(), { ...two, status: 'InHouse' }])
    const { ended, conflicts, keepsLocal } = mergeOf({ base: both, local, upstream: one, ...given })
    assert.deepEqual([ended, conflicts[0]!.reason, keepsLocal], [[], 'guest-was-here', true])
  })

  it('that was made here stays', () => {
    const mine = { ...two, externalId: null }
    const local = reservationSample([staySample(), mine])
    const { result, keepsLocal } = mergeOf({ base: one, local, upstream: one, ...given })
    assert.deepEqual([result.stays[1], keepsLocal], [mine, true])
  })

  it('that was deleted here comes back when the PMS has changed it since', () => {
    const upstream = reservationSample([staySample(), { ...two, comment: 'There.' }])
    const { result, conflicts } = mergeOf({ base: both, local: one, upstream, ...given })
    assert.equal(result.stays[1]!.comment, 'There.')
    assert.equal(conflicts[0]!.group, 'dates')
  })

  it('is known by its first day and unit type where nobody has named it', () => {
    const unnamed = reservationSample([{ ...staySample(), externalId: null, localId: null }])
    const local = reservationSample([staySample({ externalId: null })])
    assert.equal(
      mergeOf({ base: null, local, upstream: unnamed, ...given }).result.stays[0]!.localId,
      'stay-1',
    )
  })
})
