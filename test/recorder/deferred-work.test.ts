import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deferredWork } from '../../src/recorder/deferred-work.ts'
import { testClock } from '../test-clock.ts'

describe('deferred work', () => {
  it('waits for catchUp, and keeps its order', () => {
    const done: number[] = []
    const { put, catchUp } = deferredWork(testClock(), assert.ifError)
    for (const each of [1, 2, 3]) put(1, () => done.push(each))
    assert.deepEqual(done, [])
    catchUp()
    assert.deepEqual(done, [1, 2, 3])
    catchUp()
    assert.deepEqual(done, [1, 2, 3])
  })

  it('runs by itself', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    deferredWork(testClock(), assert.ifError).put(1, resolve)
    // The timer holds no process.
    const held = setTimeout(() => {}, 60_000)
    await promise
    clearTimeout(held)
  })

  it('is bounded in number and in bytes', () => {
    let done = 0
    const { put } = deferredWork(testClock(), assert.ifError)
    for (let each = 0; each < 100_000; each++) put(1, () => done++)
    assert.ok(done > 90_000)
    done = 0
    put(1 << 30, () => done++)
    assert.ok(done > 0)
  })

  it('continues after an error, and reports it', () => {
    const failures: unknown[] = []
    const { put, catchUp } = deferredWork(testClock(), (error) => failures.push(error))
    let isDone = false
    put(1, () => {
      throw new Error('torn')
    })
    put(1, () => {
      isDone = true
    })
    catchUp()
    assert.ok(isDone)
    assert.equal(failures.length, 1)
  })
})
