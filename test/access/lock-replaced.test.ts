import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type HouseWithDoors, houseWithDoors, newDoor, serve } from './house-with-doors.ts'

let house: HouseWithDoors
before(async () => {
  house = await houseWithDoors()
})
after(() => house.stop())

const replaced = (unitName: string, token?: string) =>
  house.ask('POST', `/api/config/v1/access-providers/${house.providerId}/actions/lock-replaced`, {
    body: { unitName },
    ...(token && { token }),
  })
/** A card of the unit alone, without the entrance. */
const served = (unitName: string) => serve(house, unitName, { deAuthorizations: ['Entrance'] })
const seen = (id: string) => house.ask('POST', `/api/v2/access/keys/${id}/actions/seen-at-door`)
const state = async (id: string) => {
  const { status, mayOpen, proof } = await house.key(id)
  return [status, mayOpen, proof]
}
const unitsWithOlderKeys = async () =>
  (await house.ask('GET', '/api/v2/access/units-with-older-keys')).body.data.map(
    (each: { attributes: { unitName: string } }) => each.attributes.unitName,
  )

it('a lock that was replaced lets in the cards that the one before refused, and the box says so', async () => {
  const superseded = await served('105')
  const deleted = await served('105')
  const lost = await served('105')
  assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${deleted.id}`)).status, 204)
  assert.equal((await house.ask('POST', `/api/v2/access/keys/${lost.id}/actions/block`)).status, 200)
  const newest = await served('105')
  house.clock.advance(60_000)
  const elsewhere = await served('106')
  await served('106').then(({ id }) => seen(id))
  assert.equal((await seen(newest.id)).status, 200)
  const proof = 'newer-original-used'
  assert.deepEqual(await state(superseded.id), ['superseded', false, proof])
  assert.deepEqual(await state(deleted.id), ['removed', false, proof])
  assert.deepEqual(await state(lost.id), ['blocked', false, proof])
  assert.deepEqual(await unitsWithOlderKeys(), [])

  // Each old card opens a lock that remembers nothing.
  for (const { card } of [superseded, deleted, lost])
    assert.match(newDoor('105').present(card, house.clock.now()).code, /^opened/)
  const { status, body } = await replaced('105')
  assert.deepEqual([status, body.meta], [200, { unitName: '105', mayOpen: 3 }])
  assert.deepEqual(await state(superseded.id), ['superseded', true, null])
  assert.deepEqual(await state(deleted.id), ['revocationPending', true, null])
  assert.deepEqual(await state(lost.id), ['blocked', true, null])
  assert.deepEqual(await unitsWithOlderKeys(), ['105'])
  assert.deepEqual(await state(newest.id), ['live', true, null])
  assert.deepEqual(await state(elsewhere.id), ['superseded', false, proof], 'the lock of another unit')
  assert.deepEqual((await replaced('105')).body.meta.mayOpen, 0)

  assert.equal((await seen(newest.id)).status, 200)
  assert.deepEqual(await state(deleted.id), ['removed', false, proof])
  assert.deepEqual(await unitsWithOlderKeys(), [])
})

it('is reported by an installer, for a unit with a lock', async () => {
  const { body } = await house.ask('POST', '/api/config/v1/tokens', {
    body: { name: 'Desk', role: 'frontdesk' },
  })
  assert.equal((await replaced('105', body.meta.token)).status, 403)
  const unknown = await replaced('99999')
  assert.deepEqual(
    [unknown.status, unknown.body.errors[0].source.pointer],
    [422, '/data/attributes/unitName'],
  )
  const [event] = house.journal('access-provider.lock-replaced')
  assert.deepEqual(event?.data, { unitName: '105' })
})
