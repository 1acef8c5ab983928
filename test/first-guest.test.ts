import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { startAppliance, type TestAppliance } from './appliance.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

it('finds a stay, assigns a room, checks in and hands out a card', async () => {
  const { ask, lobby } = house
  const found = await ask('GET', '/api/v2/reservations?filter[reservationIds.searchForm]=NP-1001')
  assert.equal(found.body.data.length, 1)
  const reservation = found.body.data[0]
  const [stay] = reservation.attributes.stays
  const path = `/api/v2/reservations/${reservation.id}/stays/${stay.id}`
  const assigned = await ask('POST', `${path}/unit-assignment`)
  assert.equal(assigned.status, 200)
  const [{ unitName }] = assigned.body.data.attributes.units
  assert.equal((await ask('PATCH', path, { body: { status: 'InHouse' } })).status, 204)
  const controllers = await ask('GET', '/api/config/v1/access-controllers')
  const { startDate, endDate, externalId } = stay
  const made = await ask('POST', `/api/v2/access/controllers/${controllers.body.data[0].id}/key`, {
    body: { type: 'keyCard', unitName, original: true, startDate, endDate, externalId },
  })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.data.attributes.status, 'live')
  assert.equal(made.body.data.attributes.verified, true)
  assert.ok(lobby.dispenser.taken.length <= 1)
})
