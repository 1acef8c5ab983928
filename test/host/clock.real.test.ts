import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Clock, systemClock } from '../../src/host/clock.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { elapse, settableClock, testClock } from '../test-clock.ts'

describe('the system clock', () => {
  it("shows the machine's time", () => {
    const before = Date.now()
    const told = systemClock.now()
    assert.ok(told >= before && told <= Date.now())
  })
  it('measures with a monotonic clock', () => {
    const first = systemClock.monotonic()
    assert.ok(systemClock.monotonic() >= first)
  })
})

/** Each clock, and what lets its timers run. */
const clocks: [name: string, clock: () => Clock][] = [
  ['the system clock', () => systemClock],
  ['a settable clock', () => settableClock(0)],
  ['a test clock', () => testClock()],
]
for (const [name, make] of clocks)
  describe(`timers of ${name}`, () => {
    it('run once, in the order in which they are due', async () => {
      const clock = make()
      const ran: number[] = []
      for (const ms of [30, 10, 20]) clock.setTimeout(() => ran.push(ms), ms)
      await clock.sleep(60)
      assert.deepEqual(ran, [10, 20, 30])
    })

    it('run again and again until they are cancelled', async () => {
      const clock = make()
      let ran = 0
      const timer = clock.setInterval(() => {
        if (++ran === 3) timer.cancel()
      }, 5)
      await clock.sleep(100)
      assert.equal(ran, 3)
    })

    it('do not run once they are cancelled, even twice', async () => {
      const clock = make()
      const timer = clock.setTimeout(assert.fail, 5).unref()
      timer.cancel()
      timer.cancel()
      await clock.sleep(20)
    })

    it('end a sleep with the reason of its signal', async () => {
      const clock = make()
      const reason = new Error('enough')
      const over = new AbortController()
      const sleeping = assert.rejects(clock.sleep(60_000, { signal: over.signal }), reason)
      over.abort(reason)
      await sleeping
      await assert.rejects(clock.sleep(60_000, { signal: AbortSignal.abort(reason) }), reason)
      await clock.sleep(1, { signal: new AbortController().signal })
    })

    it('abort a signal with a TimeoutError', async () => {
      const clock = make()
      const signal = clock.timeout(10)
      assert.equal(signal.aborted, false)
      await clock.sleep(40)
      assert.equal(signal.reason.name, 'TimeoutError')
    })
  })

describe('a settable clock', () => {
  it('stands still', async () => {
    const clock = settableClock(1_000)
    await clock.sleep(5)
    assert.equal(clock.now(), 1_000)
  })
  it('advances both clocks', () => {
    const clock = settableClock(1_000)
    const began = clock.monotonic()
    clock.advance(60_000)
    assert.equal(clock.now(), 61_000)
    assert.ok(clock.monotonic() - began >= 60_000)
  })
  it('is set forward and back without an effect on the monotonic clock', () => {
    const clock = settableClock(1_000)
    const began = clock.monotonic()
    clock.set(90_000_000)
    clock.set(500)
    assert.equal(clock.now(), 500)
    assert.ok(clock.monotonic() - began < 60_000)
  })
})

describe('a virtual clock', () => {
  it('stands still until a timer is fired, and then shows when it was due', () => {
    const clock = virtualClock(1_000_000, 50)
    let at = 0
    clock.setTimeout(() => {
      at = clock.now()
    }, 700)
    assert.deepEqual([clock.now(), clock.monotonic(), clock.next()], [1_000_000, 50, 750])
    assert.equal(clock.fire(), true)
    assert.deepEqual([at, clock.monotonic(), clock.next()], [1_000_700, 750, null])
    assert.equal(clock.fire(), false)
  })

  it('fires overdue timers without going back', () => {
    const clock = virtualClock(0)
    clock.setTimeout(() => {}, 10)
    clock.advance(1_000)
    clock.fire()
    assert.deepEqual([clock.now(), clock.monotonic()], [1_000, 1_000])
  })

  it('repeats an interval from when it ran, as Node does', () => {
    const clock = virtualClock(0)
    const at: number[] = []
    clock.setInterval(() => at.push(clock.monotonic()), 10)
    elapse(clock, 25)
    clock.advance(100)
    elapse(clock, 10)
    assert.deepEqual(at, [10, 20, 125, 135])
  })

  it('is set without an effect on its timers', () => {
    const clock = virtualClock(1_000)
    clock.setTimeout(() => {}, 10)
    clock.set(99)
    assert.deepEqual([clock.now(), clock.monotonic(), clock.next()], [99, 0, 10])
  })

  it('returns the next timer that keeps a process running', () => {
    const clock = virtualClock(0)
    clock.setTimeout(() => {}, 10).unref()
    assert.deepEqual([clock.next(), clock.next('ref')], [10, null])
  })
})

describe('a test clock', () => {
  it('takes no real time for an hour', async () => {
    const clock = testClock({ wallMs: 0 })
    const began = performance.now()
    await clock.sleep(3_600_000)
    assert.equal(clock.now(), 3_600_000)
    assert.ok(performance.now() - began < 60_000)
  })

  it('lets running work end before time advances', async () => {
    const clock = testClock()
    let isLate = false
    const late = clock.setTimeout(() => {
      isLate = true
    }, 1)
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    late.cancel()
    assert.equal(isLate, false)
  })

  it('stands still while hidden work is declared', async () => {
    const clock = testClock()
    let isBusy = true
    clock.standsWhile(() => isBusy)
    const slept = clock.sleep(1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(clock.monotonic(), 0)
    isBusy = false
    await slept
  })

  it('may stand still except for awaited and overdue timers', async () => {
    const clock = testClock({ always: false })
    let ran = 0
    clock.setTimeout(() => ran++, 1_000)
    await new Promise((resolve) => setTimeout(resolve, 10))
    assert.equal(ran, 0)
    await clock.during(clock.sleep(2_000))
    assert.equal(ran, 1)
    clock.setTimeout(() => ran++, 1_000)
    clock.advance(1_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(ran, 2)
    clock.retire()
  })

  it('may leave the wall clock unchanged', async () => {
    const clock = testClock({ wallMs: 7, wallStands: true })
    await clock.sleep(1_000)
    assert.deepEqual([clock.now(), clock.monotonic()], [7, 1_000])
    clock.advance(5)
    assert.equal(clock.now(), 12)
    clock.set(3)
    assert.equal(clock.now(), 3)
  })
})
