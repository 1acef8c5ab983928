import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type DateFormat,
  expiryText,
  type LockClock,
  startText,
  wallOf,
} from '../../../drivers/industry-standard/dates.ts'

/** A clock on the wall that is put forward and back like those of this zone. */
function clockIn(zone: string): LockClock {
  return {
    wallTime(instant) {
      const shown = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
      return {
        date: shown.toPlainDate().toString(),
        time: shown.toPlainTime().toString({ smallestUnit: 'second' }),
      }
    },
    instantOf: ({ date, time }, edge) =>
      Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone, {
        disambiguation: edge === 'start' ? 'compatible' : 'later',
      }).epochMilliseconds,
  }
}

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds
const berlin = clockIn('Europe/Berlin')

type Row = [title: string, instant: string, format: DateFormat, start: string, expiry: string]

describe('industry-standard dates', () => {
  const rows: Row[] = [
    ['a full hour', '2026-08-01T10:00:00Z', 'HHDDMMYY', '12010826', '12010826'],
    ['within an hour', '2026-08-01T10:20:00Z', 'HHDDMMYY', '12010826', '13010826'],
    ['a second after the hour', '2026-08-01T10:00:01Z', 'HHDDMMYY', '12010826', '13010826'],
    ['a millisecond after the hour', '2026-08-01T10:00:00.001Z', 'HHDDMMYY', '12010826', '13010826'],
    ['before midnight', '2026-12-31T22:30:00Z', 'HHDDMMYY', '23311226', '00010127'],
    ['a full minute', '2026-08-01T10:20:00Z', 'HHmmDDMMYY', '1220010826', '1220010826'],
    ['within a minute', '2026-08-01T10:20:31Z', 'HHmmDDMMYY', '1220010826', '1221010826'],
    // 02:00 is not shown on the day on which clocks are put forward.
    ['before the skipped hour', '2026-03-29T00:30:00Z', 'HHDDMMYY', '01290326', '03290326'],
    ['after the skipped hour', '2026-03-29T01:30:00Z', 'HHDDMMYY', '03290326', '04290326'],
    // 02:30 is shown twice on the day on which they are put back: nobody knows which one a lock means.
    ['in the repeated hour, first', '2026-10-25T00:30:00Z', 'HHDDMMYY', '01251026', '03251026'],
    ['in the repeated hour, again', '2026-10-25T01:30:00Z', 'HHDDMMYY', '02251026', '03251026'],
    ['its first minutes', '2026-10-25T00:30:00Z', 'HHmmDDMMYY', '0159251026', '0230251026'],
    ['its minutes again', '2026-10-25T01:30:00Z', 'HHmmDDMMYY', '0230251026', '0300251026'],
  ]
  for (const [title, instant, format, start, expiry] of rows)
    it(`widens ${title} in ${format}`, () => {
      assert.equal(startText(at(instant), format, berlin), start)
      assert.equal(expiryText(at(instant), format, berlin), expiry)
    })

  for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu'])
    it(`never makes a key of ${zone} shorter, however its times are read`, () => {
      const clock = clockIn(zone)
      const [from, until] = [at('2026-01-01T00:00Z'), at('2027-01-01T00:00Z')]
      for (let instant = from; instant < until; instant += 9_977_531)
        for (const format of ['HHDDMMYY', 'HHmmDDMMYY'] as const) {
          const start = wallOf(startText(instant, format, clock)!)!
          const expiry = wallOf(expiryText(instant, format, clock)!)!
          const shown = `${zone} ${new Date(instant).toISOString()} ${format}`
          assert.ok(clock.instantOf(start, 'end') <= instant, shown)
          assert.ok(clock.instantOf(expiry, 'start') >= instant, shown)
          assert.ok(clock.instantOf(start, 'start') > instant - 3 * 3_600_000, shown)
          assert.ok(clock.instantOf(expiry, 'end') < instant + 3 * 3_600_000, shown)
        }
    })

  it('writes nothing of other centuries', () => {
    assert.equal(startText(at('1999-12-31T12:00:00Z'), 'HHDDMMYY', berlin), null)
    assert.equal(expiryText(at('2099-12-31T23:30:00Z'), 'HHDDMMYY', berlin), null)
  })

  it('reads both formats, and nothing that is no date', () => {
    assert.deepEqual(wallOf('12010826'), { date: '2026-08-01', time: '12:00:00' })
    assert.deepEqual(wallOf('1245010826'), { date: '2026-08-01', time: '12:45:00' })
    for (const text of [
      '',
      '1201082',
      '24010826',
      '12320826',
      '12300226',
      '1260010826',
      '12011326',
      'ABCDEFGH',
    ])
      assert.equal(wallOf(text), null, text)
  })
})
