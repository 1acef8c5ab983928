import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { passTime } from '../test-clock.ts'
import { type OnlineHouse, onlineHouse } from './faults-online.ts'
import { blank, type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { idle, serve, settledKey, until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

describe('cards of a unit', () => {
  let house: HouseWithDesk

  before(async () => {
    house = await houseWithDesk()
  })
  beforeEach(() => {
    house.lobby.dispenser.takenAfterMs = 0
    house.desk.card = null
    return idle(house)
  })
  after(() => house.stop())

  const act = (id: string, verb: string) =>
    house.ask('POST', `/api/v2/access/keys/${id}/actions/${verb}`, { body: {} })

  /** An original at the gate that nobody takes; resolves once it is taken back. */
  async function leftAtGate(unitName: string, meanwhile: () => Promise<void>): Promise<void> {
    house.lobby.dispenser.takenAfterMs = null
    const left = await house.issue(unitName)
    assert.equal(left.status, 201, left.text)
    await meanwhile()
    assert.equal((await settledKey(house, left.body.data.id)).mayOpen, false)
    house.lobby.dispenser.takenAfterMs = 0
  }

  it('a copy of an original that nobody took does not pass for older than the one before', async () => {
    const first = await serve(house, '101')
    let copy = ''
    await leftAtGate('101', async () => {
      house.desk.card = blank()
      const made = await house.desk.make('101', { original: false })
      assert.equal(made.status, 201, made.text)
      copy = made.body.data.id
    })
    // The copy is in a hand: its first use ends the first.
    assert.equal((await house.key(copy)).status, 'live')
    assert.equal((await house.key(first.id)).status, 'superseded')
  })

  it('a copy whose original was taken away while it was made never leaves', async () => {
    const { id } = await serve(house, '102')
    house.desk.card = blank()
    house.desk.encoder.pace = 40
    const making = house.desk.make('102', { original: false })
    await until(
      'the copy on its way',
      () => house.ask('GET', '/api/v2/access/keys?filter[unitName]=102&filter[status]=pendingWrite'),
      ({ body }) => body.data.length === 1,
    )
    assert.equal((await act(id, 'block')).status, 200)
    const copy = await making
    house.desk.encoder.pace = 0
    assert.deepEqual([copy.status, copy.body.errors?.[0].code], [409, 'no-original-key'], copy.text)
    assert.doesNotMatch(house.present(house.desk.card!, '102'), /^opened/)
  })

  it('a copy belongs to the guest’s key also where a card for one time was made since', async () => {
    const { id } = await serve(house, '103')
    const path = `/api/v2/access/controllers/${house.controllerId}/one-shot-key`
    const once = await house.ask('POST', path, { body: { unitName: '103' } })
    assert.equal(once.status, 201, once.text)
    await idle(house)
    const copy = await serve(house, '103', { original: false })
    assert.equal((await house.key(copy.id)).familyId, (await house.key(id)).familyId)
  })

  it('a card for one time is not the key of the stay whose name it bears', async () => {
    const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
    const once = await house.issue('104', { externalId: 'ONCE', usage: 'OneShot' })
    assert.equal(once.status, 201, once.text)
    await idle(house)
    const body = { type: 'keyCard', unitName: '104', original: true, ...dates }
    const path = `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/ONCE`
    const put = await house.ask('PUT', path, { body })
    assert.equal(put.status, 200, put.text)
    assert.notEqual(put.body.data.id, once.body.data.id)
  })

  it('a copy that is made again keeps the first until a hand has the other', async () => {
    await serve(house, '105')
    const copy = await serve(house, '105', { original: false })
    house.lobby.dispenser.takenAfterMs = null
    const again = await act(copy.id, 'reencode')
    assert.equal(again.status, 201, again.text)
    assert.equal((await house.key(copy.id)).status, 'superseded')
    await settledKey(house, again.body.data.id)
    assert.equal((await house.key(copy.id)).status, 'live')
  })
})

describe('a PIN that ends while it is told to a lock that refuses it', () => {
  let house: HouseWithPins

  before(async () => {
    house = await houseWithPins()
  })
  after(() => house.stop())

  it('gives back what it had replaced', async () => {
    const first = await house.make({ externalId: 'FIRST' })
    assert.equal(first.status, 201, first.text)
    const found = await house.ask('GET', '/api/v2/reservations?page[size]=1&filter[status]=Confirmed')
    const [reservation] = found.body.data
    const [stay] = reservation.attributes.stays
    house.cloud.misbehaviours.push({ at: 'add', does: 'pass', code: 'held' })
    const { capacity } = house.cloud
    house.cloud.capacity = 0
    const making = house.make({ externalId: stay.id })
    await until(
      'the asking',
      () => house.cloud.held.length,
      (held) => held === 1,
    )
    assert.equal((await house.key(first.body.data.id)).status, 'superseded')
    const path = `/api/v2/reservations/${reservation.id}/stays/${stay.id}`
    const canceled = await house.ask('PATCH', path, { body: { status: 'Canceled' } })
    assert.equal(canceled.status, 204, canceled.text)
    for (const release of house.cloud.held.splice(0)) release()
    const made = await making
    house.cloud.capacity = capacity
    assert.equal(made.status, 502, made.text)
    assert.equal((await house.key(first.body.data.id)).status, 'live')
    assert.equal((await house.key(made.body.errors[0].meta.keyId)).proof, 'never-made')
    assert.ok(house.opens('301', first.body.data.attributes.pin))
  })
})

describe('a card of a lock system that lies at the gate', () => {
  let house: OnlineHouse

  before(async () => {
    house = await onlineHouse('fias-key')
  })
  after(() => house.stop())

  it('does not revoke the card before it until the wait is over, nor reports it live, because the lock system has cancelled it', async () => {
    const { ask } = house
    const statusOf = async (id: string) =>
      (await ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes
    const first = await house.put.desk('GATE-1', '101')
    assert.equal(first.status, 200, first.text)
    house.lobby.dispenser.takenAfterMs = null
    let takenAway = 0
    const then = () => void takenAway++
    house.system.misbehaviours.push({ at: 'KD', does: 'pass', then })
    const path = `/api/v2/access/controllers/${house.controllers.dispenser}/key`
    const body = { type: 'keyCard', unitName: '101', original: true }
    const dates = { startDate: '2026-06-01', endDate: '2026-06-04' }
    const next = await ask('POST', path, { body: { ...body, ...dates, externalId: 'GATE-1' } })
    assert.equal(next.status, 201, next.text)
    await passTime(10_000)
    assert.equal(takenAway, 0)
    await until(
      'the end of the wait',
      () => statusOf(next.body.data.id),
      ({ status }) => status === 'blocked',
    )
    const before = await statusOf(first.body.data.id)
    assert.deepEqual([before.status, before.mayOpen], ['superseded', true])
    assert.deepEqual(house.system.opening('101').includes(before.uid), false)
    house.lobby.dispenser.takenAfterMs = 0
    const again = await house.put.dispenser('GATE-1', '101')
    assert.equal(again.status, 200, again.text)
    assert.ok(![first.body.data.id, next.body.data.id].includes(again.body.data.id), again.text)
  })
})
