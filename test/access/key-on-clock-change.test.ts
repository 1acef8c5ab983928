import assert from 'node:assert/strict'
import { it } from 'node:test'
import { windowOf } from '../../src/access/keys/orders/key-window.ts'
import { plannedRange } from '../../src/reservation/stays/rules/stay-dates.ts'
import fc from '../seed.ts'

const days: [timeZone: string, date: string][] = [
  ['Atlantic/Azores', '2026-03-29'],
  ['Atlantic/Azores', '2026-10-25'],
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-10-04'],
]
const text = (minute: number) => new Date(minute * 60_000).toISOString().slice(11, 16)

it('a key of a day use on the day of a clock change opens from the start of the stay to its end', () => {
  const minutes = fc.integer({ min: 0, max: 1_438 })
  fc.assert(
    fc.property(fc.constantFrom(...days), minutes, minutes, ([timeZone, date], from, lasts) => {
      const times = { startTime: text(from), endTime: text(Math.min(from + 1 + lasts, 1_439)) }
      const house = { timeZone, checkInTime: '15:00', checkOutTime: '11:00' }
      const dates = { startDate: date, endDate: date, ...times }
      const key = windowOf(dates as never, house, {} as never, { now: 0, isInHouse: () => false })
      assert.deepEqual({ startsAt: key.validFrom, endsAt: key.validUntil }, plannedRange(dates, house))
    }),
  )
})
