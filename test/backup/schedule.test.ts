import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { BackupReason } from '../../src/backup/backup-files.ts'
import type { Backups, BackupsOptions } from '../../src/backup/backups.ts'
import { nightly } from '../../src/backup/nightly.ts'
import { scheduledDay } from '../../src/backup/schedule.ts'
import type { BackgroundWork } from '../../src/host/background-work.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { localDate, localTime } from '../../src/host/zone.ts'
import fc from '../seed.ts'

const minute = 60_000
const data = mkdtempSync(join(tmpdir(), 'schedule-'))
after(() => rmSync(data, { recursive: true }))

/** A box that looks for a due backup as often as it is let, and remembers when it made each. */
function box(start: string, house: { at: string; zone: string }) {
  const clock = virtualClock(Date.parse(start))
  const made: number[] = []
  let look = async () => {}
  const backups: Pick<Backups, 'isUnderWay' | 'state' | 'hasOneOf' | 'make'> = {
    isUnderWay: () => false,
    state: async () => ({ hasKey: true, lastBackupAt: null, ahead: null, problem: null }),
    hasOneOf: async ({ from, until }) => made.some((takenAt) => takenAt >= from && takenAt < until),
    async make(reason: BackupReason) {
      made.push(clock.now())
      return { id: '', name: '', reason, takenAt: clock.now(), bytes: 1 }
    },
  }
  const options = {
    data,
    clock,
    schedule: () => ({ at: house.at, daily: 1, weekly: 1, monthly: 1 }),
    zone: () => house.zone,
  } satisfies Pick<BackupsOptions, 'data' | 'clock' | 'schedule' | 'zone'>
  const background = {
    every(_: string, __: number, run: () => Promise<void>) {
      look = run
      return { close: async () => {} }
    },
  } as unknown as BackgroundWork
  const restart = () => nightly(backups as Backups, { ...options, background })
  restart()
  return {
    clock,
    house,
    restart,
    /** The local times of the backups. */
    shown: () => made.map((at) => `${localDate(at, house.zone)} ${localTime(at, house.zone)}`),
    /** Lets the box look until then. `isCut`: it has a power cut before each look. */
    async until(end: string, { everyMs = 15 * minute, isCut = false } = {}) {
      for (; clock.now() < Date.parse(end); clock.advance(everyMs)) {
        if (isCut) restart()
        await look()
      }
    },
    look: () => look(),
  }
}

/** The backups of three days around a clock change, by a clock on the wall. */
const changes: [zone: string, at: string, start: string, end: string, shown: string[]][] = [
  [
    'Europe/Lisbon',
    '23:45',
    '2026-10-24T22:45:00Z',
    '2026-10-26T23:45:00Z',
    ['2026-10-24 23:45', '2026-10-25 23:45'],
  ],
  [
    'Europe/Lisbon',
    '23:45',
    '2026-03-28T23:45:00Z',
    '2026-03-30T22:45:00Z',
    ['2026-03-28 23:45', '2026-03-29 23:45'],
  ],
  [
    'Europe/Lisbon',
    '01:30',
    '2026-03-28T01:30:00Z',
    '2026-03-30T01:30:00Z',
    ['2026-03-28 01:30', '2026-03-29 02:00', '2026-03-30 01:30'],
  ],
  [
    'Europe/Lisbon',
    '01:30',
    '2026-10-24T00:30:00Z',
    '2026-10-27T00:00:00Z',
    ['2026-10-24 01:30', '2026-10-25 01:30', '2026-10-26 01:30'],
  ],
  [
    'Atlantic/Azores',
    '00:15',
    '2026-03-28T01:15:00Z',
    '2026-03-30T01:15:00Z',
    ['2026-03-28 00:15', '2026-03-29 01:00', '2026-03-30 00:15'],
  ],
  [
    'America/Nuuk',
    '23:30',
    '2026-03-28T01:30:00Z',
    '2026-03-30T01:30:00Z',
    ['2026-03-27 23:30', '2026-03-29 00:00', '2026-03-29 23:30'],
  ],
  [
    'Australia/Lord_Howe',
    '02:15',
    '2026-10-02T15:45:00Z',
    '2026-10-05T00:00:00Z',
    ['2026-10-03 02:15', '2026-10-04 02:30', '2026-10-05 02:15'],
  ],
]

describe('A nightly backup', () => {
  for (const [zone, at, start, end, shown] of changes) {
    it(`at ${at} in ${zone} is made once a day from ${start} to ${end}`, async () => {
      const { until, shown: found } = box(start, { at, zone })
      await until(end)
      assert.deepEqual(found(), shown)
    })
  }

  it('is made once for every date, at any time in any zone, also with a power cut before each look', async () => {
    const zones = fc.constantFrom(...new Set(changes.map(([zone]) => zone)), 'Europe/Berlin', 'Africa/Cairo')
    const times = fc
      .integer({ min: 0, max: 95 })
      .map((quarter) => new Date(quarter * 15 * minute).toISOString().slice(11, 16))
    const days = fc.integer({ min: 0, max: 365 }).map((day) => Date.UTC(2026, 0, 1 + day, 12))
    await fc.assert(
      fc.asyncProperty(zones, times, days, fc.boolean(), async (zone, at, noon, isCut) => {
        const { clock, look, until, shown } = box(new Date(noon).toISOString(), { at, zone })
        await look()
        const start = localDate(noon, zone)
        await until(new Date(noon + 4 * 24 * 60 * minute).toISOString(), { isCut })
        const dates = shown()
          .slice(1)
          .map((text) => text.slice(0, 10))
        const { date } = scheduledDay(clock.now(), at, zone)
        assert.ok(dates.length === 4 || dates.length === 3 || dates.length === 5, shown().join())
        assert.equal(new Set(dates).size, dates.length, `${at} ${zone} from ${start} to ${date}: ${shown()}`)
      }),
      { numRuns: 40 },
    )
  })

  it('is made after a night without power, and again at the next scheduled time', async () => {
    const one = box('2026-06-01T02:30:00Z', { at: '03:30', zone: 'Europe/Lisbon' })
    await one.look()
    one.clock.set(Date.parse('2026-06-02T09:00:00Z'))
    one.restart()
    await one.until('2026-06-03T03:00:00Z')
    assert.deepEqual(one.shown(), ['2026-06-01 03:30', '2026-06-02 10:00', '2026-06-03 03:30'])
  })

  it('is not repeated on the same date in another time zone', async () => {
    for (const [from, to] of [
      ['Europe/Lisbon', 'Atlantic/Azores'],
      ['UTC', 'America/New_York'],
      ['Atlantic/Azores', 'Europe/Lisbon'],
      ['Europe/Berlin', 'Europe/London'],
      ['Asia/Tokyo', 'Asia/Kolkata'],
    ] as const) {
      const one = box('2026-06-01T00:00:00Z', { at: '13:30', zone: from })
      await one.look()
      await one.until('2026-06-02T14:00:00Z')
      one.house.zone = to
      const before = one.shown().length
      await one.until('2026-06-03T00:00:00Z')
      assert.equal(one.shown().length, before, `${from} to ${to}: ${one.shown()}`)
    }
  })

  it('is not repeated where the clock is set back', async () => {
    for (const back of [minute, 10 * minute, 60 * minute, 24 * 60 * minute, 30 * 60 * minute]) {
      const one = box('2026-06-01T02:35:00Z', { at: '03:30', zone: 'Europe/Lisbon' })
      await one.until('2026-06-03T02:37:00Z')
      const before = one.shown().length
      one.clock.set(one.clock.now() - back)
      await one.until('2026-06-03T12:00:00Z', { everyMs: 5 * minute })
      assert.equal(one.shown().length, before, `${back / minute} minutes: ${one.shown()}`)
    }
  })
})
