import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BookingMap } from '../../src/cli/import/booking-map.ts'
import { bookingOf } from '../../src/cli/import/booking-row.ts'

const map: BookingMap = {
  externalId: { column: 'id' },
  status: { always: 'Confirmed' },
  arrival: { column: 'from' },
  nights: { column: 'nights' },
  adults: { column: 'adults' },
  unitType: { always: 'DBL' },
  nightly: { price: { column: 'rate' }, currency: { always: 'EUR' } },
  guest: { lastName: { column: 'last' }, firstName: { column: 'first' } },
  dayUse: { startTime: '09:00', endTime: '18:00' },
}

const prices: [rate: string, nights: string, amount: number][] = [
  ['40', '0', 40],
  ['40', '1', 40],
  ['68.5', '7', 479.5],
  ['0.01', '3', 0.03],
  ['33.33', '0', 33.33],
  ['0', '0', 0],
]

describe('A price of one night in a file', () => {
  for (const [rate, nights, amountWithTax] of prices) {
    it(`${rate} on ${nights} nights is ${amountWithTax}`, () => {
      const cells = { id: '1', from: '2027-03-01', nights, adults: '1', rate }
      const { stay } = bookingOf({ line: 2, written: cells, cells, empty: undefined }, map)
      assert.deepEqual(stay.amount, { currency: 'EUR', amountWithTax })
    })
  }
})

describe('A guest with one name in a file', () => {
  for (const first of ['', '-', '.', '–', ' ', '\u00A0', '\u200B'])
    it(`has no first name where the cell has ${JSON.stringify(first)}`, () => {
      const cells = { id: '1', from: '2027-03-01', nights: '1', adults: '1', rate: '', last: 'Aulia', first }
      const { stay } = bookingOf({ line: 2, written: cells, cells, empty: undefined }, map)
      assert.deepEqual(stay.profiles, [{ role: 'PrimaryGuest', firstName: '', lastName: 'Aulia' }])
    })
})
