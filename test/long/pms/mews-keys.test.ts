import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { simulatedMews } from '../../../src/simulators/mews/simulated-mews.ts'
import type { SimulatedMews } from '../../../src/simulators/mews/simulated-property.ts'
import { type HouseWithDoors, houseWithDoors, idle, until } from '../../access/house-with-doors.ts'

let house: HouseWithDoors
let there: SimulatedMews

/** The sample property, at whose encoder the front desk of a simulated Mews orders keys. */
before(async () => {
  house = await houseWithDoors()
  const { now } = house.clock
  there = await simulatedMews({ startMs: now(), now })
  const { body } = await house.ask('GET', '/api/v2/units?page[size]=100&include=unitType')
  const types = new Map(
    body.included.map((each: { id: string; attributes: { code: string } }) => [each.id, each]),
  )
  for (const { attributes } of body.data) {
    const type = types.get(attributes.unitTypeId) as { attributes: { code: string } }
    const id = `aaaaaaaa-0000-4000-8000-${attributes.name.padStart(12, '0')}`
    there.rooms.set(attributes.name, { id, category: type.attributes.code })
  }
  const made = await house.ask('POST', '/api/config/v1/pms-configurations', {
    body: {
      name: 'Mews',
      adapter: 'mews',
      transport: 'http',
      connection: {
        platformAddress: there.platformAddress,
        webSocketAddress: there.webSocketAddress,
        serviceId: there.serviceId,
        encoders: [{ code: 'DESK', controllerId: house.controllerId }],
      },
      credentials: { clientToken: there.clientToken, accessToken: there.accessToken },
    },
  })
  assert.equal(made.status, 201, made.text)
})
after(async () => {
  await house.stop()
  await there.close()
})

it('a click at Mews makes a card that opens the room of the guest, and ends with his stay', async () => {
  const { id: roomId, category } = there.rooms.get('301')!
  const id = there.book({
    room: '301',
    State: 'Started',
    RequestedResourceCategoryId: there.categoryId(category),
  })
  there.send({ Type: 'Reservation', Id: id })
  const stayOf = async () => (await house.ask('GET', `/api/v2/stays?filter[externalId]=${id}`)).body.data[0]
  await until('the guest', stayOf, (stay) => stay?.attributes.status === 'InHouse')
  await idle(house)
  const commandId = there.order('DESK', {
    LockIds: [roomId],
    ReservationId: id,
    StartUtc: '2026-06-01T14:00:00.000Z',
    EndUtc: '2026-06-03T10:00:00.000Z',
  })
  const command = () => there.commands.find(({ Id }) => Id === commandId)!
  await until('the card', command, ({ State }) => !['Pending', 'Received'].includes(State))
  assert.deepEqual([command().State, command().Notes], ['Processed', undefined])
  await idle(house)
  const card = house.lobby.dispenser.taken.at(-1)!
  assert.equal(house.present(card, '301'), 'opened-newer')
  there.change(id, { State: 'Processed' })
  there.send({ Type: 'Reservation', Id: id })
  const keyOf = async () =>
    (await house.ask('GET', `/api/v2/access/keys?filter[externalId]=${id}`)).body.data[0].attributes
  await until('the end of the key', keyOf, ({ status }) => status === 'revocationPending')
})
