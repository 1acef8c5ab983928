import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { backgroundWork, lateAfterMs } from '../../src/host/background-work.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'

const minute = 60_000

/** Retention, whose period is an hour here, and the errors that it has reported. */
function work(run: () => unknown, how?: { firstMs?: number }) {
  const clock = virtualClock(0)
  const errors: unknown[] = []
  const background = backgroundWork({ clock, failed: (error) => errors.push(error) })
  const loop = background.every('retention', 60 * minute, run, how)
  /** Moves the clock, an hour at a time, and lets what has begun go on. */
  async function hours(count: number): Promise<void> {
    for (let each = 0; each < count; each++) {
      clock.fire()
      for (let turn = 0; turn < 5; turn++) await null
    }
  }
  const isLate = () => background.states().map((each) => each.isLate)
  return { clock, errors, background, loop, hours, isLate }
}

describe('background work', () => {
  it('runs in its period, and is not late while it succeeds', async () => {
    let runs = 0
    const { hours, isLate, background } = work(() => void runs++)
    await hours(30)
    assert.deepEqual([runs, isLate()], [30, [false]])
    assert.deepEqual(background.states(), [{ name: 'retention', about: null, waitingMs: 0, isLate: false }])
  })

  it('runs for the first time when it is asked to', async () => {
    let runs = 0
    const { clock } = work(() => void runs++, { firstMs: 1_000 })
    clock.fire()
    assert.deepEqual([clock.monotonic(), runs], [1_000, 1])
  })

  for (const [how, run] of [
    ['throws', () => assert.fail('no')],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['never ends', () => new Promise(() => {})],
  ] as const)
    it(`is late when it ${how} for longer than the table allows`, async () => {
      const { hours, isLate } = work(run)
      const most = lateAfterMs.retention / (60 * minute)
      await hours(most)
      assert.deepEqual(isLate(), [false])
      await hours(1)
      assert.deepEqual(isLate(), [true])
    })

  it('goes on after an error, and is not late any more when it succeeds', async () => {
    let isBroken = true
    const { hours, isLate, errors } = work(() => {
      if (isBroken) throw new Error('the disk is full')
    })
    await hours(10)
    assert.deepEqual([isLate(), errors.length], [[true], 1], 'an error that stays is reported once')
    isBroken = false
    await hours(1)
    assert.deepEqual(isLate(), [false])
    isBroken = true
    await hours(1)
    assert.equal(errors.length, 2, 'an error that comes back is reported')
  })

  it('reports another error that takes the place of the first', async () => {
    let runs = 0
    const { hours, errors } = work(() => {
      throw new Error(runs++ < 2 ? 'one' : 'other')
    })
    await hours(4)
    assert.deepEqual(errors.map(String), ['Error: one', 'Error: other'])
  })

  it('runs one at a time, and once more when it was asked for meanwhile', async () => {
    const waiting: (() => void)[] = []
    const { loop, hours } = work(() => new Promise<void>((resolve) => waiting.push(resolve)))
    const asked = [loop.begin(), loop.begin(), loop.begin()]
    await hours(3)
    assert.equal(waiting.length, 1)
    waiting[0]?.()
    await hours(0)
    await null
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(waiting.length, 2)
    waiting[1]?.()
    await Promise.all(asked)
    assert.deepEqual([waiting.length, loop.isUnderWay()], [2, false])
  })

  it('ends: it begins no more, its error is not reported, and nothing is late', async () => {
    const ending = Promise.withResolvers<void>()
    const { clock, loop, errors, background } = work(() => ending.promise)
    clock.fire()
    const closed = loop.close()
    ending.reject(new Error('The appliance is stopping.'))
    await closed
    await loop.begin()
    clock.advance(100 * 60 * minute)
    assert.deepEqual([errors, background.states(), clock.next()], [[], [], null])
  })

  it('counts from the first event that was not worked on', () => {
    const clock = virtualClock(0)
    const followed = backgroundWork({ clock, failed: assert.fail })
    const events = followed.follow('events', 'Opera')
    clock.advance(60 * minute)
    assert.deepEqual(followed.states(), [{ name: 'events', about: 'Opera', waitingMs: 0, isLate: false }])
    events.due()
    clock.advance(lateAfterMs.events)
    events.due()
    clock.advance(1)
    assert.deepEqual(
      followed.states().map(({ isLate }) => isLate),
      [true],
    )
    events.done()
    assert.deepEqual(
      followed.states().map(({ isLate }) => isLate),
      [false],
    )
  })
})
