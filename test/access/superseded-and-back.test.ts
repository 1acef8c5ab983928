import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Guest, type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { idle, serve, until } from './house-with-doors.ts'

let house: HouseWithDesk
let guests: GuestsOfUnits
before(async () => {
  house = await houseWithDesk()
  guests = await guestsOfUnits(house.ask)
})
after(() => house.stop())

const statuses = (ids: string[]) => Promise.all(ids.map(async (id) => (await house.key(id)).status))

async function inHouse(unitName: string): Promise<Guest> {
  const guest = await guests.booked(unitName, 1, 3)
  await guests.become(guest, 'InHouse')
  return guest
}

describe('a key whose newer key is not finished, and whose stay goes on after an undone change', () => {
  for (const [unitName, over] of [
    ['101', 'Confirmed'],
    ['102', 'CheckedOut'],
  ] as const)
    it(`is superseded again, not live, after ${over}`, async () => {
      const guest = await inHouse(unitName)
      const { externalId } = guest
      const one = await serve(house, unitName, { externalId })
      const { id: two, card } = await house.desk.inDoubt(() => house.desk.make(unitName, { externalId }))
      await guests.become(guest, over)
      assert.equal((await house.key(one.id)).status, 'revocationPending')
      await guests.become(guest, 'InHouse')
      assert.deepEqual(await statuses([one.id, two]), ['superseded', 'unknown'])
      assert.equal((await house.desk.read(card)).status, 200)
      house.desk.card = null
      assert.deepEqual(await statuses([one.id, two]), ['superseded', 'live'])
      assert.match(house.present(card, unitName), /^opened/)
      assert.equal(house.present(one.card, unitName), 'superseded')
    })

  it('is live again where the newer one is proven never made', async () => {
    const guest = await inHouse('103')
    const { externalId } = guest
    const one = await serve(house, '103', { externalId })
    house.lobby.dispenser.takenAfterMs = null
    const left = await house.issue('103', { externalId })
    assert.equal(left.status, 201, left.text)
    await guests.become(guest, 'Confirmed')
    await guests.become(guest, 'InHouse')
    const { id } = left.body.data
    assert.equal((await statuses([one.id, id])).filter((status) => status === 'live').length <= 1, true)
    await idle(house)
    house.lobby.dispenser.takenAfterMs = 0
    assert.equal((await house.key(id)).mayOpen, false)
    assert.equal((await house.key(one.id)).status, 'live')
    assert.match(house.present(one.card, '103'), /^opened/)
  })

  it('ends no later key of the guest', async () => {
    const guest = await inHouse('104')
    const { externalId } = guest
    const one = await serve(house, '104', { externalId })
    await house.desk.inDoubt(() => house.desk.make('104', { externalId }))
    await guests.become(guest, 'Confirmed')
    await guests.become(guest, 'InHouse')
    const three = await serve(house, '104', { externalId })
    assert.deepEqual(await statuses([one.id, three.id]), ['superseded', 'live'])
  })
})

it('a superseded key that is proven dead stays so when its stay ends', async () => {
  const guest = await inHouse('105')
  const { externalId } = guest
  const one = await serve(house, '105', { externalId })
  await house.desk.inDoubt(() => house.desk.make('105', { externalId }))
  house.clock.advance(Date.UTC(2026, 5, 3, 12) - house.clock.now())
  await until(
    'the end of the window',
    () => house.key(one.id),
    ({ proof }) => proof === 'validity-over',
  )
  await guests.become(guest, 'CheckedOut')
  const { status, proof, mayOpen } = await house.key(one.id)
  assert.deepEqual([status, proof, mayOpen], ['superseded', 'validity-over', false])
})
