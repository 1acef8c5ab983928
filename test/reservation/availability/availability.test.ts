import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  capacityReported,
  leftOn,
  type NightFacts,
  nightChanges,
  type Period,
  periodsOf,
  type StayNights,
} from '../../../src/reservation/availability/availability.ts'
import {
  askedPeriod,
  expectCompact,
  type PeriodInput,
  readPeriods,
} from '../../../src/reservation/availability/availability-period.ts'
import { momentOf } from '../../../src/reservation/resources/house.ts'
import type { Settings } from '../../../src/reservation/resources/settings.ts'
import { stayStatuses } from '../../../src/reservation/stays/rules/status-rules.ts'
import {
  type Block,
  type BlockPeriod,
  blockOn,
  blocksAfter,
  unblocked,
} from '../../../src/reservation/units/unit-block.ts'
import { refusal } from '../refusal.ts'

const today = '2026-06-01'

describe('What is left on a date', () => {
  const facts = (given: Partial<NightFacts>): NightFacts => ({
    capacity: null,
    units: 10,
    out: 0,
    held: 0,
    ...given,
  })
  const cases: [name: string, Partial<NightFacts>, left: number | null][] = [
    ['all units of the type, where nobody told anything', {}, 10],
    ['less what stays hold', { held: 3 }, 7],
    ['less what is blocked or out of order', { held: 3, out: 2 }, 5],
    ['fewer than none, where more is sold than there is', { held: 11 }, -1],
    ['nothing is known of a type without units', { units: 0 }, null],
    ['not even when stays hold it', { units: 0, held: 2 }, null],
    ['what upstream told, whatever the units', { capacity: 4, units: 0 }, 4],
    ['less what was booked since', { capacity: 4, held: 1 }, 3],
    ['what upstream told can be none', { capacity: 0 }, 0],
  ]
  for (const [name, given, left] of cases) it(name, () => assert.equal(leftOn(facts(given)), left))

  it('is what upstream tells at that moment, and follows what is booked and released from then on', () => {
    const then = facts({ held: 4, out: 1 })
    const capacity = capacityReported(2, then)
    assert.equal(leftOn({ ...then, capacity }), 2)
    assert.equal(leftOn({ ...then, capacity, held: 5 }), 1)
    assert.equal(leftOn({ ...then, capacity, held: 3 }), 3)
    assert.equal(leftOn({ ...then, capacity, out: 2 }), 1)
    assert.equal(leftOn({ ...then, capacity, out: 0, units: 50 }), 3)
  })
})

describe('Dates as periods', () => {
  const cases: [
    name: string,
    left: (number | null)[],
    periods: [start: number, end: number, quantity: number][],
  ][] = [
    ['none of none', [], []],
    ['equal ones that follow one another are one', [3, 3, 3], [[0, 2, 3]]],
    [
      'another quantity begins another',
      [3, 2, 2, 3],
      [
        [0, 0, 3],
        [1, 2, 2],
        [3, 3, 3],
      ],
    ],
    [
      'what is not known is left out',
      [null, 3, null, 3, null],
      [
        [1, 1, 3],
        [3, 3, 3],
      ],
    ],
    [
      'fewer than none is none',
      [0, -1, -5, 1],
      [
        [0, 2, 0],
        [3, 3, 1],
      ],
    ],
  ]
  const day = (index: number) => `2026-06-0${index + 1}`
  for (const [name, left, expected] of cases) {
    it(name, () => {
      const dates = left.map((each, index) => ({ date: day(index), left: each }))
      const periods: Period[] = expected.map(([start, end, quantity]) => ({
        startDate: day(start),
        endDate: day(end),
        quantity,
      }))
      assert.deepEqual(periodsOf(dates), periods)
    })
  }
})

describe('What stays hold', () => {
  const counts = (before: StayNights[], after: StayNights[]) =>
    Object.fromEntries([...nightChanges(before, after)].map(([key, { by }]) => [key, by]))
  const stay = (
    startDate: string,
    endDate: string,
    types = ['A'],
    status: StayNights['status'] = 'Confirmed',
  ) => ({
    status,
    startDate,
    endDate,
    units: types.map((unitTypeId) => ({ unitTypeId })),
  })
  const cases: [name: string, StayNights[], Record<string, number>][] = [
    [
      'every night, and not the day of departure',
      [stay('2026-06-01', '2026-06-03')],
      { 'A/2026-06-01': 1, 'A/2026-06-02': 1 },
    ],
    ['a day use holds its day', [stay('2026-06-01', '2026-06-01')], { 'A/2026-06-01': 1 }],
    [
      'a place each, of each type',
      [stay('2026-06-01', '2026-06-02', ['A', 'B', 'A'])],
      { 'A/2026-06-01': 2, 'B/2026-06-01': 1 },
    ],
    [
      'one unit that is left in the morning serves two stays',
      [stay('2026-06-01', '2026-06-02'), stay('2026-06-02', '2026-06-03')],
      { 'A/2026-06-01': 1, 'A/2026-06-02': 1 },
    ],
    [
      'the night in which the clock is put forward',
      [stay('2027-03-27', '2027-03-29')],
      { 'A/2027-03-27': 1, 'A/2027-03-28': 1 },
    ],
    ['the leap day', [stay('2028-02-28', '2028-03-01')], { 'A/2028-02-28': 1, 'A/2028-02-29': 1 }],
  ]
  for (const [name, stays, held] of cases) {
    it(name, () => assert.deepEqual(counts([], stays), held))
  }

  it('by a stay that is an option, confirmed or in house, and by no other', () => {
    const holding = stayStatuses.filter(
      (status) => nightChanges([], [stay(today, '2026-06-02', ['A'], status)]).size > 0,
    )
    assert.deepEqual(holding, ['Tentative', 'Confirmed', 'InHouse'])
  })

  it('more and less than before, without what is the same', () => {
    const before = [stay('2026-06-01', '2026-06-03'), stay('2026-06-05', '2026-06-06', ['B'])]
    const after = [stay('2026-06-02', '2026-06-04'), stay('2026-06-05', '2026-06-06', ['B'])]
    assert.deepEqual(counts(before, after), { 'A/2026-06-01': -1, 'A/2026-06-03': 1 })
  })
})

describe('The blocks of a unit', () => {
  const painting = { startDate: '2026-06-10', endDate: '2026-06-20', reason: 'Painting' }
  const period = (first: string, last: string, quantity: number, reason?: string): BlockPeriod => ({
    first,
    last,
    quantity,
    ...(reason && { reason }),
  })
  const cases: [name: string, Block[], BlockPeriod[], Block[]][] = [
    ['a period of 0 blocks', [], [period('2026-06-10', '2026-06-20', 0, 'Painting')], [painting]],
    ['a period of 1 frees', [painting], [period('2026-06-01', '2026-06-30', 1)], []],
    [
      'from the middle of a block too',
      [painting],
      [period('2026-06-12', '2026-06-13', 1)],
      [
        { ...painting, endDate: '2026-06-11' },
        { ...painting, startDate: '2026-06-14' },
      ],
    ],
    ['what is free stays free', [painting], [period('2026-07-01', '2026-07-02', 1)], [painting]],
    [
      'the same again changes nothing',
      [painting],
      [period('2026-06-10', '2026-06-20', 0, 'Painting')],
      [painting],
    ],
    [
      'blocks that touch for one reason are one',
      [painting],
      [period('2026-06-21', '2026-06-22', 0, 'Painting')],
      [{ ...painting, endDate: '2026-06-22' }],
    ],
    [
      'for another reason they are two, and the later word counts',
      [painting],
      [period('2026-06-19', '2026-06-22', 0, 'Pipes')],
      [
        { ...painting, endDate: '2026-06-18' },
        { startDate: '2026-06-19', endDate: '2026-06-22', reason: 'Pipes' },
      ],
    ],
    [
      'what is over is forgotten',
      [{ startDate: '2026-05-01', endDate: '2026-05-31', reason: null }, painting],
      [],
      [painting],
    ],
  ]
  for (const [name, blocks, periods, after] of cases) {
    it(name, () => assert.deepEqual(blocksAfter(blocks, periods, today), after))
  }

  it('say what of a period is not blocked yet', () => {
    const blocks = [painting, { startDate: '2026-06-25', endDate: '2026-06-25' }]
    assert.deepEqual(unblocked(blocks, { first: '2026-06-09', last: '2026-06-26' }), [
      { first: '2026-06-09', last: '2026-06-09' },
      { first: '2026-06-21', last: '2026-06-24' },
      { first: '2026-06-26', last: '2026-06-26' },
    ])
    assert.deepEqual(unblocked(blocks, { first: '2026-06-10', last: '2026-06-20' }), [])
    assert.deepEqual(unblocked(null, { first: today, last: today }), [{ first: today, last: today }])
  })

  it('hold on both of their ends', () => {
    const on = (first: string, last: string) => blockOn([painting], { first, last }) !== undefined
    assert.deepEqual(
      [
        on('2026-06-08', '2026-06-09'),
        on('2026-06-09', '2026-06-10'),
        on('2026-06-20', '2026-06-21'),
        on('2026-06-21', '2026-06-22'),
      ],
      [false, true, true, false],
    )
  })
})

describe('The period of a list', () => {
  it('is today and 365 days more unless it is given', () => {
    assert.deepEqual(askedPeriod({}, today), { first: today, last: '2027-06-01' })
    assert.deepEqual(askedPeriod({ startDate: '2028-02-29' }, today), {
      first: '2028-02-29',
      last: '2029-02-28',
    })
    assert.deepEqual(askedPeriod({ endDate: today }, today), { first: today, last: today })
  })

  const refusals: [name: string, Parameters<typeof askedPeriod>[0], string, parameter: string][] = [
    [
      'longer than 365 days',
      { startDate: '2026-06-01', endDate: '2027-06-02' },
      'period-too-long',
      'endDate',
    ],
    [
      'an end before the start',
      { startDate: '2026-06-02', endDate: '2026-06-01' },
      'invalid-filter-value',
      'endDate',
    ],
    ['an end before today', { endDate: '2026-05-31' }, 'invalid-filter-value', 'endDate'],
    ['a day that is none', { startDate: '2026-02-30' }, 'invalid-filter-value', 'startDate'],
    ['a year out of reach', { startDate: '0001-01-01' }, 'invalid-filter-value', 'startDate'],
  ]
  for (const [name, asked, code, name2] of refusals) {
    it(`is refused: ${name}`, () => {
      assert.throws(
        () => askedPeriod(asked, today),
        (error: { code: string; status: number; options: object }) => {
          assert.equal(error.code, code)
          assert.equal(error.status, 400)
          assert.partialDeepStrictEqual(error.options, { parameter: `filter[${name2}]` })
          return true
        },
      )
    })
  }
})

describe('The periods of a body', () => {
  const told = (startDate: string | null, endDate: string | null, quantity = 1): PeriodInput => ({
    startDate,
    endDate,
    quantity,
  })

  it('are taken in any order, and know their place', () => {
    const given = [
      told('2026-06-10', '2026-06-11', 2),
      told(null, '2026-06-09', 1),
      told('2026-06-20', null, 3),
    ]
    assert.partialDeepStrictEqual(readPeriods(given, today), [
      { first: today, last: '2026-06-09', quantity: 1, item: 1 },
      { first: '2026-06-10', last: '2026-06-11', quantity: 2, item: 0 },
      { first: '2026-06-20', last: '2027-06-20', quantity: 3, item: 2 },
    ])
  })

  const refusals: [name: string, PeriodInput[], Parameters<typeof refusal>][] = [
    ['one that ends before it starts', [told('2026-06-02', '2026-06-01')], ['end-before-start', '/endDate']],
    [
      'two that share a day',
      [told('2026-06-01', '2026-06-03'), told('2026-06-03', '2026-06-04', 2)],
      ['validation-failed', '/startDate'],
    ],
    ['ten years and more', [told('2026-06-01', '2036-06-10')], ['validation-failed', '']],
    ['no day', [told('2026-06-31', null)], ['validation-failed', '/startDate']],
  ]
  for (const [name, given, refused] of refusals) {
    it(`are refused: ${name}`, () => assert.throws(() => readPeriods(given, today), refusal(...refused)))
  }

  it('are compact: none goes on where another ends with the same quantity (Availability rule 2)', () => {
    const compact = (...given: PeriodInput[]) => expectCompact(readPeriods(given, today))
    compact(told('2026-06-01', '2026-06-02', 1), told('2026-06-03', '2026-06-04', 2))
    compact(told('2026-06-01', '2026-06-02', 1), told('2026-06-04', '2026-06-05', 1))
    assert.throws(
      () => compact(told('2026-06-03', '2026-06-04', 1), told('2026-06-01', '2026-06-02', 1)),
      refusal('availability-not-compact', '/quantity'),
    )
  })
})

describe('The moment, as the property’s days see it', () => {
  const house = (timeZone: string) => ({ timeZone, checkInTime: '15:00', checkOutTime: '11:00' }) as Settings
  type Case = [
    now: string,
    zone: string,
    today: string,
    lastDeparture: string,
    night: string,
    tomorrowAt: string,
  ]
  const cases: Case[] = [
    [
      '2026-06-01T13:59:00Z',
      'Europe/Lisbon',
      '2026-06-01',
      '2026-05-31',
      '2026-06-01',
      '2026-06-01T23:00:00Z',
    ],
    [
      '2026-06-01T14:00:00Z',
      'Europe/Lisbon',
      '2026-06-01',
      '2026-06-01',
      '2026-06-01',
      '2026-06-01T23:00:00Z',
    ],
    [
      '2026-06-01T23:30:00Z',
      'Europe/Lisbon',
      '2026-06-02',
      '2026-06-01',
      '2026-06-01',
      '2026-06-02T23:00:00Z',
    ],
    // The day of 23 hours, and that of 25.
    [
      '2026-03-29T00:00:00Z',
      'Europe/Berlin',
      '2026-03-29',
      '2026-03-28',
      '2026-03-28',
      '2026-03-29T22:00:00Z',
    ],
    [
      '2026-10-24T23:00:00Z',
      'Europe/Berlin',
      '2026-10-25',
      '2026-10-24',
      '2026-10-24',
      '2026-10-25T23:00:00Z',
    ],
    // Where the clock is put forward at midnight, the day begins at one.
    [
      '2026-09-05T12:00:00Z',
      'America/Santiago',
      '2026-09-05',
      '2026-09-04',
      '2026-09-04',
      '2026-09-06T04:00:00Z',
    ],
  ]
  for (const [now, zone, day, lastDeparture, night, tomorrowAt] of cases) {
    it(`${now} in ${zone}`, () => {
      const moment = momentOf(Date.parse(now), house(zone))
      assert.deepEqual(moment, {
        now: Date.parse(now),
        today: day,
        lastDeparture,
        night,
        tomorrowAt: Date.parse(tomorrowAt),
      })
    })
  }
})
