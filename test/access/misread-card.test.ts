import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'

let house: HouseWithDesk

before(async () => {
  house = await houseWithDesk()
})
after(() => house.stop())

it('a card that refuses every key is read as that of another system, which proves nothing of the key in doubt on it', async () => {
  const { desk } = house
  const { id, card } = await desk.inDoubt(() => desk.make('101'))
  for (let index = 0; index < 8; index++)
    desk.encoder.misbehaviours.push({ at: 'login', does: 'refuse', code: '0000' })
  const misread = await desk.read(card)
  assert.deepEqual(misread.body.meta.warnings, ['The card holds data of another system.'])
  desk.encoder.misbehaviours.length = 0
  assert.deepEqual([(await house.key(id)).status, (await house.key(id)).mayOpen], ['unknown', true])
  assert.equal(house.present(card, '101').slice(0, 6), 'opened')
  await desk.read(card)
  assert.equal((await house.key(id)).status, 'live')
})
