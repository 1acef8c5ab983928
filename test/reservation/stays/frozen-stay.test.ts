import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Stay, StayInput } from '../../../src/reservation/resources/stay.ts'
import { frozenField, refuseFrozenChange } from '../../../src/reservation/stays/frozen-stay.ts'
import type { StayStatus } from '../../../src/reservation/stays/rules/status-rules.ts'
import { refusal } from '../refusal.ts'

const today = '2026-05-02'
const before: Partial<Stay> = {
  status: 'Confirmed',
  startDate: '2026-05-01',
  startTime: null,
  endDate: '2026-05-04',
  personCount: { adults: 2, children: 0 },
  comment: 'late',
  externalId: 'PMS-1',
}
const stay = before as Stay

const cases: [StayStatus, what: string, StayInput, frozen: string | null][] = [
  [
    'Confirmed',
    'anything',
    { startDate: '2026-05-02', endDate: '2026-05-09', personCount: { adults: 1 } },
    null,
  ],
  ['NoShow', 'anything', { startDate: '2026-05-02' }, null],
  ['InHouse', 'nothing', { ...before, status: 'InHouse', personCount: { children: 0, adults: 2 } }, null],
  ['InHouse', 'the start', { startDate: '2026-05-02' }, 'startDate'],
  ['InHouse', 'the start time', { startTime: '12:00' }, 'startTime'],
  ['InHouse', 'the end to today', { endDate: today }, null],
  ['InHouse', 'the end to the past', { endDate: '2026-05-01' }, 'endDate'],
  ['InHouse', 'the persons', { personCount: { adults: 3 } }, null],
  ['CheckedOut', 'the comments and the status', { comment: 'x', guestComment: 'y', status: 'InHouse' }, null],
  ['CheckedOut', 'the persons', { comment: 'x', personCount: { adults: 3 } }, 'personCount'],
  ['CheckedOut', 'an absent field to null', { endTime: null }, null],
  ['Canceled', 'the end', { endDate: '2026-05-09' }, 'endDate'],
  ['Canceled', 'a field by clearing it', { externalId: null }, 'externalId'],
]

describe('What has happened of a stay cannot change', () => {
  for (const [status, what, after, frozen] of cases) {
    it(`${status}: changing ${what} is ${frozen ? `refused for ${frozen}` : 'allowed'}`, () => {
      assert.equal(frozenField({ ...stay, status }, after, today), frozen)
    })
  }

  it('the refusal names the field and the status', () => {
    assert.throws(
      () => refuseFrozenChange({ ...stay, status: 'InHouse' }, { startDate: today }, today),
      refusal('stay-status-transition', '/startDate', { field: 'startDate', status: 'InHouse' }),
    )
    assert.doesNotThrow(() => refuseFrozenChange({ ...stay, status: 'InHouse' }, { endDate: today }, today))
  })

  it('the refusal of an end in the past says which ends are fine', () => {
    assert.throws(
      () => refuseFrozenChange({ ...stay, status: 'InHouse' }, { endDate: '2026-05-01' }, today),
      { message: 'endDate of a stay that is InHouse cannot be before today, 2026-05-02.' },
    )
  })

  it('the end of a stay that overran it may be sent back unchanged', () => {
    assert.equal(frozenField({ ...stay, status: 'InHouse' }, { endDate: stay.endDate }, '2026-06-01'), null)
  })
})
