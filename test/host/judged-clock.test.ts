import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JudgedClock, judgedClock, type TimeEvidence } from '../../src/host/judged-clock.ts'
import { nothingKnown, type TimeSync } from '../../src/host/time-sync.ts'
import { type VirtualClock, virtualClock } from '../../src/host/virtual-clock.ts'
import { monday } from '../test-clock.ts'

const minute = 60_000
const day = 86_400_000
const year = 365 * day

interface Begun {
  machine: VirtualClock
  clock: JudgedClock
}

/** A box that shows `shown` when it starts, the last line having been written on Monday. */
function begun(shown: number, evidence: Partial<TimeEvidence> = {}): Begun {
  const machine = virtualClock(shown)
  const clock = judgedClock(machine, monday - 100 * day)
  clock.begin({ newestRow: monday, synchronisedAt: null, confirmedBoot: () => null, ...evidence })
  return { machine, clock }
}

const server = (syncedAt: number): TimeSync => ({
  ...nothingKnown,
  source: 'systemd-timesyncd',
  skewMs: null,
  synced: true,
  syncedAt,
})

const judgement = ({ clock }: Begun) => clock.judged().judgement

describe('a clock that at the start is', () => {
  const rows: [name: string, shown: number, evidence: Partial<TimeEvidence>, is: string][] = [
    ['where it was', monday, {}, 'plausible'],
    ['a little behind', monday - 5 * minute, {}, 'plausible'],
    ['behind the newest row', monday - 5 * minute - 1, {}, 'behind'],
    ['a day behind the newest row', monday - day, {}, 'behind'],
    ['in 1970', 0, {}, 'behind'],
    ['in 1970, on an empty store', 0, { newestRow: null }, 'behind'],
    ['behind the build date', monday - 101 * day, { newestRow: null }, 'behind'],
    ['behind the last time server', monday, { synchronisedAt: monday + day }, 'behind'],
    ['ahead by a closed month', monday + 45 * day, {}, 'plausible'],
    ['ahead by a season', monday + 45 * day + 1, {}, 'ahead'],
    ['ahead of a time server by a season', monday + 46 * day, { synchronisedAt: monday }, 'ahead'],
    ['long after the build, on an empty store', monday + year, { newestRow: null }, 'plausible'],
  ]
  for (const [name, shown, evidence, is] of rows)
    it(`${name} is ${is}`, () => {
      const house = begun(shown, evidence)
      assert.equal(judgement(house), is)
      assert.deepEqual(
        [house.clock.isPlausible(), house.clock.now() === shown],
        [is === 'plausible', is === 'plausible'],
      )
    })

  it('is not plausible before it was judged', () => {
    const clock = judgedClock(virtualClock(monday), monday)
    assert.deepEqual([clock.isPlausible(), clock.mayForget()], [false, false])
  })

  it('continues from the newest journal line while it is implausible', () => {
    for (const shown of [0, monday + year]) {
      const { machine, clock } = begun(shown)
      assert.equal(clock.now(), monday)
      machine.advance(90_000)
      assert.deepEqual([clock.now(), clock.isPlausible(), clock.mayForget()], [monday + 90_000, false, false])
    }
  })
})

const hour = 60 * minute
const boot = (id: string, upMs: number) => ({ id, upMs })

describe('the time of a box is', () => {
  interface Case {
    name: string
    /** What the store knows of a confirmation in the start `b`. */
    bootedAt?: number | null
    newestRow?: number | null
    seen: Partial<TimeSync>
    confirmed: boolean
  }
  const slept = { boot: boot('b', 5 * minute) }
  const rows: Case[] = [
    { name: 'doubtful after it was off, for however long', seen: slept, confirmed: false },
    {
      name: 'doubtful with a time server that was not heard',
      seen: { ...slept, synced: false },
      confirmed: false,
    },
    {
      name: 'doubtful with a battery-backed clock without a battery',
      seen: { ...slept, rtcAt: 300_000 },
      confirmed: false,
    },
    {
      name: 'doubtful with a battery-backed clock of another hour',
      seen: { ...slept, rtcAt: monday - hour },
      confirmed: false,
    },
    {
      name: 'certain with a battery-backed clock that agrees',
      seen: { ...slept, rtcAt: monday - minute },
      confirmed: true,
    },
    {
      name: 'certain once a time server is heard',
      seen: { ...slept, ...server(monday - minute), boot: slept.boot },
      confirmed: true,
    },
    {
      name: 'certain when it was confirmed in this start',
      bootedAt: monday - 5 * minute,
      seen: slept,
      confirmed: true,
    },
    {
      name: 'certain when the clock was corrected by minutes since',
      bootedAt: monday - 50 * minute,
      seen: slept,
      confirmed: true,
    },
    {
      name: 'doubtful when the clock was set ahead by days since',
      bootedAt: monday - 3 * day,
      seen: slept,
      confirmed: false,
    },
    {
      name: 'doubtful when the clock was set back by hours since',
      bootedAt: monday + 2 * hour,
      seen: slept,
      confirmed: false,
    },
    {
      name: 'certain on a box that has never written anything',
      newestRow: null,
      seen: slept,
      confirmed: true,
    },
    { name: 'certain where the kernel says nothing', seen: {}, confirmed: true },
  ]
  for (const { name, bootedAt = null, newestRow = monday, seen, confirmed } of rows)
    it(name, () => {
      const { clock } = begun(monday, { newestRow, confirmedBoot: (id) => (id === 'b' ? bootedAt : null) })
      clock.updateSync({ ...nothingKnown, ...seen })
      assert.equal(clock.judged().confirmed, confirmed)
      assert.equal(clock.isPlausible(), true)
    })

  it('certain after a sleep of the running machine, and doubtful after its clock was set', () => {
    const { machine, clock } = begun(monday)
    const look = (upMs: number) => clock.updateSync({ ...nothingKnown, boot: boot('b', upMs) })
    look(hour)
    clock.confirm()
    machine.set(monday + 8 * hour)
    look(9 * hour)
    assert.equal(clock.judged().confirmed, true)
    machine.set(monday + 80 * hour)
    look(9 * hour)
    assert.equal(clock.judged().confirmed, false)
    machine.set(monday + 8 * hour)
    look(9 * hour)
    assert.equal(clock.judged().confirmed, true)
  })

  it('not confirmed any more once a person states another time', () => {
    const { clock } = begun(monday)
    clock.updateSync({ ...nothingKnown, ...slept })
    clock.confirm()
    assert.ok(clock.confirmationToKeep())
    clock.state(monday + 3 * day)
    assert.deepEqual([clock.judged().confirmed, clock.confirmationToKeep()], [true, null])
  })

  it('not confirmed for the next start by another time that a person states', () => {
    const { clock } = begun(monday)
    clock.updateSync({ ...nothingKnown, ...slept })
    clock.state(monday + 3 * day)
    assert.deepEqual([clock.judged().confirmed, clock.confirmationToKeep()], [true, null])
  })
})

describe('a clock that runs', () => {
  it('is plausible however long it runs', () => {
    const { machine, clock } = begun(monday)
    for (let passed = 0; passed < 4; passed++) {
      machine.advance(year)
      assert.equal(clock.now(), machine.now())
      assert.deepEqual([clock.isPlausible(), clock.mayForget()], [true, true])
    }
  })

  it('does not follow a jump of a year, either way, and is plausible again after it', () => {
    for (const jump of [year, -year, -6 * minute]) {
      const { machine, clock } = begun(monday)
      machine.advance(day)
      machine.set(monday + day + jump)
      assert.deepEqual([clock.now(), clock.isPlausible(), clock.mayForget()], [monday + day, false, false])
      machine.advance(minute)
      assert.equal(clock.now(), monday + day + minute)
      machine.set(monday + day + minute)
      assert.deepEqual(
        [clock.now(), clock.isPlausible(), clock.mayForget()],
        [monday + day + minute, true, true],
      )
    }
  })

  it('deletes nothing for a day after a long step ahead, which may be undone meanwhile', () => {
    const { machine, clock } = begun(monday)
    machine.set(monday + 30 * day)
    assert.deepEqual([clock.now(), clock.isPlausible(), clock.mayForget()], [monday + 30 * day, true, false])
    machine.advance(minute)
    machine.set(monday + minute)
    assert.deepEqual([clock.now(), clock.isPlausible(), clock.mayForget()], [monday + minute, true, true])
    machine.set(monday + 30 * day)
    assert.equal(clock.isPlausible(), true)
    machine.advance(day)
    assert.equal(clock.mayForget(), true)
    machine.set(monday)
    assert.equal(clock.isPlausible(), false)
  })

  it('takes a step of some hours at once', () => {
    const { machine, clock } = begun(monday)
    machine.set(monday + day / 4)
    assert.deepEqual([clock.now(), clock.isPlausible(), clock.mayForget()], [monday + day / 4, true, true])
  })
})

describe('a time server', () => {
  it('ends the doubt, also when the newest row was written with a wrong clock', () => {
    for (const truth of [monday - 20 * day, monday + year]) {
      const house = begun(truth)
      assert.equal(house.clock.isPlausible(), false)
      assert.equal(house.clock.updateSync(server(truth)), true)
      assert.deepEqual([house.clock.isPlausible(), house.clock.now()], [true, truth])
      assert.equal(house.clock.updateSync(server(truth)), false, 'that was no news')
    }
  })

  it('is ignored before the build, before an earlier one, or when the clock was set by hand since', () => {
    const rows: [shown: number, heardAt: number, evidence?: Partial<TimeEvidence>][] = [
      [monday - 101 * day, monday - 101 * day],
      [monday - day, monday - day, { synchronisedAt: monday }],
      [monday + year, monday],
      [monday - 10 * day, monday],
    ]
    for (const [shown, heardAt, evidence] of rows) {
      const house = begun(shown, evidence)
      assert.equal(house.clock.updateSync(server(heardAt)), false)
      assert.equal(house.clock.isPlausible(), false)
    }
  })

  it('confirms a long step', () => {
    const { machine, clock } = begun(monday)
    machine.set(monday + 30 * day)
    assert.equal(clock.mayForget(), false)
    clock.updateSync(server(monday + 30 * day))
    assert.equal(clock.mayForget(), true)
    machine.set(monday)
    assert.equal(clock.isPlausible(), false)
  })
})

describe('a time that a person has stated', () => {
  it('is valid until a time server is heard', () => {
    const { machine, clock } = begun(0)
    clock.state(monday + 200 * day)
    assert.partialDeepStrictEqual(clock.judged(), { judgement: 'plausible', stated: true, machine: 0 })
    machine.advance(day)
    machine.set(77)
    assert.deepEqual([clock.now(), clock.isPlausible(), clock.mayForget()], [monday + 201 * day, true, true])
    machine.set(monday + 202 * day)
    clock.updateSync(server(monday + 202 * day))
    assert.partialDeepStrictEqual(clock.judged(), { judgement: 'plausible', stated: false })
    assert.equal(clock.now(), monday + 202 * day)
  })

  it('may be earlier than the newest row', () => {
    const { clock } = begun(monday - 20 * day)
    clock.state(monday - 20 * day)
    assert.deepEqual([clock.isPlausible(), clock.now()], [true, monday - 20 * day])
  })
})
