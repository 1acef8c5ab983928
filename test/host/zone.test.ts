import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isZone, localDate, localInstant, localTime } from '../../src/host/zone.ts'
import fc from '../seed.ts'

/** A wall-clock time as a start and as an end, with the offsets that a person reading a calendar would expect. */
const clockChanges: [zone: string, date: string, time: string, start: string, end: string][] = [
  ['Europe/Berlin', '2026-03-29', '01:59', '2026-03-29T01:59:00+01:00', '2026-03-29T01:59:00+01:00'],
  ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T03:30:00+02:00', '2026-03-29T03:30:00+02:00'],
  ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00'],
  ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T03:00:00+01:00', '2026-10-25T03:00:00+01:00'],
  ['Europe/Lisbon', '2026-03-29', '01:15', '2026-03-29T02:15:00+01:00', '2026-03-29T02:15:00+01:00'],
  ['Europe/Lisbon', '2026-10-25', '01:15', '2026-10-25T01:15:00+01:00', '2026-10-25T01:15:00+00:00'],
  ['America/New_York', '2026-03-08', '02:00', '2026-03-08T03:00:00-04:00', '2026-03-08T03:00:00-04:00'],
  ['America/New_York', '2026-11-01', '01:59', '2026-11-01T01:59:00-04:00', '2026-11-01T01:59:00-05:00'],
  ['America/St_Johns', '2026-03-08', '02:30', '2026-03-08T03:30:00-02:30', '2026-03-08T03:30:00-02:30'],
  ['America/St_Johns', '2026-11-01', '01:30', '2026-11-01T01:30:00-02:30', '2026-11-01T01:30:00-03:30'],
  ['Australia/Lord_Howe', '2026-10-04', '02:10', '2026-10-04T02:40:00+11:00', '2026-10-04T02:40:00+11:00'],
  ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-05T01:45:00+11:00', '2026-04-05T01:45:00+10:30'],
  ['Pacific/Auckland', '2026-09-27', '02:30', '2026-09-27T03:30:00+13:00', '2026-09-27T03:30:00+13:00'],
  ['Pacific/Auckland', '2026-04-05', '02:30', '2026-04-05T02:30:00+13:00', '2026-04-05T02:30:00+12:00'],
  ['Africa/Cairo', '2026-04-24', '00:30', '2026-04-24T01:30:00+03:00', '2026-04-24T01:30:00+03:00'],
  ['Africa/Cairo', '2026-10-29', '23:30', '2026-10-29T23:30:00+03:00', '2026-10-29T23:30:00+02:00'],
  ['America/Sao_Paulo', '2018-11-04', '00:30', '2018-11-04T01:30:00-02:00', '2018-11-04T01:30:00-02:00'],
  ['America/Sao_Paulo', '2018-02-17', '23:30', '2018-02-17T23:30:00-02:00', '2018-02-17T23:30:00-03:00'],
  ['Africa/Casablanca', '2024-04-14', '02:30', '2024-04-14T03:30:00+01:00', '2024-04-14T03:30:00+01:00'],
  ['Africa/Casablanca', '2024-03-10', '02:30', '2024-03-10T02:30:00+01:00', '2024-03-10T02:30:00+00:00'],
  ['Pacific/Apia', '2011-12-30', '12:00', '2011-12-31T12:00:00+14:00', '2011-12-31T12:00:00+14:00'],
]

describe('A local date and time becomes an instant', () => {
  for (const [zone, date, time, start, end] of clockChanges) {
    it(`${zone} ${date} ${time} starts at ${start} and ends at ${end}`, () => {
      assert.equal(localInstant(date, time, zone, 'start'), Date.parse(start))
      assert.equal(localInstant(date, time, zone, 'end'), Date.parse(end))
    })
  }

  it('a repeated time in Berlin starts at 00:30 UTC and ends at 01:30 UTC', () => {
    const at = (edge: 'start' | 'end') => localInstant('2026-10-25', '02:30', 'Europe/Berlin', edge)
    assert.equal(at('start'), Date.UTC(2026, 9, 25, 0, 30))
    assert.equal(at('end'), Date.UTC(2026, 9, 25, 1, 30))
  })

  for (const zone of ['America/Sao_Paulo', 'Asia/Kolkata', 'Pacific/Apia']) {
    it(`${zone} has days of 24 hours all year`, () => {
      for (let day = 0; day < 365; day += 1) {
        const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
        const next = new Date(Date.UTC(2026, 0, 2 + day)).toISOString().slice(0, 10)
        const length = localInstant(next, '02:30', zone, 'end') - localInstant(date, '02:30', zone, 'start')
        assert.equal(length, 24 * 3_600_000, date)
      }
    })
  }

  it('the leap day exists in 2028 and not in 2026', () => {
    assert.equal(localInstant('2028-02-29', '15:00', 'Asia/Kolkata', 'start'), Date.UTC(2028, 1, 29, 9, 30))
    assert.throws(() => localInstant('2026-02-29', '15:00', 'Asia/Kolkata', 'start'), RangeError)
  })

  it('an unknown zone is a RangeError', () => {
    assert.throws(() => localInstant('2026-01-01', '15:00', 'Europe/Nowhere', 'start'), RangeError)
  })

  it('an instant shown in a zone and read back is the same instant, as a start or as an end', () => {
    const zones = fc.constantFrom(...new Set(clockChanges.map(([zone]) => zone)))
    const minutes = fc.integer({ min: Date.UTC(2024, 0) / 60_000, max: Date.UTC(2030, 0) / 60_000 })
    fc.assert(
      fc.property(zones, minutes, (zone, minute) => {
        const instant = minute * 60_000
        const read = (edge: 'start' | 'end') =>
          localInstant(localDate(instant, zone), localTime(instant, zone), zone, edge)
        assert.ok(read('start') === instant || read('end') === instant)
        assert.ok(read('start') <= read('end'))
      }),
    )
  })
})

describe('An instant is shown in a zone', () => {
  it('its day is the local day', () => {
    const newYear = Date.UTC(2026, 11, 31, 23, 30)
    assert.equal(localDate(newYear, 'Europe/Berlin'), '2027-01-01')
    assert.equal(localDate(newYear, 'America/New_York'), '2026-12-31')
  })

  it('its time is rounded down to the minute', () => {
    assert.equal(localTime(Date.UTC(2026, 6, 1, 12, 59, 59, 999), 'Asia/Kolkata'), '18:29')
    assert.equal(localTime(Date.UTC(2026, 6, 1, 22, 0), 'Europe/Berlin'), '00:00')
  })
})

describe('A zone is known by its IANA name', () => {
  for (const name of ['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Calcutta', 'UTC', 'Etc/GMT+3']) {
    it(`${name} is a zone`, () => assert.equal(isZone(name), true))
  }
  for (const name of [
    'europe/berlin',
    'Europe/Nowhere',
    '+01:00',
    '2020-01-01T00:00Z',
    '',
    ' Europe/Berlin',
  ]) {
    it(`"${name}" is not a zone`, () => assert.equal(isZone(name), false))
  }
})
