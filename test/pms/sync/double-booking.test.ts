import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { assignment, plain, sync } from '../../../src/composition/api.ts'
import { refusal } from '../../reservation/refusal.ts'
import { openSyncHouse, rights, type SyncHouse } from './house.ts'
import { named } from './reservation-samples.ts'

let house: SyncHouse
beforeEach(async () => {
  house = await openSyncHouse()
})
afterEach(() => house.stop())

const guest = (name: string, unitName: string) =>
  named(name, { status: 'InHouse', units: [{ unitTypeCode: 'DBL', unitName }] })
const unitOf = (id: string) => (house.staysOf(id)[0]!.units[0] as { unitName?: string }).unitName ?? null
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
    assert.deepEqual([house.recordOf(id).state, open(id)], ['Synced', []])
    assert.equal(house.offered(id).stays[0]!.units![0]!.unitName, unitOf(id))
  }
}

const coming = (name: string, unitName: string, more: object = {}) =>
  named(name, {
    startDate: '2026-07-10',
    endDate: '2026-07-12',
    units: [{ unitTypeCode: 'DBL', unitName }],
    ...more,
  })
const reasons = (ids: readonly string[]) => ids.flatMap((id) => open(id).map(({ reason }) => reason))
const decide = (id: string, counts?: 'Pms' | 'Local') =>
  house.write(sync.chooseInConflict, { id: open(id)[0]!.id, counts })

describe('Guests who are given each other’s units by the PMS', () => {
  for (const [what, tell] of [
    ['in house', guest],
    ['to come', coming],
  ] as const)
    for (const order of ['ABC', 'CBA', 'BAC'])
      it(`have them when all is reported, in whatever order: ${what}, ${order}`, async () => {
        const ids: string[] = []
        for (const [name, unitName] of [
          ['A', '211'],
          ['B', '212'],
          ['C', '213'],
        ] as const)
          ids.push(await house.arrives(tell(name, unitName)))
        const gets: Record<string, string> = { A: '212', B: '213', C: '211' }
        for (const name of order) {
          await house.report(tell(name, gets[name]!))
          assert.equal(reasons(ids).length, name === order.at(-1) ? 0 : 1)
        }
        isInStep(ids, ['212', '213', '211'])
        if (tell === guest)
          for (const name of ['211', '212', '213']) assert.equal(house.unit(name).occupied, true)
      })

  it('stay where they are while a key of theirs is out', async () => {
    const ids = await guests(['A', '211'], ['B', '212'])
    await cardFor(ids[0]!, '211')
    await house.report(guest('A', '212'))
    await house.report(guest('B', '211'))
    assert.deepEqual(ids.map(unitOf), ['211', '211'])
    assert.deepEqual(reasons(ids), ['key-is-out', 'double-booked'])
  })
})

describe('A unit that the PMS has reported for two stays', () => {
  async function both(): Promise<[string, string]> {
    const ids: [string, string] = [
      await house.arrives(coming('A', '211')),
      await house.arrives(coming('B', '212')),
    ]
    await house.report(coming('B', '211', { startDate: '2026-07-11', endDate: '2026-07-14' }))
    return ids
  }

  it('is listed once, with both guests, and is no difference from the PMS', async () => {
    const [one, two] = await both()
    assert.deepEqual([one, two].map(unitOf), ['211', '211'])
    assert.deepEqual([reasons([one]), reasons([two])], [[], ['double-booked']])
    const [conflict] = open(two)
    assert.equal(
      conflict!.sentence,
      'The PMS gave Ms Kern-B 211 at 14:00; here it is 212. Ms Kern-A has that room then, too: neither can check in until one of them gets another room, or this is decided.',
    )
    assert.equal(house.shownSync(two).state, 'Conflict')
    assert.equal(house.offered(two).stays[0]!.units![0]!.unitName, '211')
    const again = coming('B', '211', { startDate: '2026-07-11', endDate: '2026-07-14', comment: 'Late.' })
    await house.report(again)
    assert.equal(house.conflictsOf(two).length, 1)
  })

  it('is assigned to nobody else here, opens by no new key, and nobody checks in to it', async () => {
    const [one, two] = await both()
    const other = await house.arrives(coming('C', '213'))
    const units = [{ unitTypeId: house.typeIds.DBL!, unitId: house.unitIds['211']! }]
    await assert.rejects(house.change(other, { units }), refusal('unit-occupied', '/units/0/unitId'))
    house.elapse(10 * 86_400_000)
    for (const id of [one, two])
      await assert.rejects(house.change(id, { status: 'InHouse' }), refusal('unit-occupied', '/status'))
    await assert.rejects(house.keyAsked(house.staysOf(one)[0]!, '211'), refusal('unit-occupied', '/unitName'))
    await decide(two, 'Pms')
    await house.keyAsked(house.staysOf(two)[0]!, '211')
  })

  it('is the guest’s of the conflict where the PMS’s word counts, and the other has none', async () => {
    const [one, two] = await both()
    await decide(two)
    assert.deepEqual([one, two].map(unitOf), [null, '211'])
    assert.equal(house.conflictsOf(two)[0]!.state, 'accepted')
    assert.equal(house.shownSync(two).state, 'Synced')
  })

  it('is the other’s where the house’s word counts: the guest has his former unit', async () => {
    const [one, two] = await both()
    await decide(two, 'Local')
    assert.deepEqual([one, two].map(unitOf), ['211', '212'])
    assert.equal(house.conflictsOf(two)[0]!.state, 'reversed')
  })

  it('is no conflict of guests who share it, from when the PMS says so and as long as it does', async () => {
    const shareId = '0197c0de-0000-7000-8000-000000000001'
    const shared = (name: string, more: object = {}) => coming(name, '211', { shareId, ...more })
    const ids = [await house.arrives(shared('A')), await house.arrives(shared('B'))]
    assert.deepEqual(reasons(ids), [])
    assert.deepEqual(ids.map(unitOf), ['211', '211'])
    assert.deepEqual([house.recordOf(ids[1]!).state, house.staysOf(ids[1]!)[0]!.shareId], ['Synced', shareId])
    await house.report(shared('B', { shareId: null }))
    assert.deepEqual(reasons(ids), ['double-booked'])
    await house.report(shared('B', { comment: 'Late.' }))
    assert.deepEqual([reasons(ids), house.conflictsOf(ids[1]!)[0]!.state], [[], 'settled'])
    house.elapse(10 * 86_400_000)
    for (const id of ids) await house.change(id, { status: 'InHouse' })
    for (const id of ids) await house.keyAsked(house.staysOf(id)[0]!, '211')
  })

  it('is offered to the PMS as shared where the front desk lets guests share it', async () => {
    const ids = [await house.arrives(coming('A', '211')), await house.arrives(coming('B', '212'))]
    const [host, joining] = ids.map((id) => house.staysOf(id)[0]!.id)
    await house.write(assignment.shareUnits, { stayId: joining!, withStayId: host!, rights })
    const offers = ids.map((id) => house.offered(id).stays[0]!)
    assert.ok(offers[0]!.shareId)
    assert.equal(offers[1]!.shareId, offers[0]!.shareId)
    assert.equal(offers[1]!.units![0]!.unitName, '211')
    for (const id of ids) assert.ok(house.intentsOf(id).some(({ members }) => members.includes('shareId')))
  })

  it('is not taken from a guest who is in it', async () => {
    const [one] = await guests(['A', '211'])
    const two = await house.arrives(named('B', { units: [{ unitTypeCode: 'DBL', unitName: '211' }] }))
    assert.deepEqual([reasons([two]), unitOf(one!)], [['double-booked'], '211'])
    await assert.rejects(decide(two, 'Pms'), refusal('unit-occupied'))
    await decide(two)
    assert.deepEqual([unitOf(one!), unitOf(two)], ['211', null])
  })

  it('is no conflict any more when the PMS or the desk gives one of them another', async () => {
    const [, two] = await both()
    await house.report(coming('A', '213'))
    assert.deepEqual(reasons([two]), [])
    assert.equal(house.shownSync(two).state, 'Synced')
  })

  it('that another has for a walk-in of the desk is listed as well', async () => {
    const id = await house.arrives(coming('F', '211'))
    const walkIn = await house.write(house.reservations.createReservation, {
      attributes: {},
      stays: [
        {
          startDate: '2026-07-10',
          endDate: '2026-07-12',
          status: 'Confirmed',
          personCount: { adults: 1 },
          reservationIds: [],
          units: [{ unitTypeId: house.typeIds.DBL!, unitId: house.unitIds['212']! }],
        },
      ],
      source: 'Api',
    })
    await house.report(coming('F', '212'))
    assert.deepEqual([unitOf(id), unitOf(walkIn.id)], ['212', '212'])
    assert.equal(open(id)[0]!.reason, 'double-booked')
  })
})

describe('A guest who is moved by the desk of the PMS', () => {
  it('has the unit, and the conflict about it is over', async () => {
    const [id] = await guests(['A', '211'])
    await cardFor(id!, '211')
    await house.report(guest('A', '212'))
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
    await house.report(guest('A', '212'))
    await house.write(sync.chooseInConflict, { id: open(id!)[0]!.id, counts: 'Local' })
    assert.equal(await move('A', '212'), 'moved')
    assert.equal(house.conflictsOf(id!)[0]!.state, 'reversed')
  })

  it('has it before the PMS itself has reported it', async () => {
    const [id] = await guests(['A', '211'])
    assert.equal(await move('A', '212'), 'moved')
    await house.report(guest('A', '212'))
    isInStep([id!], ['212'])
  })

  it('is in a unit that was planned for another, which is listed', async () => {
    const [id] = await guests(['A', '211'])
    const planned = await house.arrives(coming('B', '212', { startDate: '2026-07-02' }))
    assert.equal(await move('A', '212'), 'moved')
    assert.deepEqual([id!, planned].map(unitOf), ['212', '212'])
    assert.deepEqual([reasons([id!]), house.shownSync(id!).state], [['double-booked'], 'Conflict'])
    await house.report(guest('A', '212'))
    assert.deepEqual(reasons([id!, planned]), ['double-booked'])
    await house.report(coming('B', '213', { startDate: '2026-07-02' }))
    assert.deepEqual([reasons([id!, planned]), house.shownSync(id!).state], [[], 'Synced'])
  })

  it('is not put into the unit of another who is in house', async () => {
    const ids = await guests(['A', '211'], ['B', '212'])
    await cardFor(ids[0]!, '211')
    await house.report(guest('A', '212'))
    assert.equal(await move('A', '212'), 'taken')
    assert.deepEqual(ids.map(unitOf), ['211', '212'])
  })

  it('swaps with one who was moved to the unit, and has no key of the one that he leaves', async () => {
    const ids = await guests(['A', '211'], ['B', '212'])
    await cardFor(ids[0]!, '211')
    await house.report(guest('A', '212'))
    await house.report(guest('B', '211'))
    assert.equal(await move('A', '212'), 'moved')
    isInStep(ids, ['212', '211'])
  })

  it('is not moved while the other has a key still, but is when that is dead', async () => {
    const ids = await guests(['A', '211'], ['B', '212'])
    await cardFor(ids[0]!, '211')
    const keyId = await cardFor(ids[1]!, '212')
    await house.report(guest('A', '212'))
    await house.report(guest('B', '211'))
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
})
