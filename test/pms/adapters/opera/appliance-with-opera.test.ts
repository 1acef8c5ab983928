import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { opera } from '../../../../src/pms/adapters/opera/opera.ts'
import { standalone } from '../../../../src/pms/adapters/standalone/standalone.ts'
import { orderRoomKey, roomKeyOrder, simulatedRelay } from '../../../../src/simulators/opera/outbound.ts'
import { type SimulatedOpera, simulatedOpera } from '../../../../src/simulators/opera/simulated-opera.ts'
import { monday } from '../../../appliance.ts'
import { openHouse, type ReservationHouse } from '../../../reservation/api/house.ts'
import { passTime } from '../../../test-clock.ts'
import { nextUuid } from '../../../uuid.ts'
import { eventually } from '../../sync/linked-house.ts'

let house: ReservationHouse
let there: SimulatedOpera
let configuration: string
let configurationId: string
const keyLogin = { keyUser: 'opera', keyPassword: 'secret' }
before(async () => {
  there = await simulatedOpera({ startMs: monday, now: () => house.clock.now() })
  house = await openHouse({ adapters: [standalone, opera] })
  const unitTypeId = await house.make('unit-types', { code: 'OPR', name: 'OPERA double' })
  for (const name of ['O1', 'O2']) {
    await house.make('units', { name, status: 'Dirty', unitTypeId })
    there.rooms.set(name, { roomType: 'OPR', status: 'Inspected' })
  }
  const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
  const both = { acceptHousekeepingFrom: 'Both' }
  const reply = await house.ask('PATCH', `/api/config/v1/settings/${settings.id}`, { body: both })
  assert.equal(reply.status, 204, reply.text)
  const { gatewayUrl, hotelId, applicationKey, clientId, clientSecret } = there
  const id = await house.make('/api/config/v1/pms-configurations', {
    name: 'OPERA',
    adapter: 'opera',
    transport: 'http',
    timeoutMs: 2_000,
    heartbeatSeconds: 3_600,
    connection: {
      gatewayUrl,
      hotelId,
      pricesIncludeTax: true,
      cashierId: 9,
      paymentMethods: { Cash: 'CA' },
      encoders: [{ code: 'DESK1', controllerId: nextUuid() }],
    },
    credentials: { applicationKey, clientId, clientSecret, ...keyLogin },
  })
  configurationId = id
  configuration = `/api/config/v1/pms-configurations/${id}`
  await pulled()
})
after(async () => {
  await house.stop()
  await there.close()
})

async function pulled() {
  await passTime(1_000)
  const reply = await house.ask('POST', `${configuration}/actions/pull`)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.meta.counts
}

async function stayOf(externalId: string): Promise<string> {
  const { data } = (await house.ask('GET', `/api/v2/reservations?filter[externalId]=${externalId}`)).body
  return `/api/v2/reservations/${data[0].id}/stays/${data[0].attributes.stays[0].id}`
}

const statusOf = async (name: string) =>
  (await house.ask('GET', `/api/v2/units?filter[name]=${name}`)).body.data[0].attributes.status

describe('A house with OPERA', () => {
  it('has the states of its rooms from there, and tells its own', async () => {
    assert.equal(await statusOf('O1'), 'Inspected')
    const { data } = (await house.ask('GET', '/api/v2/units?filter[name]=O2')).body
    const reply = await house.ask('PATCH', `/api/v2/units/${data[0].id}`, { body: { status: 'Dirty' } })
    assert.equal(reply.status, 204, reply.text)
    await eventually('the state there', () => there.rooms.get('O2')?.status === 'Dirty')
  })

  it('checks a guest in and out there, with the payment between', async () => {
    const id = there.book({
      roomType: 'OPR',
      roomId: 'O1',
      total: 4_000,
      balance: 4_000,
      arrival: '2026-06-01',
      departure: '2026-06-02',
    })
    Object.assign([...there.profiles.values()].at(-1)!, {
      email: 'ida@example.com',
      phoneNumber: '+351912345678',
    })
    await pulled()
    const path = await stayOf(id)
    const change = async (body: object) => {
      const reply = await house.ask('PATCH', path, { body })
      assert.equal(reply.status, 204, reply.text)
    }
    const guest = there.profiles.get(there.stays.get(id)!.guests[0]!)!
    const { profiles } = await house.attributes(path)
    const renamed = await house.ask('PATCH', `/api/v2/profiles/${profiles[0].id}`, {
      body: { lastName: 'Wed' },
    })
    assert.equal(renamed.status, 204, renamed.text)
    await eventually('the name there', () => guest.surname === 'Wed')
    await change({ status: 'InHouse' })
    await eventually('the check-in there', () => there.stays.get(id)?.status === 'InHouse')
    const paid = await house.ask('POST', `${path.replace(/\/stays.*/, '')}/actions/record-payment`, {
      body: { currency: 'EUR', amount: 4_000, brand: 'Cash' },
    })
    assert.equal(paid.status, 201, paid.text)
    await change({ status: 'CheckedOut' })
    await eventually('the check-out there', () => there.stays.get(id)?.status === 'CheckedOut')
    const sync = async () => (await house.ask('GET', `${configuration}/sync`)).body.data.attributes
    await eventually('an empty outbox', async () => (await sync()).outbox === 0)
    assert.deepEqual((await house.ask('GET', '/api/config/v1/sync-conflicts')).body.data, [])
    assert.deepEqual(
      there.payments.map(({ amount }) => amount),
      [4_000],
    )
    assert.equal(there.rooms.get('O1')?.status, 'Dirty')
  })

  it('answers the orders for keys that a relay forwards, of OPERA only', async (t) => {
    const relay = await simulatedRelay(
      `${house.appliance.url}/api/v2/pms/providers/${configurationId}/callback`,
    )
    t.after(relay.close)
    const line = {
      relayUrl: relay.relayUrl,
      hotelId: there.hotelId,
      user: 'opera',
      password: 'secret',
      clock: house.clock,
    }
    const id = there.book({ roomType: 'OPR', roomId: 'O2', status: 'InHouse', arrival: '2026-06-01' })
    // The guest was checked in there a moment ago: the order itself has the reservation fetched.
    const order = roomKeyOrder({ roomId: 'O2', reservationIdList: [{ id, type: 'Reservation' }] })
    const { status, body } = await house.during(orderRoomKey(line, order))
    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, { responseCode: 'UR', roomId: 'O2', encoderTerminal: 'FRONT' })
    assert.match(String(body.responseText), /encoder|controller/i)
    assert.ok(await stayOf(id))
    assert.equal((await house.during(orderRoomKey({ ...line, password: 'other' }, order))).status, 401)
  })
})
