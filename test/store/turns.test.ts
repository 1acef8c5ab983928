import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '../../src/host/clock.ts'
import { Problem } from '../../src/resource/problem.ts'
import { turns } from '../../src/store/turns.ts'

const isHere = () => false

/** Each step takes longer than a slice, so that it is a slice of its own. */
function* steps(name: string, count: number, events: string[]): Generator<void, string> {
  try {
    for (let step = 1; step <= count; step++) {
      for (const until = performance.now() + 6; performance.now() < until; );
      events.push(`${name}${step}`)
      yield
    }
    return name
  } finally {
    events.push(`${name} ends`)
  }
}

const refusedWith = (code: string) => (error: unknown) => error instanceof Problem && error.code === code

describe('long works', () => {
  it('take their turns one after the other, and whatever else there is to do has its own in between', async () => {
    const events: string[] = []
    const { take } = turns(systemClock)
    const works = ['a', 'b'].map((name) => take(() => steps(name, 3, events), isHere))
    let isDone = false
    const all = Promise.all(works).then((names) => {
      isDone = true
      return names
    })
    while (!isDone) {
      events.push('other')
      await nextTurn()
    }
    assert.deepEqual(await all, ['a', 'b'])
    assert.deepEqual(
      events.filter((event) => event !== 'other'),
      ['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a ends', 'b ends'],
    )
    const together = events.filter((event, at) => /\d/.test(event) && /\d/.test(events[at - 1] ?? ''))
    assert.deepEqual(together, [])
  })

  it('wait for a place, and are refused when too many wait', async () => {
    const events: string[] = []
    const { take } = turns(systemClock)
    const works = Array.from({ length: 30 }, (_, at) => take(() => steps(`${at}-`, 0, events), isHere))
    const more = take(() => steps('more', 0, events), isHere)
    await assert.rejects(more, refusedWith('busy'))
    assert.equal((await Promise.all(works)).length, 30)
    assert.equal(await take(() => steps('later', 1, events), isHere), 'later')
  })

  it('fail alone', async () => {
    const events: string[] = []
    const { take } = turns(systemClock)
    const failing = take(function* () {
      yield
      throw new RangeError('no')
    }, isHere)
    const other = take(() => steps('other', 2, events), isHere)
    await assert.rejects(failing, RangeError)
    assert.equal(await other, 'other')
  })

  it('are given up when nobody waits for them any more, and let go of what they hold', async () => {
    const events: string[] = []
    const { take } = turns(systemClock)
    let isGone = false
    const given = take(
      () => steps('a', 100, events),
      () => isGone,
    )
    await nextTurn()
    await nextTurn()
    isGone = true
    await assert.rejects(given, refusedWith('busy'))
    assert.equal(events.at(-1), 'a ends')
    assert.ok(events.length < 100)
  })

  it('end when all is closed, begun or not', async () => {
    const events: string[] = []
    const { take, close } = turns(systemClock)
    const works = Array.from({ length: 5 }, () => take(() => steps('a', 100, events), isHere))
    const ended = Promise.allSettled(works)
    await nextTurn()
    await nextTurn()
    close()
    for (const each of await ended)
      assert.ok(each.status === 'rejected' && refusedWith('starting-up')(each.reason))
    await assert.rejects(
      take(() => steps('late', 1, events), isHere),
      refusedWith('starting-up'),
    )
    assert.equal(
      events.filter((event) => event === 'a ends').length,
      events.filter((event) => event === 'a1').length,
    )
  })
})
