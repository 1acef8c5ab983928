import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type AssignmentRequest,
  type Candidate,
  chooseUnit,
  noEligibleUnit,
  type Refusal,
} from '../../../src/reservation/assignment/assignment.ts'
import { unitStatuses } from '../../../src/reservation/values/unit-status.ts'
import fc from '../../seed.ts'
import { refusal } from '../refusal.ts'

const today = '2026-05-02'
const arrival: AssignmentRequest['stay'] = { startDate: today, unitTypeId: 'double' }

function unit(name: string, facts: Partial<Candidate> = {}): Candidate {
  return {
    id: `id-${name}`,
    name,
    unitTypeId: 'double',
    status: 'Clean',
    priority: null,
    idleSince: 1000,
    amenities: [],
    blocked: false,
    overlapping: false,
    occupiedUntil: null,
    ...facts,
  }
}

function chosen(units: Candidate[], stay: Partial<AssignmentRequest['stay']> = {}): string {
  const answer = chooseUnit({ stay: { ...arrival, ...stay }, today, units })
  return 'unit' in answer ? answer.unit.name : answer.refused
}

const rankings: [
  rule: string,
  stay: Partial<AssignmentRequest['stay']>,
  units: Candidate[],
  first: string,
][] = [
  ['the preferred one', { preferredUnitId: 'id-2' }, [unit('1', { status: 'Inspected' }), unit('2')], '2'],
  [
    'another when the preferred one is taken',
    { preferredUnitId: 'id-2' },
    [unit('1'), unit('2', { overlapping: true })],
    '1',
  ],
  [
    'the one with more of the wanted amenities',
    { amenities: ['sea', 'bath'] },
    [
      unit('1', { amenities: ['sea', 'tv', 'safe'], status: 'Inspected' }),
      unit('2', { amenities: ['bath', 'sea'] }),
    ],
    '2',
  ],
  [
    'an inspected one before a clean one',
    {},
    [unit('1', { priority: 1 }), unit('2', { status: 'Inspected' })],
    '2',
  ],
  [
    'the lower priority number',
    {},
    [unit('1', { priority: 2 }), unit('2', { priority: 1, idleSince: 9000 })],
    '2',
  ],
  ['one with a priority before one without', {}, [unit('1'), unit('2', { priority: 99 })], '2'],
  ['the one idle longest', {}, [unit('1', { idleSince: 2000 }), unit('2', { idleSince: 1999 })], '2'],
  ['one never used before one used', {}, [unit('1', { idleSince: 1 }), unit('2', { idleSince: null })], '2'],
  ['by name, 9 before 10', {}, [unit('10'), unit('9'), unit('11')], '9'],
]

describe('Of the eligible units a stay gets', () => {
  for (const [rule, stay, units, first] of rankings) {
    it(rule, () => {
      assert.equal(chosen(units, stay), first)
      assert.equal(chosen(units.toReversed(), stay), first)
    })
  }

  it('the one with the lower id between equal names', () => {
    const units = [unit('1', { id: 'b' }), unit('1', { id: 'a' })]
    const answer = chooseUnit({ stay: arrival, today, units })
    assert.deepEqual(answer, { unit: units[1] })
  })

  it('the same one whatever the order they come in', () => {
    const candidate = fc.record({
      id: fc.uuid(),
      name: fc.constantFrom('1', '2', '10', 'A'),
      unitTypeId: fc.constantFrom('double', 'single'),
      status: fc.constantFrom(...unitStatuses),
      priority: fc.constantFrom(null, 1, 2),
      idleSince: fc.constantFrom(null, 1, 2),
      amenities: fc.subarray(['sea', 'bath']),
      blocked: fc.boolean(),
      overlapping: fc.boolean(),
      occupiedUntil: fc.constantFrom(null, 5),
    })
    const units = fc.uniqueArray(candidate, { selector: ({ id }) => id })
    fc.assert(
      fc.property(units, (given) => {
        const stay = { ...arrival, amenities: ['sea'] }
        assert.deepEqual(
          chooseUnit({ stay, today, units: given }),
          chooseUnit({ stay, today, units: given.toReversed() }),
        )
      }),
    )
  })
})

const eligible: [rule: string, startDate: string, Partial<Candidate>, answer: string][] = [
  ['a clean unit serves an arrival today', today, { status: 'Clean' }, '1'],
  ['an inspected unit serves an arrival today', today, { status: 'Inspected' }, '1'],
  ['a blocked unit does not', today, { blocked: true }, 'out-of-order'],
  ['a dirty unit does not', today, { status: 'Dirty' }, 'all-dirty'],
  ['nor one being cleaned', today, { status: 'Cleaning' }, 'all-dirty'],
  ['nor one out of service', today, { status: 'OutOfService' }, 'all-dirty'],
  ['nor a dirty unit for one who should have come yesterday', '2026-05-01', { status: 'Dirty' }, 'all-dirty'],
  ['a dirty unit serves an arrival tomorrow', '2026-05-03', { status: 'Dirty' }, '1'],
  ['so does one out of service', '2026-05-03', { status: 'OutOfService' }, '1'],
  ['one out of order never does', '2026-05-03', { status: 'OutOfOrder' }, 'out-of-order'],
  ['an occupied unit never does', '2026-05-03', { overlapping: true }, 'all-occupied'],
  ['one of another type never does', today, { unitTypeId: 'single' }, 'no-unit-of-type'],
]

describe('A unit is eligible', () => {
  for (const [rule, startDate, facts, answer] of eligible) {
    it(rule, () => assert.equal(chosen([unit('1', facts)], { startDate }), answer))
  }

  it('in the statuses that the property says', () => {
    const units = [unit('1', { status: 'Clean' })]
    const answer = chooseUnit({ stay: arrival, today, assignableStatuses: ['Inspected'], units })
    assert.equal((answer as Refusal).refused, 'all-dirty')
  })

  it('cleanliness does not rank units for a later arrival', () => {
    const units = [unit('2', { status: 'Inspected' }), unit('1', { status: 'Dirty' })]
    assert.equal(chosen(units, { startDate: '2026-05-03' }), '1')
  })
})

describe('A refusal says why', () => {
  const units = [
    unit('1', { status: 'OutOfOrder' }),
    unit('2', { overlapping: true, occupiedUntil: Date.UTC(2026, 4, 2, 13) }),
    unit('3', { overlapping: true, occupiedUntil: Date.UTC(2026, 4, 2, 11) }),
    unit('4', { status: 'Dirty' }),
    unit('5', { unitTypeId: 'single' }),
  ]
  const reasons: [Candidate[], Refusal['refused']][] = [
    [[], 'no-unit-of-type'],
    [units.slice(0, 1), 'out-of-order'],
    [units.slice(0, 3), 'all-occupied'],
    [units, 'all-dirty'],
  ]
  for (const [given, reason] of reasons) {
    it(`with the most hopeful reason: ${reason}`, () => assert.equal(chosen(given), reason))
  }

  it('with counts, and when the next unit is expected', () => {
    const answer = chooseUnit({ stay: arrival, today, units }) as Refusal
    const counts = { ofType: 4, outOfOrder: 1, occupied: 2, notReady: 1 }
    assert.deepEqual(answer.counts, { ...counts, nextExpectedAt: Date.UTC(2026, 4, 2, 11) })
    refusal('no-eligible-unit', undefined, {
      reason: 'all-dirty',
      ...counts,
      nextExpectedAt: '2026-05-02T11:00:00.000Z',
    })(noEligibleUnit(answer))
  })

  it('without a time when nobody knows when one is left', () => {
    const answer = chooseUnit({ stay: arrival, today, units: [unit('1', { overlapping: true })] }) as Refusal
    refusal('no-eligible-unit', undefined, { nextExpectedAt: null })(noEligibleUnit(answer))
  })
})
