import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoized } from '../../src/host/memoized.ts'

describe('Memoized work', () => {
  it('runs once for an argument, until there are too many arguments', () => {
    const asked: number[] = []
    const double = memoized((question: number) => {
      asked.push(question)
      return question * 2
    }, 2)
    assert.deepEqual([1, 2, 1, 2, 3, 1].map(double), [2, 4, 2, 4, 6, 2])
    assert.deepEqual(asked, [1, 2, 3, 1])
  })

  it('throws each time, and stores no error', () => {
    let times = 0
    const fails = memoized(() => {
      times++
      throw new RangeError('no')
    }, 2)
    assert.throws(() => fails(1), RangeError)
    assert.throws(() => fails(1), RangeError)
    assert.equal(times, 2)
  })
})
