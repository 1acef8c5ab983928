import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { blank, type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'

let house: HouseWithDesk

before(async () => {
  house = await houseWithDesk()
})
after(() => house.stop())

it('a blank card that is laid down in place of the written one does not prove it erased', async () => {
  const { desk } = house
  const written = blank()
  desk.card = written
  const next = (at: string, skip: number, then: () => void) =>
    void desk.encoder.misbehaviours.push({ at, skip, does: 'pass', then })
  const swap = () => {
    desk.card = blank()
  }
  // The search after the last write.
  next('writeBlock', 3, () => next('searchTag', 0, swap))
  const answer = await desk.make('101')
  assert.deepEqual(answer.body.meta, { errorCode: 'card-removed', outcomeUnknown: true }, answer.text)
  const { keyId } = answer.body.errors[0].meta
  const { status, mayOpen } = await house.key(keyId)
  assert.deepEqual([status, mayOpen], ['unknown', true])
  assert.equal(house.present(written, '101').slice(0, 6), 'opened')
  await desk.read(written)
  assert.equal((await house.key(keyId)).status, 'live')
})

it('a blank card on the encoder does not prove a test card erased that is elsewhere', async () => {
  const { desk } = house
  const step = (body: object) =>
    house.ask('POST', `/api/config/v1/access-controllers/${desk.controllerId}/actions/commission-step`, {
      body,
    })
  const atDoor = blank()
  desk.card = atDoor
  const made = await step({ step: 'door-card', unitName: '102' })
  assert.equal(made.status, 200, made.text)
  const { keyId } = made.body.meta
  desk.card = blank()
  const { body, text } = await step({ step: 'end' })
  assert.deepEqual(body.meta?.ended, [{ keyId, ending: 'blocked' }], text)
  assert.equal(house.present(atDoor, '102').slice(0, 6), 'opened')
  assert.equal((await house.key(keyId)).mayOpen, true)
})
