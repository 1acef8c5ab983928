import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { plain } from '../../../src/composition/api.ts'
import type { SharedStay } from '../../../src/pms/sync/shared-reservation.ts'
import { openSyncHouse, type SyncHouse } from './house.ts'
import { named } from './reservation-samples.ts'

let house: SyncHouse
before(async () => {
  house = await openSyncHouse()
  const { configurationId: id } = house
  await house.write(plain.patch, {
    type: 'pms-configuration',
    id,
    attributes: { direction: 'FromPms' },
  })
})
after(() => house.stop())

const unnamed = [{ unitTypeCode: 'DBL', unitName: null }]
const report = async (name: string, stay: Partial<SharedStay> = {}) =>
  (await house.report(named(name, { units: unnamed, ...stay }), { direction: 'FromPms' })).reservationId!
const stayOf = (id: string) => house.staysOf(id)[0]!
const unitOf = (id: string) => (stayOf(id).units[0] as { unitName?: string }).unitName
const reasons = (...ids: string[]) => ids.flatMap((id) => house.conflictsOf(id).map(({ reason }) => reason))

/** A reservation of the PMS to which the desk has given a unit: the PMS is not told. */
async function assigned(name: string, unitName: string, stay: Partial<SharedStay> = {}): Promise<string> {
  const id = await report(name, stay)
  const units = [{ unitTypeId: house.typeIds.DBL, unitId: house.unitIds[unitName] }]
  await house.change(id, { units })
  assert.deepEqual(house.intentsOf(id), [])
  return id
}

describe('What has happened here and a PMS is not told', () => {
  it('keeps a guest in house whose stay the PMS cancels, and the day of his arrival', async () => {
    const id = await assigned('F1', '211')
    await house.change(id, { status: 'InHouse' })
    await report('F1', { startDate: '2026-07-02' })
    assert.deepEqual([stayOf(id).startDate, ...reasons(id)], ['2026-07-01', 'guest-was-here'])
    await report('F1', { startDate: '2026-07-02', status: 'Canceled' })
    assert.equal(stayOf(id).status, 'InHouse')
    assert.deepEqual(reasons(id), ['guest-was-here', 'guest-was-here'])
  })

  it('keeps the unit that a key opens', async () => {
    const id = await assigned('F2', '212')
    await house.cardFor(stayOf(id).id, '212')
    await report('F2', { units: [{ unitTypeCode: 'DBL', unitName: '213' }] })
    assert.deepEqual([unitOf(id), ...reasons(id)], ['212', 'key-is-out'])
  })

  it('shows that the PMS has prolonged a stay into the next of the same unit', async () => {
    const ids = [
      await assigned('F3', '214'),
      await assigned('F4', '214', { startDate: '2026-07-10', endDate: '2026-07-12' }),
    ]
    await report('F3', { endDate: '2026-07-11' })
    assert.deepEqual(reasons(...ids), ['double-booked'])
  })
})
