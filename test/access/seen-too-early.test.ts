import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import fc from '../seed.ts'
import { type HouseWithDoors, houseWithDoors, idle, serve } from './house-with-doors.ts'

let house: HouseWithDoors
before(async () => {
  house = await houseWithDoors()
})
beforeEach(async () => {
  house.clock.set(now)
  await idle(house)
})
after(() => house.stop())

const now = Date.UTC(2026, 5, 1, 16)
const minuteMs = 60_000
const begins = Date.UTC(2026, 5, 3, 14)
const seen = (id: string, headers = {}) =>
  house.ask('POST', `/api/v2/access/keys/${id}/actions/seen-at-door`, { headers })

/** A lost card of a unit that was used there, and a card of the next guest, which is valid from 15:00 of 3 June in Lisbon. */
async function lostAndNext(unitName: string) {
  const lost = await serve(house, unitName, { deAuthorizations: ['Entrance'] })
  assert.match(house.present(lost.card, unitName), /^opened/)
  assert.equal((await house.ask('POST', `/api/v2/access/keys/${lost.id}/actions/block`)).status, 200)
  const next = await serve(house, unitName, { startDate: '2026-06-03', endDate: '2026-06-05' })
  assert.equal(Date.parse(String((await house.key(next.id)).validFrom)), begins)
  return { lost, next }
}

async function olderUnits(): Promise<string[]> {
  const { body } = await house.ask('GET', '/api/v2/access/units-with-older-keys')
  return body.data.map((each: { attributes: { unitName: string } }) => each.attributes.unitName)
}

it('a card that is not valid yet proves no lost card dead, and the refusal says what to do', async () => {
  const { lost, next } = await lostAndNext('203')
  assert.equal(house.present(next.card, '203'), 'too-early')
  const { status, body } = await seen(next.id)
  assert.deepEqual([status, body.errors[0].code], [409, 'key-status-transition'])
  assert.match(body.errors[0].detail, /not valid yet.*older cards still open.*once it is valid/)
  assert.equal(body.errors[0].meta.validFrom, new Date(begins).toISOString())
  const german = await seen(next.id, { 'accept-language': 'de' })
  assert.match(german.body.errors[0].detail, /^Die Karte gilt noch nicht\./)
  const { mayOpen, proof } = await house.key(lost.id)
  assert.deepEqual([mayOpen, proof], [true, null])
  assert.equal(house.present(lost.card, '203'), 'opened')
  assert.ok((await olderUnits()).includes('203'))
})

it('it proves it when it is valid', async () => {
  const { lost, next } = await lostAndNext('204')
  house.clock.set(Date.UTC(2026, 5, 3, 9))
  assert.equal((await seen(next.id)).status, 409)
  house.clock.set(begins)
  assert.match(house.present(next.card, '204'), /^opened/)
  assert.equal((await seen(next.id)).status, 200)
  assert.equal((await house.key(lost.id)).mayOpen, false)
  assert.notEqual(house.present(lost.card, '204'), 'opened')
})

it('whenever it is reported, the lost card is dead only from the beginning on, but for the time that clocks differ', async () => {
  const { lost, next } = await lostAndNext('205')
  const reported = fc.integer({ min: -45 * 60, max: 45 * 60 })
  const times = [-15 * 60 - 1, -24 * 3_600, ...fc.sample(reported, 8).filter((each) => each < -15 * 60)]
  for (const seconds of times) {
    house.clock.set(begins + seconds * 1_000)
    assert.equal((await seen(next.id)).status, 409, `${seconds} s`)
    assert.equal((await house.key(lost.id)).mayOpen, true)
  }
  house.clock.set(begins - 15 * minuteMs)
  assert.equal((await seen(next.id)).status, 200)
  assert.equal((await house.key(lost.id)).mayOpen, false)
})
