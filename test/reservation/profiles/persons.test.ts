import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type OccupancyLimits,
  type PersonCountInput,
  personCount,
  personCountSchema,
  sharedLimits,
} from '../../../src/reservation/values/persons.ts'
import { refusal } from '../refusal.ts'
import { accepts } from '../schema-check.ts'

describe('A person count is completed', () => {
  it('children, ages and infants may be missing', () => {
    const expected = { adults: 2, children: 0, childrenAges: null, infants: 0, total: 2 }
    assert.deepEqual(personCount({ adults: 2, children: null, infants: null }, {}), expected)
  })

  it('ages alone say how many children there are', () => {
    const expected = { adults: 2, children: 2, childrenAges: [3, 17], infants: 0, total: 4 }
    assert.deepEqual(personCount({ adults: 2, childrenAges: [3, 17] }, {}), expected)
  })

  it('infants are not counted in the total', () => {
    assert.equal(personCount({ adults: 1, children: 1, infants: 3 }, { maxOccupancy: 2 }).total, 2)
  })

  it('as many as fit are accepted', () => {
    const limits = { maxOccupancy: 3, maxAdults: 2, maxChildren: 1 }
    assert.equal(personCount({ adults: 2, children: 1 }, limits).total, 3)
  })
})

const tooMany: [rule: string, PersonCountInput, OccupancyLimits, pointer: string, max: number | null][] = [
  ['adults above maxAdults', { adults: 3 }, { maxAdults: 2, maxOccupancy: 9 }, '/personCount/adults', 2],
  ['children above maxChildren', { adults: 1, children: 2 }, { maxChildren: 1 }, '/personCount/children', 1],
  ['children where none fit', { adults: 1, children: 1 }, { maxChildren: 0 }, '/personCount/children', 0],
  ['a total above maxOccupancy', { adults: 2, children: 2 }, { maxOccupancy: 3 }, '/personCount', 3],
  ['nobody', { adults: 0 }, { maxOccupancy: 3 }, '/personCount', 3],
  ['infants alone', { adults: 0, infants: 2 }, {}, '/personCount', null],
]

describe('A person count is refused', () => {
  for (const [rule, input, limits, pointer, max] of tooMany) {
    it(`with ${rule}`, () => {
      assert.throws(
        () => personCount(input, limits),
        refusal('person-count-exceeds-occupancy', pointer, { max }),
      )
    })
  }

  it('when the ages are not one a child', () => {
    const given = () => personCount({ adults: 1, children: 2, childrenAges: [4] }, {})
    assert.throws(given, refusal('validation-failed', '/personCount/childrenAges', { expected: 2 }))
    const none = () => personCount({ adults: 1, children: 1, childrenAges: [] }, {})
    assert.throws(none, refusal('validation-failed', '/personCount/childrenAges'))
  })

  const bodies: [body: unknown, boolean][] = [
    [{ adults: 2, children: null, childrenAges: [0, 17], total: 9 }, true],
    [{ children: 1 }, false],
    [{ adults: 1.5 }, false],
    [{ adults: -1 }, false],
    [{ adults: 100 }, false],
    [{ adults: 1, childrenAges: [18] }, false],
    [{ adults: 1, seniors: 1 }, false],
  ]
  for (const [body, valid] of bodies) {
    it(`${JSON.stringify(body)} ${valid ? 'has' : 'lacks'} its form`, () => {
      assert.equal(accepts(personCountSchema, body), valid)
    })
  }
})

describe('Several units hold together', () => {
  it('the sum of what each holds', () => {
    const units = [
      { maxOccupancy: 2, maxAdults: 2, maxChildren: 0 },
      { maxOccupancy: 4, maxAdults: 2, maxChildren: 3 },
    ]
    assert.deepEqual(sharedLimits(units), { maxOccupancy: 6, maxAdults: 4, maxChildren: 3 })
  })

  it('without limit where one has none', () => {
    const limits = sharedLimits([
      { maxOccupancy: 2, maxAdults: 1 },
      { maxOccupancy: null, maxAdults: 1 },
    ])
    assert.deepEqual(limits, { maxOccupancy: null, maxAdults: 2, maxChildren: null })
  })

  it('anybody when no unit is known', () => assert.deepEqual(sharedLimits([]), {}))
})
