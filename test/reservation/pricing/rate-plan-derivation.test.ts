import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkDerivation } from '../../../src/reservation/pricing/rate-plan-derivation.ts'
import { refusal } from '../refusal.ts'

/** d is derived from c, that from b, that from a; x and y are derived from each other. */
const parents: Record<string, string> = { d: 'c', c: 'b', b: 'a', x: 'y', y: 'x' }
const parentOf = (id: string) => parents[id] ?? null

describe('A rate plan', () => {
  it('needs no parent, nor an adjustment when it has one', () => {
    assert.doesNotThrow(() => checkDerivation({ id: null }, parentOf))
    assert.doesNotThrow(() => checkDerivation({ id: null, parentId: 'a' }, parentOf))
  })

  it('without a parent has nothing to adjust', () => {
    const adjusting = { id: 'a', parentId: null, derivedAdjustment: { type: 'Percent', value: 1 } }
    assert.throws(
      () => checkDerivation(adjusting, parentOf),
      refusal('validation-failed', '/derivedAdjustment'),
    )
  })

  it('has up to three parents above each other', () => {
    assert.doesNotThrow(() => checkDerivation({ id: 'd', parentId: 'c' }, parentOf))
    const fourth = () => checkDerivation({ id: null, parentId: 'd' }, parentOf)
    assert.throws(fourth, refusal('rate-plan-derivation', '/parentId', { maxDepth: 3 }))
  })

  it('is never derived from itself, directly or not', () => {
    for (const parentId of ['a', 'b', 'c']) {
      const looping = () => checkDerivation({ id: 'a', parentId }, parentOf)
      assert.throws(looping, refusal('rate-plan-derivation', '/parentId'))
    }
  })

  it('above a loop that is already kept is refused, not followed for ever', () => {
    assert.throws(
      () => checkDerivation({ id: null, parentId: 'x' }, parentOf),
      refusal('rate-plan-derivation'),
    )
  })
})
