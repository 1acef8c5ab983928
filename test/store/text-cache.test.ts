import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { textCache } from '../../src/store/rows/text-cache.ts'
import fc from '../seed.ts'

describe('the cache of texts', () => {
  it('returns the text of a revision until it is set again or dropped, in few megabytes', () => {
    const anyText = fc
      .tuple(fc.constantFrom('a', 'é', '語', '🔑', '\u0000'), fc.integer({ min: 0, max: 200_000 }))
      .map(([character, length]) => character.repeat(length))
    const anySet = fc.record({ key: fc.integer({ min: 1, max: 8 }), text: anyText })
    fc.assert(
      fc.property(fc.array(anySet, { minLength: 1, maxLength: 40 }), (sets) => {
        const cache = textCache(3_000_000)
        const last = new Map<number, { revision: number; text: string }>()
        for (const [revision, { key, text }] of sets.entries()) {
          cache.set(key, revision, text)
          const isTooLong = text.length * 3 > 2 ** 20
          if (!isTooLong) last.set(key, { revision, text })
          assert.equal(cache.get(key, revision), isTooLong ? undefined : text)
        }
        let bytes = 0
        for (const [key, { revision, text }] of last) {
          const kept = cache.get(key, revision)
          if (kept !== undefined) assert.equal(kept, text)
          assert.equal(cache.get(key, revision + 1), undefined)
          bytes += Buffer.byteLength(kept ?? '')
        }
        assert.ok(bytes <= 3_000_000)
      }),
      { numRuns: 50 },
    )
  })

  it('drops the texts that were cached first', () => {
    const cache = textCache(2.2e6)
    const text = 'x'.repeat(300_000)
    for (let key = 1; key <= 3; key++) cache.set(key, 1, text)
    const kept = [1, 2, 3].map((key) => cache.get(key, 1) === text)
    assert.deepEqual(kept, [false, true, true])
  })

  it('drops the blocks of which no text was in use since the last look', () => {
    const cache = textCache(5_000_000)
    const text = 'x'.repeat(300_000)
    for (let key = 1; key <= 3; key++) cache.set(key, 1, text)
    const known = () => [1, 2, 3].filter((key) => cache.get(key, 1) === text)
    assert.equal(cache.dropUnread(), true)
    assert.equal(cache.get(2, 1), text)
    assert.equal(cache.dropUnread(), true)
    assert.deepEqual(known(), [2])
    cache.set(3, 2, text)
    assert.deepEqual([cache.dropUnread(), cache.dropUnread()], [true, false])
    assert.deepEqual(known(), [])
    cache.set(1, 1, text)
    assert.deepEqual(known(), [1])
  })
})
