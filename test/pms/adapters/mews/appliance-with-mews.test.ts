import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mews } from '../../../../src/pms/adapters/mews/mews.ts'
import { standalone } from '../../../../src/pms/adapters/standalone/standalone.ts'
import { simulatedMews } from '../../../../src/simulators/mews/simulated-mews.ts'
import type { SimulatedMews } from '../../../../src/simulators/mews/simulated-property.ts'
import { monday } from '../../../appliance.ts'
import { openHouse, type ReservationHouse } from '../../../reservation/api/house.ts'
import { passTime } from '../../../test-clock.ts'
import { eventually } from '../../sync/linked-house.ts'

let house: ReservationHouse
let there: SimulatedMews
let configuration: string
before(async () => {
  there = await simulatedMews({ startMs: monday, now: () => house.clock.now() })
  house = await openHouse({ adapters: [standalone, mews] })
  const unitTypeId = await house.make('unit-types', { code: 'MWS', name: 'Mews double' })
  for (const name of ['M1', 'M2', 'M3', 'M4'])
    await house.make('units', { name, status: 'Clean', unitTypeId })
  for (const name of ['M1', 'M2']) there.rooms.set(name, { id: roomId(name), category: 'MWS' })
  const id = await house.make('/api/config/v1/pms-configurations', {
    name: 'Mews',
    adapter: 'mews',
    transport: 'http',
    timeoutMs: 10_000,
    heartbeatSeconds: 3_600,
    connection: { platformAddress: there.platformAddress, serviceId: there.serviceId },
    credentials: { clientToken: there.clientToken, accessToken: there.accessToken },
  })
  configuration = `/api/config/v1/pms-configurations/${id}`
  await pulled()
})
after(async () => {
  await house.stop()
  await there.close()
})

const roomId = (name: string) =>
  `bbbbbbbb-0000-4000-8000-0000000000${name.padStart(2, '0').replace('M', 'a')}`
const state = async () => (await house.ask('GET', `${configuration}/sync`)).body.data.attributes

async function pulled() {
  // What was written there a moment ago is sent in the next.
  await passTime(1_000)
  const reply = await house.ask('POST', `${configuration}/actions/pull`)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.meta.counts
}

async function stayOf(externalId: string): Promise<string | null> {
  const { data } = (await house.ask('GET', `/api/v2/reservations?filter[externalId]=${externalId}`)).body
  return data[0] ? `/api/v2/reservations/${data[0].id}/stays/${data[0].attributes.stays[0].id}` : null
}

const quarantined = async () =>
  (await house.ask('GET', '/api/config/v1/quarantined-messages')).body.data as {
    id: string
    attributes: Record<string, unknown>
  }[]

const book = (more: Parameters<SimulatedMews['book']>[0] = {}) =>
  there.book({ RequestedResourceCategoryId: there.categoryId('MWS'), ...more })

describe('A room that Mews has got since it was asked for its rooms', () => {
  it('is looked up, and its reservation is taken', async () => {
    there.rooms.set('M3', { id: roomId('M3'), category: 'MWS' })
    await passTime(61_000)
    const id = book({ room: 'M3' })
    assert.equal((await pulled()).applied, 1)
    const path = await stayOf(id)
    assert.deepEqual(
      (await house.attributes(path!)).units.map(({ unitName }: { unitName: string }) => unitName),
      ['M3'],
    )
    assert.deepEqual(await quarantined(), [])
  })

  it('may be of the service later than its reservation says: that is read again by and by', async () => {
    const id = book({ AssignedResourceId: roomId('M4') })
    assert.equal((await pulled()).quarantined, 1)
    const [message] = await quarantined()
    assert.match(String(message?.attributes.reason), /not a room of the service/)
    assert.deepEqual([message?.attributes.retryable, message?.attributes.externalId], [true, id])
    // Nothing about the reservation changes there.
    there.rooms.set('M4', { id: roomId('M4'), category: 'MWS' })
    await passTime(11 * 60_000)
    await eventually('the reservation', async () => (await stayOf(id)) !== null)
    await eventually('an empty quarantine', async () => (await quarantined()).length === 0)
  })

  it('is looked for by hand as well', async () => {
    const id = book({ AssignedResourceId: roomId('M5') })
    await pulled()
    const [message] = await quarantined()
    const retry = `/api/config/v1/quarantined-messages/${message?.id}/actions/retry`
    const still = await house.ask('POST', retry)
    assert.equal(still.body.data.attributes.taken, false, still.text)
    assert.match(still.body.data.attributes.reason, /not a room of the service/)
    there.change(id, { AssignedResourceId: null })
    const reply = await house.ask('POST', retry)
    assert.ok(reply.status === 404 || reply.body.data.attributes.taken, reply.text)
    assert.ok(await stayOf(id))
    assert.deepEqual(await quarantined(), [])
  })

  it('does not have Mews asked for its rooms again and again', async () => {
    there.asked.length = 0
    for (let number = 0; number < 5; number++) {
      book({ AssignedResourceId: roomId('M9') })
      await pulled()
    }
    const times = there.asked.filter(({ operation }) => operation === 'resources/getAll').length
    assert.ok(times <= 2, `${times} times`)
    there.reservations.clear()
  })
})

describe('A backlog of 31 at a slow Mews', () => {
  it('drains, one after the other', async () => {
    const ids = Array.from({ length: 31 }, () => book())
    await pulled()
    const paths: string[] = []
    for (const id of ids) paths.push((await stayOf(id))!)
    there.slow = () => house.clock.sleep(20)
    for (const path of paths) {
      const reply = await house.ask('PATCH', path, { body: { endDate: '2026-06-02' } })
      assert.equal(reply.status, 204, reply.text)
    }
    const isSent = (id: string) => there.reservations.get(id)?.ScheduledEndUtc.startsWith('2026-06-02')
    await eventually('all of them', () => ids.every(isSent))
    await eventually('an empty outbox', async () => (await state()).outbox === 0)
    const updates = there.asked.flatMap(({ operation, body }) =>
      operation === 'reservations/update' ? (body.ReservationUpdates as unknown[]) : [],
    )
    assert.equal(updates.length, 31, 'each was sent once')
  })
})
