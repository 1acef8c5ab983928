import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sync } from '../../../src/composition/api.ts'
import { refusal } from '../../reservation/refusal.ts'
import { openSyncHouse, type SyncHouse } from './house.ts'
import { named } from './reservation-samples.ts'

let house: SyncHouse
before(async () => {
  house = await openSyncHouse()
})
after(() => house.stop())

const inRoom = (name: string, unitName: string | null) =>
  named(name, { amount: null, units: [{ unitTypeCode: 'DBL', unitName }] })
const unitOf = (id: string) =>
  (house.staysOf(id)[0]!.units[0] as { unitName?: string | null }).unitName ?? null
const open = (id: string) => house.conflictsOf(id).filter(({ state }) => state === 'open')

/** A guest who was in a unit, and has left. */
async function hasLeft(name: string, unitName: string): Promise<string> {
  const id = await house.arrives(inRoom(name, unitName))
  await house.change(id, { status: 'InHouse' })
  await house.change(id, { status: 'CheckedOut' })
  return id
}

describe('A guest who has left', () => {
  it('was in the unit that he was in, whatever the PMS planned meanwhile', async () => {
    const id = await hasLeft('L1', '212')
    await house.report(inRoom('L1', '214'))
    assert.deepEqual([house.staysOf(id)[0]!.status, unitOf(id)], ['CheckedOut', '212'])
    assert.deepEqual(
      open(id).map(({ fieldGroup, reason, counts }) => [fieldGroup, reason, counts]),
      [['units', 'guest-was-here', 'Local']],
    )
    assert.equal(house.recordOf(id).pending, true)
  })

  it('was in it also where the PMS has taken it from him', async () => {
    const id = await hasLeft('L2', '213')
    await house.report(inRoom('L2', null))
    assert.equal(unitOf(id), '213')
  })

  it('is not put elsewhere afterwards, and the desk can agree to where he was', async () => {
    const id = await hasLeft('L3', '211')
    await house.report(inRoom('L3', '214'))
    const [conflict] = open(id)
    const choice = { id: conflict!.id, counts: 'Pms' as const }
    await assert.rejects(house.write(sync.chooseInConflict, choice), refusal('stay-status-transition'))
    await house.write(sync.chooseInConflict, { id: conflict!.id })
    assert.deepEqual([unitOf(id), open(id), house.recordOf(id).pending], ['211', [], true])
  })
})
