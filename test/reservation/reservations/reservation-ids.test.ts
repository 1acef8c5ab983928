import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reservationIds, searchForm } from '../../../src/reservation/reservations/reservation-ids.ts'
import { refusal } from '../refusal.ts'

describe('Confirmation numbers', () => {
  it('are at most one of a type', () => {
    const ids = [
      { type: 'Master', value: '1' },
      { type: 'Confirmation', value: '1', source: null },
    ] as const
    assert.deepEqual(reservationIds(ids), [
      { type: 'Master', value: '1', searchForm: '1' },
      { type: 'Confirmation', value: '1', searchForm: '1' },
    ])
    assert.throws(
      () => reservationIds([...ids, { type: 'Master', value: '2' }]),
      refusal('reservation-id-duplicate-type', '/reservationIds/2/type', { type: 'Master' }),
    )
  })

  it('are searched whatever their case and spaces', () => {
    assert.equal(searchForm(' ab 12-cd\t3 '), 'AB12-CD3')
    assert.equal(searchForm('AB12-cd3'), searchForm('ab 12-CD 3'))
  })
})
