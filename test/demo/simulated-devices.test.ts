import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mostMisbehaviours } from '../../src/simulators/devices/misbehaviour.ts'
import { idle, withDoors } from '../access/house-with-doors.ts'
import { openHouse, type ReservationHouse } from '../reservation/api/house.ts'

const all = '/api/config/v1/simulated-devices'
const queue = (device: string) => `${all}/${device}/misbehaviours`

async function inHouse(work: (house: ReservationHouse) => Promise<void>): Promise<void> {
  const house = await openHouse()
  try {
    await work(house)
  } finally {
    await house.stop()
  }
}

describe('the simulated lobby, while it runs,', () => {
  it('misbehaves as it is told, once, and says what waits', () =>
    inHouse(async (house) => {
      const doors = await withDoors(house, house.data, house.clock.now)
      await idle(doors)
      const tell = (device: string, body: object) => house.ask('POST', queue(device), { body })
      const told = await tell('dispenser', { at: 'move-encoder', does: 'refuse', code: 'A0' })
      assert.equal(told.status, 201, told.text)
      const waiting = { at: 'move-encoder', does: 'refuse', skip: 0, code: 'A0' }
      assert.deepEqual(told.body.data.attributes.misbehaviours, [waiting])
      const listed = await house.ask('GET', all)
      assert.deepEqual(
        listed.body.data.map(({ id, attributes }: { id: string; attributes: { model: string } }) => [
          id,
          attributes.model,
        ]),
        [
          ['dispenser', 'crt571'],
          ['encoder', 'twn4'],
          ['terminal', 'json-line'],
        ],
      )
      assert.ok(listed.body.data[1].attributes.commands.includes('writeBlock'))
      const refused = await doors.issue('101')
      assert.equal(refused.body.meta?.errorCode, 'dispenser-empty', refused.text)
      const after = await house.ask('GET', all)
      assert.deepEqual(after.body.data[0].attributes.misbehaviours, [])
    }))

  it('behaves well again when it is told to', () =>
    inHouse(async (house) => {
      for (const device of ['dispenser', 'encoder']) {
        const body = { at: '*', does: 'close', skip: 1000 }
        assert.equal((await house.ask('POST', queue(device), { body })).status, 201)
        const cleared = await house.ask('POST', `${all}/${device}/actions/clear`)
        assert.deepEqual([cleared.status, cleared.body.data.attributes.misbehaviours], [200, []])
      }
      const { body } = await house.ask('GET', all)
      for (const { attributes } of body.data) assert.deepEqual(attributes.misbehaviours, [])
    }))

  it('takes what it knows, and only so much of it', () =>
    inHouse(async (house) => {
      const tell = async (body: object, device = 'dispenser') => {
        const reply = await house.ask('POST', queue(device), { body })
        return [reply.status, reply.body.errors?.[0].source?.pointer]
      }
      assert.deepEqual(await tell({ at: 'jump', does: 'late' }), [422, '/data/attributes/at'])
      assert.deepEqual(await tell({ at: 'status', does: 'explode' }), [422, '/data/attributes/does'])
      assert.deepEqual(await tell({ at: 'status', does: 'late', skip: 1001 }), [422, '/data/attributes/skip'])
      assert.deepEqual(await tell({ does: 'late' }), [422, '/data/attributes/at'])
      assert.equal((await tell({ at: 'status', does: 'late' }, 'printer'))[0], 404)
      const waits = { at: 'move-capture', does: 'pass' }
      for (let count = 0; count < mostMisbehaviours; count++) assert.equal((await tell(waits))[0], 201)
      assert.equal((await tell(waits))[0], 422)
    }))

  it('is told by nobody who may not simulate, and only where the property uses it', () =>
    inHouse(async (house) => {
      const kiosk = { token: await house.tokenOf('kiosk') }
      assert.equal((await house.ask('GET', all, kiosk)).status, 403)
      const body = { at: 'status', does: 'late' }
      assert.equal((await house.ask('POST', queue('dispenser'), { body, ...kiosk })).status, 403)
      const installer = { token: await house.tokenOf('installer') }
      assert.equal((await house.ask('GET', all, installer)).body.data.length, 3)
      const { body: found } = await house.ask('GET', '/api/config/v1/dispensers')
      const device = { driver: 'crt571', path: 'tcp://127.0.0.1:9' }
      const path = `/api/config/v1/dispensers/${found.data[0].id}`
      assert.equal((await house.ask('PATCH', path, { body: { device } })).status, 204)
      const { body: left } = await house.ask('GET', all)
      assert.deepEqual(
        left.data.map(({ id }: { id: string }) => id),
        ['encoder', 'terminal'],
      )
      assert.equal((await house.ask('POST', queue('dispenser'), { body })).status, 404)
    }))
})
