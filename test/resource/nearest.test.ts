import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { editsBetween, nearest } from '../../src/resource/nearest.ts'
import fc from '../seed.ts'

describe('the edits between two texts', () => {
  const cases: [from: string, to: string, edits: number][] = [
    ['', '', 0],
    ['', 'abc', 3],
    ['kowalksa', 'kowalska', 1],
    ['tanka', 'tanaka', 1],
    ['tanaka', 'tanka', 1],
    ['tamaka', 'tanaka', 1],
    ['ba', 'ab', 1],
    ['ca', 'abc', 3],
    ['abcd', 'badc', 2],
    ['😀a', 'a😀', 1],
    ['kitten', 'sitting', 3],
  ]
  for (const [from, to, edits] of cases)
    it(`are ${edits} from “${from}” to “${to}”`, () => assert.equal(editsBetween(from, to), edits))

  it('are as many in both directions, none for the same text only, and at most the longer text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ü'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (one, other) => {
        const edits = editsBetween(one, other)
        assert.equal(edits, editsBetween(other, one))
        assert.equal(edits === 0, one === other)
        assert.ok(edits <= Math.max(one.length, other.length))
      }),
    )
  })

  it('choose the nearest candidate, the first of several', () => {
    assert.equal(nearest('stya', ['unit', 'stay', 'stays']), 'stay')
    assert.equal(nearest('x', []), undefined)
  })
})
