import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { keySystem } from '../../drivers/fias/simulator/key-system-simulator.ts'
import { startAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'
import { creator, type OnlineHouse, onlineHouse } from './faults-online.ts'
import { type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { until } from './house-with-doors.ts'
import { cardOf, keyMaker } from './key-maker.ts'
import { sockets } from './sockets.ts'

describe('the doors of a key at a key system', () => {
  let house: OnlineHouse
  let guests: GuestsOfUnits

  before(async () => {
    house = await onlineHouse('fias-key')
    guests = await guestsOfUnits(house.ask)
    const [{ id }] = (await house.ask('GET', '/api/config/v1/access-providers?filter[name]=Lock system')).body
      .data
    const body = { maxExtraUnits: 3 }
    assert.equal((await house.ask('PATCH', `/api/config/v1/access-providers/${id}`, { body })).status, 204)
  })
  after(() => house.stop())

  const { make, made, attributes, act } = keyMaker(
    () => house,
    () => house.controllers.desk,
  )
  const statusOf = async (id: string) => (await attributes(id)).status

  it('of a card that was moved get numbers of their own locks, so that a new card ends it', async () => {
    let moved = ''
    for (let made4 = 0; made4 < 4; made4++) moved = await made('101', { externalId: 'MOVER' })
    const { status, text } = await act(moved, 'move', { newUnitName: '102' })
    assert.equal(status, 200, text)
    const next = await made('102', { externalId: 'MOVER' })
    assert.deepEqual([await statusOf(moved), await statusOf(next)], ['superseded', 'live'])
    assert.deepEqual(house.system.opening('102'), [(await attributes(next)).uid])
  })

  it('are its own again where it moves to one that it had lost', async () => {
    const family = await made('105', { externalId: 'FAMILY', extraUnits: ['106'] })
    await made('106')
    const { status, text } = await act(family, 'move', { newUnitName: '106' })
    assert.equal(status, 200, text)
    await made('106')
    assert.equal(await statusOf(family), 'superseded')
  })

  it('are not closed by the use of another card at an extra unit: the key system opens it for both', async () => {
    const family = await made('103', { extraUnits: ['104'] })
    const own = await made('104')
    const { status, body, text } = await act(own, 'seen-at-door')
    assert.deepEqual([status, body.meta.provenDead], [200, []], text)
    assert.equal(house.system.opening('104').length, 2)
    const { doors } = await attributes(family)
    assert.deepEqual(
      doors.map(({ unitName, mayOpen }: { unitName: string; mayOpen: boolean }) => [unitName, mayOpen]),
      [
        ['103', true],
        ['104', true],
      ],
    )
  })

  it('are asked for by the next guest of an extra unit: the key system does not say whether a new card ends it', async () => {
    const one = await guests.booked('105', 1, 3)
    await guests.become(one, 'InHouse')
    const card = await made('105', { externalId: one.externalId, extraUnits: ['106', '102'] })
    await passTime(1_000)
    const [next, child] = [await guests.booked('106', 1, 3), await guests.booked('102', 1, 3, one)]
    for (const guest of [next, child]) await guests.become(guest, 'InHouse')
    await made('102', { externalId: child.externalId })
    const { status, body, text } = await make('106', { externalId: next.externalId })
    assert.deepEqual(
      [status, body.errors?.[0].code, body.errors?.[0].meta.keyId],
      [409, 'unit-occupied', card],
      text,
    )
    await made('105', { externalId: one.externalId })
    await made('106', { externalId: next.externalId })
    for (const guest of [one, next, child]) await guests.become(guest, 'CheckedOut')
  })

  it('are those of a unit also where an access unit writes its lock in other letters', async () => {
    const { id, attributes } = (
      await house.ask('GET', '/api/config/v1/access-providers?filter[name]=Lock system')
    ).body.data[0]
    const unitMapping = [...attributes.unitMapping, { unitName: '201', externalCode: 'Suite9' }]
    const path = `/api/config/v1/access-providers/${id}`
    assert.equal((await house.ask('PATCH', path, { body: { unitMapping } })).status, 204)
    const own = { name: 'Lock of the suite', code: 'SUITE9', providerId: id }
    assert.equal((await house.ask('POST', '/api/v2/access/units', { body: own })).status, 201)
    await guests.become(await guests.booked('201', 1, 3), 'InHouse')
    const stranger = await make(own.name)
    assert.deepEqual([stranger.status, stranger.body.errors[0].code], [409, 'unit-occupied'], stranger.text)
  })

  it('open on where a new card for the guest was refused, although another guest has one of them by now', async () => {
    const [one, other] = [await guests.booked('107', 1, 3), await guests.booked('108', 1, 3)]
    for (const guest of [one, other]) await guests.become(guest, 'InHouse')
    await passTime(1_000)
    const both = {
      externalId: one.externalId,
      extraUnits: ['108'],
      meta: { confirm: true, reason: 'family' },
    }
    const card = await made('107', both)
    await made('108', { externalId: other.externalId })
    house.system.misbehaviours.push({ at: 'KR', does: 'refuse' })
    assert.equal((await make('107', both)).status, 502)
    await passTime(40_000)
    assert.equal(await statusOf(card), 'live')
    assert.deepEqual(house.system.opening('107'), [(await attributes(card)).uid])
  })
})

describe('a revocation at a key system whose locks are connected', () => {
  async function connected(test: TestContext, options: { leavesOut?: string[]; connection?: object }) {
    const house = await startAppliance()
    const plugs = sockets()
    test.after(async () => {
      await house.stop()
      plugs.close()
    })
    const rooms = ['101', '102', '103']
    const { leavesOut = [], connection } = options
    const system = keySystem({ clock: house.clock, rooms, leavesOut })
    if (leavesOut.includes('G#'))
      system.wanted = [
        ['KR', 'KCKTRNG#GDWSSI'],
        ['KD', 'KCRNWS'],
        ['KA', 'ASKCWS$2'],
      ]
    const path = await plugs.plugIn((wire) => system.play(wire))
    const create = creator(house.ask)
    const providerId = await create('access-providers', {
      name: 'Connected locks',
      driver: 'fias-key',
      connection: { direction: 'connect', path, onlineLocks: true, ...connection },
      unitMapping: rooms.map((unitName) => ({ unitName, externalCode: unitName })),
      maxExtraUnits: 3,
    })
    const desk = await create('access-controllers', {
      providerId,
      name: 'Desk of the locks',
      kind: 'encoder',
      keyType: 'keyCard',
      timeoutMs: 18_000,
      externalCode: '1',
    })
    const made = async (unitName: string, more: object = {}) => {
      const make = () => house.ask('POST', `/api/v2/access/controllers/${desk}/key`, cardOf(unitName, more))
      const { body } = await until('a key', make, ({ status }) => status === 201)
      return String(body.data.id)
    }
    const attributes = async (id: string) =>
      (await house.ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes
    return { house, system, desk, made, attributes }
  }

  it('of one unit closes no other door of the keys that it ends', async (test) => {
    const { house, system, made, attributes } = await connected(test, { leavesOut: ['G#'] })
    const lost = await made('103', { extraUnits: ['101'] })
    const own = await made('101')
    await house.ask('POST', `/api/v2/access/keys/${lost}/actions/block`, { body: {} })
    system.deeds.push({ at: 'KD', does: 'refuse', skip: 1 })
    await house.ask('DELETE', `/api/v2/access/keys/${own}`)
    await until(
      'the revocation of 101',
      () => attributes(own),
      ({ mayOpen }) => !mayOpen,
    )
    const half = await attributes(lost)
    assert.deepEqual([half.mayOpen, half.doors[0].mayOpen, half.doors[1].mayOpen], [true, true, false])
    assert.equal(system.book.opens('103').length, 1)
    await passTime(200_000)
    assert.deepEqual([(await attributes(lost)).mayOpen, system.book.opens('103')], [false, []])
  })

  it('that is under way while the stay goes on ends the key, and the next request makes it again', async (test) => {
    const { house, system, desk, made, attributes } = await connected(test, {
      connection: { options: { Gym: 1 } },
    })
    const guests = await guestsOfUnits(house.ask)
    const guest = await guests.booked('101', 1, 3)
    await guests.become(guest, 'InHouse')
    const put = () =>
      house.ask(
        'PUT',
        `/api/v2/access/controllers/${desk}/keys/by-reservation/${guest.externalId}`,
        cardOf('101', { authorizations: ['Gym'] }),
      )
    const first = await until('a key', put, ({ status }) => status < 300)
    const id = String(first.body.data.id)
    system.deeds.push({ at: 'KD', does: 'hold' })
    await guests.become(guest, 'CheckedOut')
    const asked = async () => system.requests.filter((each) => each.id === 'KD').length
    await until('the revocation', asked, (count) => count > 0)
    await guests.become(guest, 'InHouse')
    assert.equal((await attributes(id)).status, 'live')
    system.release()
    await passTime(5_000)
    const { status, doors } = await attributes(id)
    assert.deepEqual([status, doors[0].mayOpen, doors[1].mayOpen], ['revocationPending', false, true])
    const again = (await put()).body.data
    assert.notEqual(again.id, id)
    assert.deepEqual(
      system.book.opens('101').map(({ uid }) => uid),
      [again.attributes.uid],
    )

    // The request has no field for the extra unit, so its answer says nothing about that door.
    const card = await made('102', { extraUnits: ['103'] })
    await house.ask('DELETE', `/api/v2/access/keys/${card}`)
    const half = await until(
      'the revocation of 102',
      () => attributes(card),
      ({ doors: [main] }) => !main.mayOpen,
    )
    assert.deepEqual([half.status, half.mayOpen, half.doors[1].mayOpen], ['revocationPending', true, true])
    const sent = await asked()
    await passTime(600_000)
    assert.equal(await asked(), sent)
  })
})
