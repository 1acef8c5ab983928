import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { take } from '../../src/simulators/devices/simulated-card-path.ts'
import { blank, type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { idle, settledKey, until } from './house-with-doors.ts'

let house: HouseWithDesk

before(async () => {
  house = await houseWithDesk()
})
beforeEach(() => {
  house.lobby.dispenser.takenAfterMs = 0
  return idle(house)
})
after(() => house.stop())

/** The key of a stay by its PUT, at the lobby unless said otherwise. */
function put(stay: string, unitName: string, at = house.controllerId) {
  const body = {
    type: 'keyCard',
    unitName,
    original: true,
    startDate: '2026-06-01',
    endDate: '2026-06-03',
  }
  return house.ask('PUT', `/api/v2/access/controllers/${at}/keys/by-reservation/${stay}`, { body })
}

/** The same at the lobby, and the card is taken. */
async function served(stay: string, unitName: string): Promise<string> {
  const { status, body, text } = await put(stay, unitName)
  assert.equal(status, 200, text)
  await idle(house)
  return String(body.data.id)
}

/** The ids of the keys that may still open a unit and that nobody should have. */
async function olderKeys(unitName: string): Promise<string[]> {
  const { body } = await house.ask('GET', '/api/v2/access/units-with-older-keys')
  return body.data
    .filter(({ attributes }: { attributes: { unitName: string } }) => attributes.unitName === unitName)
    .flatMap(({ attributes }: { attributes: { keys: { keyId: string }[] } }) =>
      attributes.keys.map(({ keyId }) => keyId),
    )
}

/** The key of the former unit, and what a person is shown of it. */
async function expectToBeTakenAway(id: string, unitName: string): Promise<void> {
  const { status, mayOpen } = await house.key(id)
  assert.deepEqual([status, mayOpen], ['revocationPending', true])
  assert.ok((await olderKeys(unitName)).includes(id))
}

describe('a guest who moves', () => {
  it('leaves his former unit also where nobody took the first card of the new one', async () => {
    const former = await served('MOVE-1', '101')
    house.lobby.dispenser.takenAfterMs = null
    const left = await put('MOVE-1', '102')
    assert.equal(left.status, 200, left.text)
    await until(
      'the end of the wait',
      () => house.key(left.body.data.id),
      ({ status }) => status === 'removed',
    )
    assert.equal((await house.key(former)).status, 'live')
    house.lobby.dispenser.takenAfterMs = 0
    await served('MOVE-1', '102')
    await expectToBeTakenAway(former, '101')
  })

  it('leaves it also where nobody knows what became of the first card', async () => {
    const former = await served('MOVE-2', '103')
    await house.desk.inDoubt(() => put('MOVE-2', '104', house.desk.controllerId))
    assert.equal((await house.key(former)).status, 'live')
    await served('MOVE-2', '104')
    await expectToBeTakenAway(former, '103')
  })

  it('leaves it when such a card is found to be made', async () => {
    const former = await served('MOVE-3', '105')
    const doubt = await house.desk.inDoubt(() => put('MOVE-3', '106', house.desk.controllerId))
    await house.desk.read(doubt.card)
    assert.equal((await house.key(doubt.id)).status, 'live')
    await expectToBeTakenAway(former, '105')
    house.desk.card = null
  })

  it('leaves a unit of which nobody knows whether he ever had a card', async () => {
    const former = await served('MOVE-4', '107')
    const doubt = await house.desk.inDoubt(() => put('MOVE-4', '108', house.desk.controllerId))
    await served('MOVE-4', '109')
    await expectToBeTakenAway(former, '107')
    await expectToBeTakenAway(doubt.id, '108')
    // Found later, it is no key of anybody's again.
    await house.desk.read(doubt.card)
    await expectToBeTakenAway(doubt.id, '108')
    house.desk.card = null
  })

  it('leaves it also where he took the card while the box was off', async () => {
    const former = await served('MOVE-5', '110')
    house.lobby.dispenser.takenAfterMs = null
    const made = await put('MOVE-5', '201')
    assert.equal(made.status, 200, made.text)
    await house.appliance.close()
    assert.equal(take(house.lobby.dispenser), true)
    await house.restart()
    assert.equal((await settledKey(house, made.body.data.id)).status, 'live')
    await expectToBeTakenAway(former, '110')
  })

  it('keeps the card that he has until he has the other', async () => {
    const former = await served('MOVE-6', '202')
    house.lobby.dispenser.takenAfterMs = null
    const made = await put('MOVE-6', '203')
    assert.equal((await house.key(former)).status, 'live')
    assert.deepEqual(await olderKeys('202'), [])
    assert.equal(take(house.lobby.dispenser), true)
    await settledKey(house, made.body.data.id)
    await expectToBeTakenAway(former, '202')
  })

  it('keeps a card beside it that was asked for as another one', async () => {
    const first = await served('MOVE-7', '204')
    house.desk.card = blank()
    const other = await house.desk.make('205', { externalId: 'MOVE-7' })
    assert.equal(other.status, 201, other.text)
    assert.equal((await house.key(first)).status, 'live')
    house.desk.card = null
  })
})
