import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { plain, sync } from '../../../src/api.ts'
import { refusal } from '../../reservation/refusal.ts'
import { openSyncHouse, type SyncHouse } from './house.ts'
import { named } from './told-samples.ts'

let house: SyncHouse
beforeEach(async () => {
  house = await openSyncHouse()
})
afterEach(() => house.stop())

const guest = (name: string, unitName: string) =>
  named(name, { status: 'InHouse', units: [{ unitTypeCode: 'DBL', unitName }] })
const unitOf = (id: string) => (house.staysOf(id)[0]!.units[0] as { unitName?: string }).unitName
const open = (id: string) => house.conflictsOf(id).filter(({ state }) => state === 'open')
const move = (name: string, unitName: string) =>
  house.write(sync.moveGuestNow, {
    configurationId: house.configurationId,
    stayId: `${name}-S`,
    unitName,
  })
const cardFor = (id: string, unitName: string) => house.cardFor(house.staysOf(id)[0]!.id, unitName)

/** Guests in house, each in his unit. */
async function guests(...units: [name: string, unitName: string][]): Promise<string[]> {
  const ids: string[] = []
  for (const [name, unitName] of units) ids.push(await house.arrives(guest(name, unitName)))
  return ids
}

function isInStep(ids: readonly string[], units: readonly string[]): void {
  assert.deepEqual(ids.map(unitOf), units)
  for (const id of ids) {
    assert.deepEqual([house.recordOf(id).state, house.recordOf(id).waitsFor, open(id)], ['Synced', null, []])
    assert.equal(house.told(id).stays[0]!.units![0]!.unitName, unitOf(id))
  }
}

describe('Guests in house who are given each other’s units', () => {
  for (const order of [
    ['A', 'B'],
    ['B', 'A'],
  ])
    it(`swap them, whoever is told first: ${order.join()}`, async () => {
      const ids = await guests(['A', '211'], ['B', '212'])
      const gets: Record<string, string> = { A: '212', B: '211' }
      await house.tell(guest(order[0]!, gets[order[0]!]!))
      assert.deepEqual(ids.map(unitOf), ['211', '212'])
      await house.tell(guest(order[1]!, gets[order[1]!]!))
      isInStep(ids, ['212', '211'])
      for (const name of ['211', '212']) assert.equal(house.unit(name).occupied, true)
    })

  it('come round in a ring of three', async () => {
    const ids = await guests(['A', '211'], ['B', '212'], ['C', '213'])
    await house.tell(guest('A', '212'))
    await house.tell(guest('C', '211'))
    await house.tell(guest('B', '213'))
    isInStep(ids, ['212', '213', '211'])
  })

  it('stay where they are while one of them has a key of his', async () => {
    const ids = await guests(['A', '211'], ['B', '212'])
    await cardFor(ids[0]!, '211')
    await house.tell(guest('A', '212'))
    await house.tell(guest('B', '211'))
    assert.deepEqual(ids.map(unitOf), ['211', '212'])
    assert.deepEqual(
      ids.flatMap((id) => open(id).map(({ reason }) => reason)),
      ['key-is-out', 'unit-taken'],
    )
  })
})

it('A stay whose dates are moved into those of a guest in house is not put on top of him', async () => {
  const [id] = await guests(['A', '211'])
  const units = [{ unitTypeCode: 'DBL', unitName: '211' }]
  const later = { units, startDate: '2026-07-10', endDate: '2026-07-12' }
  const coming = await house.arrives(named('B', later))
  await house.tell(named('B', { ...later, startDate: '2026-07-02' }))
  assert.equal(unitOf(id!), '211')
  assert.equal(open(coming)[0]!.reason, 'unit-taken')
})

describe('A guest who is moved by the desk of the PMS', () => {
  it('has the unit, and the conflict about it is over', async () => {
    const [id] = await guests(['A', '211'])
    await cardFor(id!, '211')
    await house.tell(guest('A', '212'))
    assert.equal(open(id!)[0]!.reason, 'key-is-out')
    assert.equal(await move('A', '212'), 'moved')
    isInStep([id!], ['212'])
    assert.equal(house.conflictsOf(id!)[0]!.state, 'reversed')
    assert.equal(house.unit('211').status, 'Dirty')
    assert.equal(await move('A', '212'), 'there')
  })

  it('has it against what the house had decided for itself', async () => {
    const [id] = await guests(['A', '211'])
    await cardFor(id!, '211')
    await house.tell(guest('A', '212'))
    await house.write(sync.chooseInConflict, { id: open(id!)[0]!.id, counts: 'Local' })
    assert.equal(await move('A', '212'), 'moved')
    assert.equal(house.conflictsOf(id!)[0]!.state, 'reversed')
  })

  it('has it before the PMS itself has told of it', async () => {
    const [id] = await guests(['A', '211'])
    assert.equal(await move('A', '212'), 'moved')
    await house.tell(guest('A', '212'))
    isInStep([id!], ['212'])
  })

  it('is not put into the unit of another who is in house', async () => {
    const ids = await guests(['A', '211'], ['B', '212'])
    await cardFor(ids[0]!, '211')
    await house.tell(guest('A', '212'))
    assert.equal(await move('A', '212'), 'taken')
    assert.deepEqual(ids.map(unitOf), ['211', '212'])
  })

  it('swaps with one who was moved to his unit, and has no key of the one that he leaves', async () => {
    const ids = await guests(['A', '211'], ['B', '212'])
    await cardFor(ids[0]!, '211')
    await house.tell(guest('A', '212'))
    await house.tell(guest('B', '211'))
    assert.equal(await move('A', '212'), 'moved')
    isInStep(ids, ['212', '211'])
  })

  it('does not swap with one who has a key of his still, but does when that is dead', async () => {
    const ids = await guests(['A', '211'], ['B', '212'])
    await cardFor(ids[0]!, '211')
    const keyId = await cardFor(ids[1]!, '212')
    await house.tell(guest('A', '212'))
    await house.tell(guest('B', '211'))
    assert.equal(await move('A', '212'), 'taken')
    assert.deepEqual(ids.map(unitOf), ['211', '212'])
    await house.write(plain.patch, { type: 'key', id: keyId, attributes: { status: 'removed' } })
    assert.equal(await move('A', '212'), 'moved')
    isInStep(ids, ['212', '211'])
  })

  it('is not put into a unit that is blocked, and nobody moves', async () => {
    const ids = await guests(['A', '211'], ['B', '212'])
    await house.write(plain.patch, {
      type: 'unit',
      id: house.unitIds['213']!,
      attributes: { blocks: [{ startDate: '2026-07-01', endDate: '2026-07-03' }] },
    })
    await assert.rejects(move('A', '213'), refusal('unit-blocked', '/units/0/unitId'))
    assert.deepEqual(ids.map(unitOf), ['211', '212'])
  })

  it('is left alone where neither he nor the unit is known', async () => {
    await guests(['A', '211'])
    assert.equal(await move('B', '212'), 'unknown')
    assert.equal(await move('A', '999'), 'unknown')
  })

  it('leaves his unit to whoever waits for it', async () => {
    const [first, second] = await guests(['A', '211'], ['B', '213'])
    await cardFor(first!, '211')
    await house.tell(guest('A', '212'))
    await house.tell(guest('B', '211'))
    assert.equal(unitOf(second!), '213')
    await move('A', '212')
    isInStep([first!, second!], ['212', '211'])
  })
})
