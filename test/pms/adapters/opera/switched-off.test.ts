import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { opera } from '../../../../src/pms/adapters/opera/opera.ts'
import { standalone } from '../../../../src/pms/adapters/standalone/standalone.ts'
import { type SimulatedOpera, simulatedOpera } from '../../../../src/simulators/opera/simulated-opera.ts'
import { migrations } from '../../../../src/store/migrate.ts'
import { monday } from '../../../appliance.ts'
import { openHouse, type ReservationHouse } from '../../../reservation/api/house.ts'
import { passTime } from '../../../test-clock.ts'

const hourMs = 3_600_000
/** The migration that makes the revisions of reservations of OPERA unknown. */
const forgets = migrations().find(({ sql }) => /adapter = 'opera'/.test(sql))

describe('A house in Tokyo with OPERA', () => {
  let house: ReservationHouse
  let there: SimulatedOpera
  let configuration: string
  const zone = 'Asia/Tokyo'
  before(async () => {
    there = await simulatedOpera({ startMs: monday, now: () => house.clock.now() })
    there.timeZone = zone
    house = await openHouse({ adapters: [standalone, opera] })
    const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    const moved = await house.ask('PATCH', `/api/config/v1/settings/${settings.id}`, {
      body: { timeZone: zone },
    })
    assert.equal(moved.status, 204, moved.text)
    const unitTypeId = await house.make('unit-types', { code: 'OPR', name: 'OPERA double' })
    for (const name of ['O1', 'O2', 'O3']) {
      await house.make('units', { name, status: 'Clean', unitTypeId })
      there.rooms.set(name, { roomType: 'OPR', status: 'Inspected' })
    }
    const { gatewayUrl, hotelId, applicationKey, clientId, clientSecret } = there
    const id = await house.make('/api/config/v1/pms-configurations', {
      name: 'OPERA',
      adapter: 'opera',
      transport: 'http',
      timeoutMs: 2_000,
      heartbeatSeconds: 3_600,
      connection: { gatewayUrl, hotelId },
      credentials: { applicationKey, clientId, clientSecret },
    })
    configuration = `/api/config/v1/pms-configurations/${id}`
  })
  after(async () => {
    await house.stop()
    await there.close()
  })

  async function pulled() {
    await passTime(1_000)
    const reply = await house.ask('POST', `${configuration}/actions/pull`)
    assert.equal(reply.status, 200, reply.text)
  }

  async function stayOf(externalId: string) {
    const { data } = (await house.ask('GET', `/api/v2/reservations?filter[externalId]=${externalId}`)).body
    return data[0].attributes.stays[0]
  }

  /** Migrates what the version before left: its times are ahead by the offset of the zone. */
  function updated(): void {
    const db = new Database(join(house.data, 'nightporter.db'))
    db.prepare('UPDATE sync_record SET upstreamRevision = upstreamRevision + ?').run(9 * hourMs)
    for (const mark of ['seen', 'near', 'all'])
      db.prepare(
        `UPDATE sync_link SET pullCursor = json_set(pullCursor, '$.${mark}', (pullCursor ->> '$.${mark}') + ?)`,
      ).run(9 * hourMs)
    db.exec(forgets?.sql ?? '')
    db.close()
  }

  it('takes in what OPERA changed while it was updated from a version that read its times as UTC', async () => {
    const leaves = there.book({
      status: 'InHouse',
      roomId: 'O1',
      roomType: 'OPR',
      arrival: '2026-05-31',
      departure: '2026-06-02',
    })
    const moves = there.book({
      status: 'InHouse',
      roomId: 'O2',
      roomType: 'OPR',
      arrival: '2026-05-31',
      departure: '2026-06-02',
    })
    await pulled()
    await house.restart(() => {
      there.change(leaves, { status: 'CheckedOut' })
      updated()
    })
    await pulled()
    assert.equal((await stayOf(leaves)).status, 'CheckedOut')
    there.change(moves, { roomId: 'O3' })
    await pulled()
    assert.equal((await stayOf(moves)).units[0].unitName, 'O3')
  })

  it('hears that a guest has left while it was off for days', async () => {
    const left = there.book({
      status: 'InHouse',
      roomId: 'O1',
      roomType: 'OPR',
      arrival: '2026-06-01',
      departure: '2026-06-02',
    })
    await pulled()
    assert.equal((await stayOf(left)).status, 'InHouse')
    await house.restart(() => {
      there.change(left, { status: 'CheckedOut' })
      house.clock.advance(5 * 24 * hourMs)
    })
    await pulled()
    assert.equal((await stayOf(left)).status, 'CheckedOut')
  })
})
