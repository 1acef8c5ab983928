import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { DeviceFault } from '../../src/devices/fault.ts'
import { longestRoundingMs, type OnlineGrant, type OnlineKey } from '../../src/devices/lock-system.ts'
import type { Clock } from '../../src/host/clock.ts'
import { eventually } from '../eventually.ts'
import fc from '../seed.ts'
import {
  berlin,
  call,
  fault,
  grantFor,
  held,
  type LockBench,
  type LockDeed,
  type LockUnderTest,
  setupBasics,
  toldOf,
} from './lock-system-bench.ts'

/** Milliseconds, far more than anything healthy takes: who waits for that instead of what happened is caught. */
const notWaiting = 30_000

/** What every driver of an online lock system must keep, shown against its simulator. */
export function lockSystemContract(name: string, under: LockUnderTest): void {
  const { clock, codes = {}, cannot = [], shortMs = 800 } = under
  const [here, there] = under.locks

  async function bench(test: TestContext): Promise<LockBench> {
    const made = await under.setUp({ ...setupBasics, clock })
    test.after(() => made.close())
    return made
  }

  const grant = (over: Partial<OnlineGrant> = {}) => grantFor(under, over)

  /** How the only key of a lock is called; null when there is none. */
  function keyAt({ keysAt }: LockBench, lock: string): string | null | undefined {
    const keys = keysAt(lock)
    assert.ok(keys.length <= 1, `${lock} is opened by ${keys.length} keys`)
    return keys.length === 0 ? null : keys[0]!.told
  }

  /** The line is of use again: the next key is made, and is what the lock knows. */
  async function goesOn(made: LockBench): Promise<void> {
    const key = await made.system.create(grant({ lock: there, encoder: under.encoders[1] }), call())
    assert.ok(made.keysAt(there).some(({ told }) => told === toldOf(key)))
  }

  async function withoutWaiting(work: () => Promise<void>): Promise<void> {
    const before = clock.monotonic()
    await work()
    assert.ok(clock.monotonic() - before < notWaiting)
  }

  function whenIt(
    deed: LockDeed,
    title: string,
    test: (made: LockBench, test: TestContext) => Promise<void>,
  ) {
    if (cannot.includes(deed)) return
    it(title, { timeout: notWaiting }, async (context) => {
      const made = await bench(context)
      made.next(deed)
      await withoutWaiting(() => test(made, context))
    })
  }

  endsAtLocks(name, under)

  describe(`${name} makes keys`, () => {
    it('says what it can do, and is what it says', async (test) => {
      const { system } = await bench(test)
      const { operations, keyTypes, limits } = system.traits()
      assert.ok(operations.create)
      assert.ok(keyTypes.length > 0)
      assert.equal(Boolean(operations.revoke), system.revoke !== undefined)
      assert.equal(Boolean(operations.read), system.read !== undefined)
      assert.equal(
        Boolean(operations['update-dates'] || operations['update-unit']),
        system.change !== undefined,
      )
      assert.ok(limits.maxExtraUnits >= 0)
      assert.equal(system.state().line, 'online')
    })

    it('one that opens its lock and no other', async (test) => {
      const made = await bench(test)
      const key = await made.system.create(grant(), call())
      assert.equal(keyAt(made, here), toldOf(key))
      assert.deepEqual(made.keysAt(there), [])
      assert.equal(made.requests(), 1)
    })

    it('an original that ends what was there before, or does not', async (test) => {
      const made = await bench(test)
      const first = await made.system.create(grant(), call())
      const second = await made.system.create(grant(), call())
      const told = made.keysAt(here).map((key) => key.told)
      assert.deepEqual(told.sort(), (under.originalReplaces ? [second] : [first, second]).map(toldOf).sort())
    })

    it('a copy beside its original', async (test) => {
      const made = await bench(test)
      if (!made.system.traits().operations.copy) return test.skip('does not apply: it makes no copies')
      const original = grant()
      const keys: OnlineKey[] = []
      keys.push(await made.system.create(original, call()))
      keys.push(await made.system.create({ ...original, copy: true, credential: 77 }, call()))
      const told = made.keysAt(here).map((key) => key.told)
      assert.equal(new Set(told).size, 2, 'two keys, told apart')
      assert.deepEqual(told.sort(), keys.map(toldOf).sort())
    })

    it('one for a single time', async (test) => {
      const made = await bench(test)
      const { operations } = made.system.traits()
      if (!operations['one-shot']) return test.skip('does not apply: it makes none')
      const until = clock.now() + 3_600_000
      const oneShot = grant({ usage: 'OneShot', validFrom: clock.now() - 60_000, validUntil: until })
      assert.equal(made.system.grantProblem(oneShot), null)
      await made.system.create(oneShot, call())
      assert.equal(made.keysAt(here).length, 1)
    })

    it('nothing that it says it cannot make', async (test) => {
      const { system, requests } = await bench(test)
      const asked: [string | null, boolean][] = [
        [under.driver.lockCodeProblem(here, {}), true],
        [under.driver.lockCodeProblem(under.notALock, {}), false],
        [system.grantProblem(grant()), true],
      ]
      for (const [problem, fine] of asked) assert.equal(problem === null, fine, String(problem))
      const { unknownAuthorization } = under
      assert.equal(system.authorizations === null, unknownAuthorization === null)
      if (unknownAuthorization !== null)
        assert.ok(system.grantProblem(grant({ authorizations: [unknownAuthorization] })))
      assert.equal(requests(), 0, 'nobody was asked')
    })

    for (const [title, validFrom, validUntil] of [
      ['that ends in the hour that is skipped', '2027-03-26T15:00', '2027-03-28T02:30'],
      ['that ends after the hour that is skipped', '2027-03-27T15:00', '2027-03-28T03:30'],
      ['that ends in the hour that comes twice', '2027-10-29T15:00', '2027-10-31T02:30'],
      ['that begins in the hour that comes twice', '2027-10-31T02:15', '2027-11-02T11:00'],
      ['over both', '2027-03-01T15:00', '2027-12-01T11:00'],
      ['of odd seconds', '2027-05-01T15:00:29', '2027-05-03T11:00:31'],
    ] as const)
      it(`a window ${title}, and never a shorter one`, async (test) => {
        const made = await bench(test)
        const window = {
          validFrom: berlin(validFrom, 'start'),
          validUntil: berlin(validUntil, 'end'),
        }
        await made.system.create(grant(window), call())
        const [at] = made.keysAt(here)
        const early = window.validFrom - at!.validFrom
        const late = at!.validUntil - window.validUntil
        // An hour more, because a clock that shows an hour twice cannot say which of the two is meant.
        const { start, end } = under.slackMs
        assert.ok(early >= 0 && early <= start + 3_600_000, `it begins ${early} ms early`)
        assert.ok(late >= 0 && late <= end + 3_600_000, `it ends ${late} ms late`)
      })

    it('for two callers at once, and mixes nothing up', async (test) => {
      const made = await bench(test)
      const [one, other] = await Promise.all([
        made.system.create(grant(), call()),
        made.system.create(grant({ lock: there, encoder: under.encoders[1] }), call()),
      ])
      assert.equal(keyAt(made, here), toldOf(one))
      assert.equal(keyAt(made, there), toldOf(other))
    })

    it('for many callers at one encoder: each gets his own, or is told that it is busy', async (test) => {
      const made = await bench(test)
      const asked = Array.from({ length: 40 }, (_, index) =>
        made.system.create(grant({ lock: index % 2 ? there : here }), call()),
      )
      const ended = await Promise.allSettled(asked)
      const keys = ended.filter((each) => each.status === 'fulfilled').map(({ value }) => toldOf(value))
      for (const each of ended) {
        if (each.status === 'rejected')
          assert.ok(each.reason instanceof DeviceFault && !each.reason.outcomeUnknown, String(each.reason))
      }
      assert.ok(keys.length > 0)
      assert.equal(made.requests(), keys.length, 'who was refused has reached nobody')
      assert.equal(new Set(keys).size, keys.length, 'no two got the same key')
      await goesOn(made)
    })
  })

  describe(`${name} changes and takes keys`, () => {
    it('takes a key back', async (test) => {
      const made = await bench(test)
      if (!made.system.revoke) return test.skip('does not apply: it revokes nothing')
      const asked = grant()
      const key = await made.system.create(asked, call())
      await made.system.revoke(held(asked, key), call())
      assert.deepEqual(made.keysAt(here), [])
    })

    it('takes as much as it says', async (test) => {
      const made = await bench(test)
      const { operations } = made.system.traits()
      if (!made.system.revoke || !operations.copy)
        return test.skip('does not apply: it makes no copies, or takes nothing back')
      const original = grant()
      const key = await made.system.create(original, call())
      const copy = await made.system.create({ ...original, copy: true, credential: 78 }, call())
      await made.system.revoke(held(original, key), call())
      const left = made.keysAt(here).map(({ told }) => told)
      assert.deepEqual(left, made.system.revokes === 'key' ? [toldOf(copy)] : [])
    })

    it('makes a key longer without a card', async (test) => {
      const made = await bench(test)
      if (!made.system.change || !made.system.traits().operations['update-dates'])
        return test.skip('does not apply: it needs a card')
      const asked = grant()
      const key = await made.system.create(asked, call())
      const longer = { ...asked, validUntil: asked.validUntil + 86_400_000 }
      await made.system.change(held(asked, key), longer, call())
      const [at] = made.keysAt(here)
      assert.ok(at!.validUntil >= longer.validUntil)
      assert.ok(at!.validUntil <= longer.validUntil + under.slackMs.end)
    })

    it('moves a key to another lock without a card', async (test) => {
      const made = await bench(test)
      if (!made.system.change || !made.system.traits().operations['update-unit'])
        return test.skip('does not apply: it needs a card')
      const asked = grant()
      const key = await made.system.create(asked, call())
      await made.system.change(held(asked, key), { ...asked, lock: there }, call())
      assert.deepEqual(made.keysAt(here), [])
      assert.equal(made.keysAt(there).length, 1)
    })

    it('is not sure of a key taken back without an answer', { timeout: notWaiting }, async (test) => {
      const made = await bench(test)
      if (!made.system.revoke || cannot.includes('lose-answer'))
        return test.skip('does not apply: it cannot come to this')
      const asked = grant()
      const key = await made.system.create(asked, call())
      made.next('lose-answer')
      const revoked = made.system.revoke(held(asked, key), call(shortMs))
      await withoutWaiting(() => assert.rejects(revoked, fault('lock-system-timeout', true)))
      assert.equal(made.requests(), 2)
    })
  })

  describe(`${name} when the lock system misbehaves`, () => {
    whenIt('busy', 'is busy: nothing was done, and nothing is tried again', async (made) => {
      await assert.rejects(
        made.system.create(grant(), call()),
        fault(codes.busy ?? 'lock-system-busy', false),
      )
      assert.deepEqual(made.keysAt(here), [])
      assert.equal(made.requests(), 1)
      await goesOn(made)
    })

    whenIt('refuse', 'refuses: nothing was done, and its own code is told', async (made) => {
      await assert.rejects(made.system.create(grant(), call()), (error) => {
        assert.ok(fault(codes.refuse ?? 'lock-system-rejected', false)(error))
        assert.ok((error as DeviceFault).vendorCode, 'its own code')
        return true
      })
      assert.deepEqual(made.keysAt(here), [])
      assert.equal(made.requests(), 1)
      await goesOn(made)
    })

    whenIt('strange', 'answers with a code that nobody knows: it keeps its number', async (made) => {
      await assert.rejects(made.system.create(grant(), call()), (error) => {
        assert.ok(fault('vendor-error', true)(error))
        assert.equal((error as DeviceFault).vendorCode, under.strangeCode)
        return true
      })
      assert.equal(made.requests(), 1)
      await goesOn(made)
    })

    for (const [deed, isDone] of [
      ['lose-request', false],
      ['lose-answer', true],
    ] as const)
      whenIt(deed, `meets ${deed}: nobody knows, and nothing is asked twice`, async (made) => {
        const asked = grant()
        await assert.rejects(made.system.create(asked, call(shortMs)), fault('lock-system-timeout', true))
        assert.equal(made.keysAt(here).length, isDone ? 1 : 0)
        assert.equal(made.requests(), 1)
        if (made.system.find) {
          const found = await made.system.find(asked, call())
          assert.equal(found && toldOf(found), keyAt(made, here))
        }
        await goesOn(made)
      })

    for (const [deed, isDone] of [
      ['cut-before', false],
      ['cut-after', true],
    ] as const)
      whenIt(deed, `meets ${deed}: nobody knows, and it comes back by itself`, async (made) => {
        await assert.rejects(made.system.create(grant(), call()), fault('lock-system-timeout', true))
        assert.equal(made.keysAt(here).length, isDone ? 1 : 0)
        await made.plug()
        assert.equal(made.requests(), 1, 'what was under way is not sent again')
        await goesOn(made)
      })

    whenIt('late', 'gets an answer too late: it is not taken for another’s', async (made) => {
      await assert.rejects(made.system.create(grant(), call(shortMs)), fault('lock-system-timeout', true))
      const late = keyAt(made, here)
      made.release()
      const key = await made.system.create(grant({ lock: there }), call())
      assert.notEqual(toldOf(key), late)
      assert.equal(keyAt(made, there), toldOf(key))
    })

    whenIt('late', 'gets an answer too late, while the next waits for his', async (made) => {
      await assert.rejects(made.system.create(grant(), call(shortMs)), fault('lock-system-timeout', true))
      const late = keyAt(made, here)
      const next = made.system.create(grant({ lock: there }), call())
      made.release()
      const key = await next
      assert.notEqual(toldOf(key), late)
      assert.equal(keyAt(made, there), toldOf(key))
    })

    it('is unplugged: nothing was done, and it is used again once it is back', async (test) => {
      const made = await bench(test)
      await made.unplug()
      await assert.rejects(
        made.system.create(grant(), call(shortMs)),
        fault('lock-system-unreachable', false),
      )
      assert.equal(made.requests(), 0)
      await made.plug()
      await goesOn(made)
      assert.equal(made.system.state().line, 'online')
    })

    it('is not asked for somebody who has left', async (test) => {
      const made = await bench(test)
      const refused = made.system.create(grant(), call(20_000, AbortSignal.abort()))
      await assert.rejects(refused, (error) => error instanceof DeviceFault && !error.outcomeUnknown)
      assert.equal(made.requests(), 0)
      await goesOn(made)
    })

    whenIt('lose-request', 'is closed while a call is open', async (made) => {
      const open = made.system.create(grant(), call())
      const ended = assert.rejects(open, fault('lock-system-timeout', true))
      await until(clock, () => made.requests() === 1)
      await made.system.close()
      await ended
      await assert.rejects(made.system.create(grant(), call()), fault('lock-system-unreachable', false))
      assert.equal(made.requests(), 1)
    })
  })
}

/** Ends of keys on ordinary days and around both clock changes of 2027 in Berlin: a day, and minutes and seconds of it. */
const anyEnd = fc
  .tuple(
    fc.constantFrom('2027-03-27', '2027-03-28', '2027-05-03', '2027-10-30', '2027-10-31', '2027-12-31'),
    fc.integer({ min: 0, max: 86_399 }),
  )
  .map(([day, seconds]) => berlin(`${day}T00:00`, 'end') + seconds * 1_000)

/** What a driver says of the end of a key is what the locks of its simulator do. */
export function endsAtLocks(name: string, under: LockUnderTest): void {
  const lock = under.locks[0]
  const moreMs = fc.array(fc.integer({ min: 0, max: 2 * 86_400_000 }))

  async function expectEnd(made: LockBench, grant: OnlineGrant, more: readonly number[]): Promise<void> {
    const end = grant.validUntil
    await made.system.create(grant, call())
    const ends = made.system.endsAt(grant)
    assert.ok(ends !== null && ends >= end && ends <= end + longestRoundingMs, `${ends} for ${end}`)
    for (const later of [0, 1, 60_000, 3_600_000, ...more])
      assert.equal(made.opensAt(lock, ends + later), false, `${later} ms after ${ends}`)
    assert.ok(made.opensAt(lock, end - 1), 'it opens to the end that was asked')
    for (const { validUntil } of made.keysAt(lock)) assert.ok(ends >= validUntil)
  }

  describe(`${name} says when a key ends`, () => {
    for (const usage of ['Guest', 'OneShot'] as const)
      it(`at its lock, which opens no longer then: ${usage}`, async () => {
        await fc.assert(
          fc.asyncProperty(anyEnd, moreMs, async (validUntil, more) => {
            const made = await under.setUp({ ...setupBasics, clock: under.clock })
            const grant = grantFor(under, { usage, validFrom: validUntil - 3_600_000, validUntil })
            const isMade = usage === 'Guest' || made.system.traits().operations['one-shot'] !== undefined
            await (isMade ? expectEnd(made, grant, more) : null)
            await made.close()
          }),
          { numRuns: 12 },
        )
      })
  })
}

/** Looks again and again, for at most a minute of the clock. */
export async function until(clock: Clock, isSo: () => boolean): Promise<void> {
  const end = clock.monotonic() + 60_000
  const isOver = () => isSo() || clock.monotonic() > end
  await eventually(String(isSo), isOver, Boolean, { firstMs: 10, mostMs: 10, pass: (ms) => clock.sleep(ms) })
  assert.ok(isSo(), `not within a minute of the clock: ${isSo}`)
}
