import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { settableClock, systemClock } from '../../src/host/clock.ts'

describe('the system clock', () => {
  it('tells Unix milliseconds', () => {
    const before = Date.now()
    const told = systemClock.now()
    assert.ok(before <= told && told <= Date.now())
  })
  it('measures without going back', () => {
    const first = systemClock.monotonic()
    assert.ok(systemClock.monotonic() >= first)
  })
})

describe('a settable clock', () => {
  it('stands still', () => {
    const clock = settableClock(1_000)
    assert.deepEqual([clock.now(), clock.now(), clock.monotonic()], [1_000, 1_000, 0])
  })
  it('lets time go by', () => {
    const clock = settableClock(1_000)
    clock.advance(250)
    assert.deepEqual([clock.now(), clock.monotonic()], [1_250, 250])
  })
  it('is set forward and back, which measuring does not notice', () => {
    const clock = settableClock(1_000)
    clock.set(90_000)
    clock.set(500)
    assert.deepEqual([clock.now(), clock.monotonic()], [500, 0])
  })
})
