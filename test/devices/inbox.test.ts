import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inbox } from '../../src/devices/inbox.ts'
import { testClock } from '../test-clock.ts'

describe('the inbox of a driver', () => {
  it('gives what came in its order, then waits', async () => {
    const box = inbox<number>(testClock())
    box.put(1)
    box.put(2)
    assert.deepEqual([await box.next(0), await box.next(0), await box.next(0)], [1, 2, 'late'])
    const next = box.next(60_000)
    box.put(3)
    assert.equal(await next, 3)
    assert.equal(await box.next(1), 'late')
  })

  it('gives what came before the end, and then says that it is the end', async () => {
    const box = inbox<number>(testClock())
    box.put(1)
    box.end()
    assert.deepEqual([await box.next(0), await box.next(0)], [1, 'gone'])
    const other = inbox<number>(testClock())
    const next = other.next(60_000)
    other.end()
    assert.equal(await next, 'gone')
  })

  it('forgets the oldest of too much', async () => {
    const box = inbox<number>(testClock())
    for (let item = 0; item < 300; item++) box.put(item)
    assert.equal(await box.next(0), 44)
    box.empty()
    assert.equal(await box.next(0), 'late')
  })
})
