import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { windows } from '../../src/auth/limits/rate-limits.ts'

const windowsOf = (most = 100) => windows({ quota: 3, seconds: 60, most })

describe('a window', () => {
  it('begins with the first request of its key, separately for each key', () => {
    const of = windowsOf()
    of('a', 5_000).left--
    assert.deepEqual(of('a', 64_999), { left: 2, ends: 65_000 })
    assert.deepEqual(of('b', 64_999), { left: 3, ends: 124_999 })
  })

  it('starts anew when the previous one has ended', () => {
    const of = windowsOf()
    of('a', 0).left = 0
    assert.equal(of('a', 59_999).left, 0)
    assert.deepEqual(of('a', 60_000), { left: 3, ends: 120_000 })
  })

  it('replaces the oldest when there are too many', () => {
    const of = windowsOf(3)
    for (const [index, key] of ['a', 'b', 'c'].entries()) of(key, index).left = 0
    of('d', 10)
    assert.equal(of('b', 10).left, 0)
    assert.equal(of('c', 10).left, 0)
    assert.equal(of('a', 10).left, 3)
  })

  it('that has ended is dropped', () => {
    const of = windowsOf(3)
    for (const key of ['a', 'b']) of(key, 0).left = 0
    of('c', 30_000).left = 0
    of('d', 60_000)
    of('e', 60_000)
    assert.equal(of('c', 60_000).left, 0)
  })
})
