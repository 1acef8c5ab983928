import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HouseTimes } from '../../../src/reservation/stays/rules/stay-dates.ts'
import {
  nightDates,
  nights,
  plannedDates,
  plannedRange,
  type StayDates,
  timeOfDay,
} from '../../../src/reservation/stays/rules/stay-dates.ts'
import type { ProblemCode } from '../../../src/resource/problem.ts'
import fc from '../../seed.ts'
import { refusal } from '../refusal.ts'

const house: HouseTimes = { timeZone: 'Europe/Berlin', checkInTime: '15:00', checkOutTime: '11:00' }

const times: [text: string, read: string | ProblemCode][] = [
  ['00:00', '00:00'],
  ['23:59', '23:59'],
  ['14:30:00', '14:30'],
  ['14:30:00.000', '14:30'],
  ['14:30:01', 'seconds-not-zero'],
  ['14:30:00.5', 'seconds-not-zero'],
  ['14:30Z', 'time-with-offset'],
  ['14:30:00+02:00', 'time-with-offset'],
  ['14:30:15-0330', 'time-with-offset'],
  ['14:30 +02', 'time-with-offset'],
  ['24:00', 'validation-failed'],
  ['14:60', 'validation-failed'],
  ['14:30:60', 'validation-failed'],
  ['9:00', 'validation-failed'],
  ['14:30 pm', 'validation-failed'],
  ['14:30\n', 'validation-failed'],
  ['', 'validation-failed'],
]

describe('A time of day is HH:MM, seconds 00 if any', () => {
  for (const [text, read] of times) {
    it(`${JSON.stringify(text)}: ${read}`, () => {
      if (/^\d/.test(read)) assert.equal(timeOfDay(text, '/startTime'), read)
      else assert.throws(() => timeOfDay(text, '/startTime'), refusal(read as ProblemCode, '/startTime'))
    })
  }
})

const stay = { startDate: '2026-05-01', endDate: '2026-05-03' }

const ranges: [rule: string, StayDates, pointer: string | null, code?: ProblemCode][] = [
  ['nights without times', stay, null],
  [
    'an early departure the next day',
    { ...stay, startTime: '22:00', endDate: '2026-05-02', endTime: '06:00' },
    null,
  ],
  ['a day use', { ...stay, endDate: stay.startDate, startTime: '09:00', endTime: '17:00' }, null],
  ['a day use until the property closes it', { ...stay, endDate: stay.startDate, startTime: '09:00' }, null],
  ['a leap day', { startDate: '2028-02-29', endDate: '2028-03-01' }, null],
  ['the end on an earlier day', { ...stay, endDate: '2026-04-30' }, '/endDate', 'end-before-start'],
  [
    'a day use of no time',
    { ...stay, endDate: stay.startDate, startTime: '09:00', endTime: '09:00' },
    '/endTime',
    'end-before-start',
  ],
  [
    'a day use backwards',
    { ...stay, endDate: stay.startDate, startTime: '09:00', endTime: '08:00' },
    '/endTime',
    'end-before-start',
  ],
  [
    'a day use at the times of the property',
    { ...stay, endDate: stay.startDate },
    '/endTime',
    'end-before-start',
  ],
  ['a day that does not exist', { ...stay, endDate: '2026-02-30' }, '/endDate', 'validation-failed'],
  ['a leap day in another year', { ...stay, startDate: '2026-02-29' }, '/startDate', 'validation-failed'],
  ['a timestamp for a date', { ...stay, startDate: '2026-05-01T00:00' }, '/startDate', 'validation-failed'],
  ['seconds', { ...stay, endTime: '11:00:30' }, '/endTime', 'seconds-not-zero'],
  ['an offset', { ...stay, startTime: '15:00+02:00' }, '/startTime', 'time-with-offset'],
]

describe('A stay has a range', () => {
  for (const [rule, input, pointer, code] of ranges) {
    if (code)
      it(`not with ${rule}`, () =>
        assert.throws(() => plannedDates(input, house), refusal(code, pointer ?? '')))
    else it(`with ${rule}`, () => assert.equal(plannedDates(input, house).dates.startDate, input.startDate))
  }

  it('times lose their seconds, and are null where the property decides', () => {
    assert.deepEqual(plannedDates({ ...stay, startTime: '16:00:00' }, house).dates, {
      ...stay,
      startTime: '16:00',
      endTime: null,
    })
  })

  /** A day use on the day of a clock change, with the range that a clock with its offset shows. */
  const dayUses: [zone: string, date: string, from: string, to: string, starts: string, ends: string][] = [
    [
      'Atlantic/Azores',
      '2026-03-29',
      '00:30',
      '01:10',
      '2026-03-28T23:30:00-01:00',
      '2026-03-29T01:10:00+00:00',
    ],
    [
      'Atlantic/Azores',
      '2026-03-29',
      '00:30',
      '01:00',
      '2026-03-28T23:30:00-01:00',
      '2026-03-29T01:00:00+00:00',
    ],
    [
      'Atlantic/Azores',
      '2026-03-29',
      '00:10',
      '00:50',
      '2026-03-29T01:10:00+00:00',
      '2026-03-29T01:50:00+00:00',
    ],
    [
      'Atlantic/Azores',
      '2026-10-25',
      '00:30',
      '01:10',
      '2026-10-25T00:30:00+00:00',
      '2026-10-25T01:10:00-01:00',
    ],
    [
      'Europe/Berlin',
      '2026-03-29',
      '01:50',
      '02:10',
      '2026-03-29T01:50:00+01:00',
      '2026-03-29T03:10:00+02:00',
    ],
    [
      'Europe/Berlin',
      '2026-03-29',
      '02:30',
      '03:15',
      '2026-03-29T01:30:00+01:00',
      '2026-03-29T03:15:00+02:00',
    ],
    [
      'Europe/Berlin',
      '2026-10-25',
      '02:30',
      '02:30',
      '2026-10-25T02:30:00+02:00',
      '2026-10-25T02:30:00+01:00',
    ],
    [
      'Europe/Berlin',
      '2026-10-25',
      '02:45',
      '02:15',
      '2026-10-25T02:45:00+02:00',
      '2026-10-25T02:15:00+01:00',
    ],
    [
      'Australia/Lord_Howe',
      '2026-10-04',
      '02:10',
      '02:35',
      '2026-10-04T01:40:00+10:30',
      '2026-10-04T02:35:00+11:00',
    ],
    [
      'America/Nuuk',
      '2026-03-28',
      '23:10',
      '23:40',
      '2026-03-29T00:10:00-01:00',
      '2026-03-29T00:40:00-01:00',
    ],
  ]
  for (const [timeZone, date, startTime, endTime, starts, ends] of dayUses) {
    it(`with a day use from ${startTime} to ${endTime} on ${date} in ${timeZone}`, () => {
      const input = { startDate: date, endDate: date, startTime, endTime }
      assert.deepEqual(plannedDates(input, { ...house, timeZone }).range, {
        startsAt: Date.parse(starts),
        endsAt: Date.parse(ends),
      })
    })
  }

  it('not with a time that ends before it starts, whatever the clock does', () => {
    for (const [date, startTime, endTime] of [
      ['2026-10-25', '03:00', '02:59'],
      ['2026-10-25', '02:00', '01:59'],
      ['2026-03-29', '02:30', '02:30'],
      ['2026-03-29', '02:45', '02:15'],
      ['2026-03-29', '03:30', '02:15'],
    ] as const) {
      const input = { startDate: date, endDate: date, startTime, endTime }
      assert.throws(
        () => plannedDates(input, house),
        refusal('end-before-start', '/endTime'),
        `${date} ${startTime}`,
      )
    }
  })

  it('with every day use that ends at a later time, at most a clock change shorter or longer than it reads', () => {
    const changes = fc.constantFrom(...dayUses.map(([zone, date]) => ({ zone, date })))
    const minutes = fc.tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 0, max: 1439 }))
    const text = (minute: number) => new Date(minute * 60_000).toISOString().slice(11, 16)
    fc.assert(
      fc.property(changes, minutes, ({ zone, date }, [one, other]) => {
        fc.pre(one !== other)
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const input = { startDate: date, endDate: date, startTime: text(from), endTime: text(to) }
        const { startsAt, endsAt } = plannedDates(input, { ...house, timeZone: zone }).range
        assert.ok(endsAt > startsAt)
        assert.ok(Math.abs(endsAt - startsAt - (to - from) * 60_000) <= 3_600_000)
      }),
    )
  })
})

describe('The nights of a stay', () => {
  it('are one for each day but the last', () => {
    assert.equal(nights(stay), 2)
    assert.deepEqual(nightDates(stay), ['2026-05-01', '2026-05-02'])
  })

  it('are none on a day use', () => {
    assert.equal(nights({ startDate: '2026-05-01', endDate: '2026-05-01' }), 0)
    assert.deepEqual(nightDates({ startDate: '2026-05-01', endDate: '2026-05-01' }), [])
  })

  it('are not made longer or shorter by clock changes and leap days', () => {
    assert.equal(nights({ startDate: '2026-03-28', endDate: '2026-03-30' }), 2)
    assert.equal(nights({ startDate: '2026-10-24', endDate: '2026-10-26' }), 2)
    assert.deepEqual(nightDates({ startDate: '2028-02-28', endDate: '2028-03-01' }), [
      '2028-02-28',
      '2028-02-29',
    ])
  })
})

describe('The planned moments of a stay', () => {
  it("are the property's check-in and check-out times where none are given", () => {
    const range = plannedRange({ ...stay, startTime: null, endTime: null }, house)
    assert.deepEqual(range, { startsAt: Date.UTC(2026, 4, 1, 13), endsAt: Date.UTC(2026, 4, 3, 9) })
  })

  it('take in the whole of a repeated hour', () => {
    const dates = { startDate: '2026-10-25', startTime: '02:30', endDate: '2026-10-25', endTime: '02:45' }
    const range = plannedRange(dates, house)
    assert.deepEqual(range, { startsAt: Date.UTC(2026, 9, 25, 0, 30), endsAt: Date.UTC(2026, 9, 25, 1, 45) })
  })

  it('move out of a skipped hour', () => {
    const dates = { startDate: '2026-03-29', startTime: '02:30', endDate: '2026-03-30', endTime: null }
    assert.equal(plannedRange(dates, house).startsAt, Date.UTC(2026, 2, 29, 1, 30))
  })
})
