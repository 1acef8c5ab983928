import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reservationStatus } from '../../../src/reservation/stays/refresh-reservation.ts'
import { dueIn, dueOut } from '../../../src/reservation/stays/rules/due-flags.ts'
import type { StayStatus } from '../../../src/reservation/stays/rules/status-rules.ts'

const reservations: [StayStatus[], StayStatus][] = [
  [[], 'Tentative'],
  [['CheckedOut', 'InHouse', 'Confirmed'], 'InHouse'],
  [['Tentative', 'Confirmed', 'CheckedOut'], 'Confirmed'],
  [['Waitlisted', 'Tentative', 'CheckedOut'], 'Tentative'],
  [['Waitlisted', 'NoShow'], 'Waitlisted'],
  [['CheckedOut', 'CheckedOut'], 'CheckedOut'],
  [['Canceled', 'CheckedOut', 'NoShow'], 'CheckedOut'],
  [['NoShow', 'NoShow'], 'NoShow'],
  [['NoShow', 'Canceled'], 'Canceled'],
  [['Canceled'], 'Canceled'],
]

describe('A reservation has the status of its stays', () => {
  for (const [stays, status] of reservations) {
    it(`${stays.join(', ') || 'no stays'}: ${status}`, () => assert.equal(reservationStatus(stays), status))
  }
})

describe('A guest is due', () => {
  const days = { startDate: '2026-05-01', endDate: '2026-05-03' }
  const cases: [StayStatus, today: string, dueIn: boolean, dueOut: boolean][] = [
    ['Confirmed', '2026-04-30', false, false],
    ['Confirmed', '2026-05-01', true, false],
    ['Confirmed', '2026-05-03', true, false],
    ['Confirmed', '2026-05-04', false, false],
    ['Tentative', '2026-05-01', false, false],
    ['InHouse', '2026-05-02', false, false],
    ['InHouse', '2026-05-03', false, true],
    ['InHouse', '2026-05-04', false, true],
    ['CheckedOut', '2026-05-03', false, false],
  ]
  for (const [status, today, expectedIn, expectedOut] of cases) {
    it(`${status} on ${today}: in ${expectedIn}, out ${expectedOut}`, () => {
      assert.equal(dueIn({ status, ...days }, today), expectedIn)
      assert.equal(dueOut({ status, ...days }, today), expectedOut)
    })
  }
})
