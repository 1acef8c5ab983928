import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { judgedClock } from '../src/host/judged-clock.ts'
import { nothingKnown, type TimeSync } from '../src/host/time-sync.ts'
import { type HouseWithDoors, houseWithDoors, until } from './access/house-with-doors.ts'
import { monday, noTimeServer, type Reply, type TestOptions } from './appliance.ts'

const day = 86_400_000
const path = '/api/config/v1/clock'

let house: HouseWithDoors
afterEach(() => house.stop())

/** A box on its own, built the day before. */
const opened = (options: TestOptions = {}) =>
  houseWithDoors({ judge: (machine) => judgedClock(machine, monday - day), ...options })

/** A house that has worked on Monday, and whose clock shows another time after a power cut. */
async function wokenAt(shown: number, options: TestOptions = {}): Promise<void> {
  house = await opened(options)
  await house.ask('POST', '/api/v2/unit-types', once('before'))
  await house.restart(() => house.clock.set(shown))
}

const once = (code: string) => ({
  body: { code, name: 'Once' },
  headers: { 'Idempotency-Key': code },
})

const clock = async (): Promise<Record<string, unknown>> =>
  (await house.ask('GET', path)).body.data.attributes

async function status(): Promise<Reply['body']> {
  return (await house.ask('GET', '/api/v2/status')).body.data.attributes
}

async function tokenOf(role: string, scopes: string[] = []): Promise<string> {
  const body = { name: role, role, scopes }
  return (await house.ask('POST', '/api/config/v1/tokens', { body })).body.meta.token
}

/** As people at the box say it. */
const state = (date: string, time: string, token?: string, query = '') =>
  house.ask('POST', `${path}/actions/state${query}`, { body: { date, time }, ...(token && { token }) })

const wrongClocks: [name: string, shown: number, judgement: string][] = [
  ['in 1970', 0, 'behind'],
  ['a day behind the newest row', monday - day, 'behind'],
  ['400 days ahead', monday + 400 * day, 'ahead'],
]

for (const [name, shown, judgement] of wrongClocks)
  describe(`a box whose clock is ${name}`, () => {
    it('reads and plans, deletes nothing, makes no key, and reports that to kiosk and front desk', async () => {
      house = await opened()
      const { body } = await house.issue('201')
      await house.ask('POST', '/api/v2/unit-types', once('before'))
      await house.restart(() => house.clock.set(shown))
      const made = await house.ask('POST', '/api/v2/unit-types', once('after'))
      const at = Date.parse(made.body.data.attributes.createdAt)
      assert.ok(at >= monday && at < monday + day, made.text)
      house.clock.advance(2 * 3_600_000)
      const again = await house.ask('POST', '/api/v2/unit-types', once('before'))
      assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true'])
      assert.equal((await house.key(body.data.id)).status, 'live')
      const refused = await house.issue('201')
      assert.equal(refused.status, 503, refused.text)
      const [error] = refused.body.errors
      assert.deepEqual([error.code, error.meta.guest], ['clock-implausible', 'desk'])
      assert.match(error.detail, /state date and time/)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      const told = await status()
      const [check] = told.checks['clock:plausible']
      assert.deepEqual([told.status, told.clock.judgement], ['fail', judgement])
      assert.deepEqual([check.status, check.observedValue], ['fail', judgement])
      assert.match(check.output, /state date and time/)
      assert.equal((await house.ask('GET', '/readyz')).status, 200)
      assert.equal(house.journal('system.clock-implausible').length, 1)
    })

    it('makes keys again once a person has stated date and time', async () => {
      await wokenAt(shown)
      const stated = await state('2026-09-01', '09:30')
      assert.equal(stated.status, 200, stated.text)
      assert.partialDeepStrictEqual(stated.body.data.attributes, { judgement: 'plausible', stated: true })
      assert.match(stated.body.data.attributes.time, /^2026-09-01T08:30/)
      const made = await house.issue('201', { startDate: '2026-09-01', endDate: '2026-09-03' })
      assert.equal(made.status, 201, made.text)
      assert.equal((await status()).clock.judgement, 'plausible')
      const [line] = house.journal('system.clock-stated')
      assert.equal(line?.data.time, '2026-09-01T08:30:00.000Z')
      await house.restart()
      assert.partialDeepStrictEqual(await clock(), { judgement, stated: false }, 'until the next start')
    })

    it('makes keys again once a time server is heard', async () => {
      let synced = false
      const shownNow = () => house.clock.now()
      const timeSync = async () =>
        synced
          ? {
              ...nothingKnown,
              source: 'systemd-timesyncd' as const,
              skewMs: null,
              synced: true,
              syncedAt: shownNow(),
            }
          : noTimeServer()
      await wokenAt(shown, { timeSync })
      assert.equal((await house.issue('201')).status, 503)
      house.clock.set(monday + 300 * day)
      synced = true
      await house.restart()
      assert.equal((await clock()).judgement, 'plausible')
      assert.equal((await house.issue('201', { startDate: '2027-03-28', endDate: '2027-03-29' })).status, 201)
    })
  })

describe('a box that slept', () => {
  /** The start of the machine, and when it was, in monotonic milliseconds. */
  let boot: { id: string; since: number }
  const timeSync = async (): Promise<TimeSync> => ({
    ...nothingKnown,
    boot: { id: boot.id, upMs: house.clock.monotonic() - boot.since },
  })

  /** A house that has worked on Friday. Its machine starts again with the clock of Friday, as one without a battery does. */
  async function slept(): Promise<void> {
    boot = { id: 'first', since: -3_600_000 }
    let isOpen = false
    house = await opened({ timeSync: async () => (isOpen ? timeSync() : nothingKnown) })
    isOpen = true
    await house.ask('POST', '/api/v2/unit-types', once('before'))
    await house.restart(() => {
      boot = { id: 'second', since: house.clock.monotonic() - 60_000 }
    })
  }

  const doubt = async () => {
    const { timeConfirmed, checks } = await status()
    return [timeConfirmed, checks['clock:confirmed'][0].status, (await clock()).confirmed]
  }
  const shown = () => new Date(house.clock.now() + 3_600_000).toISOString()

  it('says so to kiosk and desk, makes keys all the same, and asks the desk once', async () => {
    await slept()
    assert.deepEqual(await doubt(), [false, 'warn', false])
    const kiosk = await house.ask('GET', '/api/v2/status', { token: await tokenOf('kiosk') })
    assert.deepEqual(
      [kiosk.body.data.attributes.timeConfirmed, kiosk.body.data.attributes.checks],
      [false, undefined],
    )
    assert.equal((await house.issue('201')).status, 201)
    const desk = await tokenOf('frontdesk')
    const other = await state(shown().slice(0, 10), '03:00', desk)
    assert.deepEqual([other.status, other.body.errors[0].meta.scope], [403, 'config.write'])
    const tried = await state(shown().slice(0, 10), shown().slice(11, 16), desk, '?dryRun=true')
    assert.deepEqual([tried.status, (await doubt())[0]], [200, false])
    const confirmed = await state(shown().slice(0, 10), shown().slice(11, 16), desk)
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.partialDeepStrictEqual(confirmed.body.data.attributes, { confirmed: true, stated: false })
    assert.deepEqual(await doubt(), [true, 'pass', true])
    house.clock.advance(60_000)
    await house.restart()
    assert.deepEqual(await doubt(), [true, 'pass', true], 'the machine has not started since')
    await house.restart(() => {
      boot = { id: 'third', since: house.clock.monotonic() }
    })
    assert.deepEqual(await doubt(), [false, 'warn', false], 'the machine was off again')
  })

  it('asks again after a restart when a person has stated another time than the one confirmed before', async () => {
    await slept()
    await state(shown().slice(0, 10), shown().slice(11, 16))
    const other = await state(shown().slice(0, 10), '03:00')
    assert.partialDeepStrictEqual(other.body.data.attributes, { stated: true, confirmed: true })
    await house.restart()
    assert.deepEqual(await doubt(), [false, 'warn', false])
  })

  it('and whose clock is set three days ahead while it runs says so too', async () => {
    await slept()
    await state(shown().slice(0, 10), shown().slice(11, 16))
    assert.equal((await doubt())[0], true)
    house.clock.set(house.clock.now() + 3 * day)
    await until('the doubt', doubt, ([isCertain]) => isCertain === false)
  })
})

describe('date and time', () => {
  it('are stated with two scopes', async () => {
    await wokenAt(0)
    const [frontdesk, installer, half] = [
      await tokenOf('frontdesk'),
      await tokenOf('installer'),
      await tokenOf('kiosk', ['clock.state']),
    ]
    assert.equal((await state('2026-09-01', '09:30', frontdesk)).status, 403)
    const refused = await state('2026-09-01', '09:30', half)
    assert.deepEqual([refused.status, refused.body.errors[0].meta.scope], [403, 'config.write'])
    assert.equal((await clock()).judgement, 'behind')
    assert.equal((await state('2026-09-01', '09:30', installer)).status, 200)
    assert.equal((await clock()).judgement, 'plausible')
  })

  it('are confirmed by the front desk in the second of two hours when the clocks go back', async () => {
    await wokenAt(0)
    assert.equal((await state('2026-10-24', '23:50')).status, 200)
    const { time } = await clock()
    assert.equal(String(time).slice(0, 16), '2026-10-24T22:50')
    house.clock.advance(160 * 60_000)
    for (const token of [await tokenOf('frontdesk'), undefined]) {
      const confirmed = await state('2026-10-25', '01:30', token)
      assert.equal(confirmed.status, 200, confirmed.text)
      assert.equal(confirmed.body.data.attributes.time.slice(0, 16), '2026-10-25T01:30')
    }
  })

  it('are not stated in a dry run, before the build, or in words', async () => {
    await wokenAt(0)
    assert.equal((await state('2026-09-01', '09:30', undefined, '?dryRun=true')).status, 200)
    const early = await state('2020-09-01', '09:30')
    assert.deepEqual([early.status, early.body.errors[0].source.pointer], [422, '/data/attributes/date'])
    assert.ok(early.body.errors[0].meta.earliest)
    assert.equal((await state('tomorrow', '09:30')).status, 422)
    assert.equal((await state('2026-09-01', '09:30:00+02:00')).status, 422)
    assert.equal((await clock()).judgement, 'behind')
  })

  it('may be earlier than the newest row, which was written under a wrong clock', async () => {
    await wokenAt(monday + 30 * day)
    await house.ask('POST', '/api/v2/unit-types', once('ahead'))
    house.clock.set(monday + day)
    await house.restart()
    assert.equal((await clock()).judgement, 'behind')
    assert.equal((await state('2026-06-02', '17:00')).status, 200)
    assert.equal((await house.issue('201')).status, 201)
    await house.restart()
    assert.equal((await clock()).judgement, 'plausible', 'what was written last counts')
  })
})

describe('a clock that jumps for a minute', () => {
  it('by a month, which is plausible, deletes no stored answer', async () => {
    house = await opened()
    await house.ask('POST', '/api/v2/unit-types', once('before'))
    const before = house.clock.now()
    house.clock.set(before + 30 * day)
    const again = await house.ask('POST', '/api/v2/unit-types', once('before'))
    assert.equal(again.headers.get('idempotency-replayed'), 'true', again.text)
    house.clock.set(before + 60_000)
    assert.equal((await clock()).judgement, 'plausible')
    const later = await house.ask('POST', '/api/v2/unit-types', once('before'))
    assert.equal(later.headers.get('idempotency-replayed'), 'true', later.text)
  })

  for (const jump of [365 * day, -365 * day])
    it(`by ${jump / day} days ends nothing, and needs nobody on site`, async () => {
      house = await opened()
      const { body } = await house.issue('201')
      await house.ask('POST', '/api/v2/unit-types', once('before'))
      const before = house.clock.now()
      house.clock.set(before + jump)
      await house.ask('POST', '/api/v2/unit-types', once('meanwhile'))
      assert.equal((await house.issue('202')).status, 503)
      house.clock.advance(60_000)
      house.clock.set(before + 60_000)
      for (const code of ['before', 'meanwhile']) {
        const again = await house.ask('POST', '/api/v2/unit-types', once(code))
        assert.equal(again.headers.get('idempotency-replayed'), 'true', code)
      }
      assert.equal((await house.key(body.data.id)).status, 'live')
      await until(
        'the next card',
        () => house.issue('202'),
        ({ status }) => status === 201,
      )
    })
})
