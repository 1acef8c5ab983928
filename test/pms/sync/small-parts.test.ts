import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { virtualClock } from '../../../src/host/virtual-clock.ts'
import { newsQueue } from '../../../src/pms/sync/inbound/news.ts'
import { backOffMs } from '../../../src/pms/sync/loop/holds.ts'
import type { Linked } from '../../../src/pms/sync/loop/linked.ts'
import { eachOf } from '../../../src/pms/sync/loop/turn.ts'
import { offeredValue } from '../../../src/pms/sync/outbound/offered-value.ts'
import { isSetUp } from '../../../src/pms/sync/quarantine/journal-tail.ts'
import { retriesOf } from '../../../src/pms/sync/quarantine/retry.ts'
import type { SharedReservation } from '../../../src/pms/sync/shared-reservation.ts'
import { datesInWords } from '../../../src/reservation/stays/rules/dates-in-words.ts'
import type { JournalLine } from '../../../src/resource/keeper.ts'
import { reported } from './played-pms.ts'
import { intentsBetween } from './shared-samples.ts'

describe('The pause after a failure', () => {
  it('grows from 1 s to 60 s, and half of it is left to chance', () => {
    const shortest = [1, 2, 3, 4, 5, 6, 7, 50].map((failures) => backOffMs(failures, 0))
    const longest = [1, 2, 3, 4, 5, 6, 7, 50].map((failures) => backOffMs(failures, 1))
    assert.deepEqual(shortest, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
    assert.deepEqual(longest, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  })

  it('is never shorter than the other side asked for, up to an hour', () => {
    assert.equal(backOffMs(1, 0, 120), 120_000)
    assert.equal(backOffMs(7, 0, 5), 30_000)
    assert.equal(backOffMs(1, 0, 1_000_000), 3_600_000)
  })
})

describe('A retry of what is quarantined', () => {
  it('that fails is made again after its pause', async () => {
    const clock = virtualClock(0)
    let calls = 0
    const reader = {
      rows: () => {
        if (++calls === 1) throw new Error('the disk is full')
        return []
      },
    }
    const link = { reader, configuration: { id: '' }, isOver: () => false } as unknown as Linked
    let turns = 0
    const retries = retriesOf(link, { clock, due: () => turns++ })
    await assert.rejects(retries.whenDue(), /disk is full/)
    await retries.whenDue()
    assert.deepEqual([calls, turns], [1, 0])
    clock.advance(500)
    clock.fire()
    await retries.whenDue()
    assert.deepEqual([calls, turns], [2, 1])
  })
})

describe('Work for each of many', () => {
  it('is done in order, so many at once, and all of it', async () => {
    const begun: number[] = []
    let [now, most] = [0, 0]
    await eachOf([...Array(50).keys()], 4, async (item) => {
      begun.push(item)
      most = Math.max(most, ++now)
      await null
      now--
    })
    assert.deepEqual(begun, [...Array(50).keys()])
    assert.equal(most, 4)
  })

  it('ends with the first failure, after what was begun', async () => {
    const done: number[] = []
    const work = eachOf([...Array(50).keys()], 4, async (item) => {
      if (item === 2) throw new Error('two')
      await null
      done.push(item)
    })
    await assert.rejects(work, /two/)
    assert.ok(done.includes(3) && done.length < 10, String(done))
  })
})

describe('News that wait', () => {
  const page = (count: number) => ({
    changes: Array(count).fill({}),
    refused: [],
    cursor: '1',
    more: false,
    previous: null,
  })

  it('are forgotten all together when there are too many', () => {
    const queue = newsQueue()
    for (let number = 0; number < 50; number++) assert.equal(queue.add(page(1)), true)
    assert.equal(queue.add(page(1)), false)
    assert.equal(queue.isEmpty(), true)
    assert.equal(queue.add(page(5_000)), true)
    assert.equal(queue.add(page(1)), false)
  })
})

describe('What lines of the journal are about', () => {
  const line = (type: string, subject: string, more: Partial<JournalLine> = {}): JournalLine => ({
    sequence: 1,
    at: 0,
    type,
    subject,
    data: {},
    actor: 'desk',
    requestId: null,
    ...more,
  })

  const changed = (...names: string[]) => ({ data: { changed: names } })
  for (const [what, each, expected] of [
    ['a new unit', line('unit.created', 'units/u1'), true],
    ['a unit with another name', line('unit.changed', 'units/u1', changed('floor', 'name')), true],
    ['a unit of another type', line('unit.changed', 'units/u1', changed('unitTypeId')), true],
    ['a unit that was cleaned', line('unit.status-changed', 'units/u1'), false],
    ['what follows from that', line('unit.changed', 'units/u1', changed('status', 'idleSince')), false],
    ['a unit that is gone', line('unit.deleted', 'units/u1'), false],
    ['a rate plan with another code', line('rate-plan.changed', 'rate-plans/p1', changed('code')), true],
    ['a rate plan with other prices', line('rate-plan.changed', 'rate-plans/p1', changed('prices')), false],
    ['settings', line('settings.changed', 'settings/s1', changed('timeZone')), true],
  ] as const)
    it(`says of ${what} ${expected ? 'that' : 'not that'} a message may have lacked it`, () => {
      assert.equal(isSetUp(each), expected)
    })

  it('is nothing of a unit that is cleaned again and again', () => {
    const lines = Array.from({ length: 100 }, () => line('unit.status-changed', 'units/u1'))
    assert.equal(lines.some(isSetUp), false)
  })
})

const changedPointers = (base: SharedReservation | null, view: SharedReservation) =>
  offeredValue({ base, here: view, intents: intentsBetween(base, view), accepts: null }).changed

describe('What differs from what a PMS has', () => {
  const known = () => {
    const value = reported('R1', {
      localId: 's1',
      guests: [{ localId: 'g1', role: 'PrimaryGuest', firstName: 'Ada', lastName: 'Kern' }],
    })
    return { ...value, payments: [] }
  }
  const paid = {
    id: 'y1',
    stayLocalId: null,
    currency: 'EUR',
    amount: 1,
    brand: 'Cash',
    recordedAt: '2026-06-01T00:00:00Z',
    voidedAt: null,
  }

  it('is named by its place in the value', () => {
    const value = known()
    value.stays[0]!.comment = 'Quiet.'
    value.stays[0]!.guests![0]!.lastName = 'Wed'
    assert.deepEqual(changedPointers(known(), value).sort(), [
      '/stays/0/comment',
      '/stays/0/guests/0/lastName',
    ])
  })

  it('is the whole where the PMS has nothing, and nothing where both have the same', () => {
    assert.deepEqual(changedPointers(null, known()), [''])
    assert.deepEqual(changedPointers(known(), known()), [])
  })

  it('is the list where an item is gone from it', () => {
    const base = known()
    base.stays.push({ ...reported('R1').stays[0]!, localId: 's2', externalId: 'R1/2' })
    assert.deepEqual(changedPointers(base, known()), ['/stays'])
  })

  it('has the payments in it where there is one to record, whatever the PMS has of others', () => {
    const { payments: _, ...base } = known()
    const here = { ...known(), payments: [paid] }
    const input = { base, here, intents: intentsBetween(base, base), accepts: null }
    assert.deepEqual(offeredValue({ ...input, isPaid: true }).changed, ['/payments'])
    assert.deepEqual(offeredValue(input).changed, [])
  })
})

describe('Dates in words', () => {
  it('say what is needed to know them', () => {
    assert.equal(datesInWords('2026-07-01', '2026-07-03'), '1 to 3 July')
    assert.equal(datesInWords('2026-06-30', '2026-07-02'), '30 June to 2 July')
    assert.equal(datesInWords('2026-12-30', '2027-01-02'), '30 December 2026 to 2 January 2027')
    assert.equal(datesInWords('2026-07-01', '2026-07-01'), '1 July')
  })
})
