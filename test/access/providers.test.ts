import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { simulatedLock } from '../../drivers/ttlock/simulator/simulated-cloud.ts'
import { version } from '../../src/version.ts'
import { ownPort } from '../own-port.ts'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

let house: HouseWithPins
let cards: string

before(async () => {
  house = await houseWithPins()
  const { body } = await house.ask('GET', '/api/config/v1/access-providers?filter[driver]=mifare-local')
  cards = body.data[0].id
})
after(() => house.stop())

const get = (path: string) => house.ask('GET', `/api/v2/access/providers/${path}`)
const unitsOf = async (providerId: string) =>
  (await house.ask('GET', `/api/v2/access/units?filter[providerId]=${providerId}&sort=name`)).body.data

describe('what a lock system can do', () => {
  it('is said of one whose rights travel on the card', async () => {
    const { status, body } = await get(`${cards}/capabilities`)
    assert.equal(status, 200)
    const { driverVersion, lockMode, keyTypes, operations, extensions, stale } = body.data.attributes
    assert.equal(driverVersion, version)
    assert.deepEqual(
      [body.data.type, lockMode, keyTypes, stale],
      ['access-capabilities', 'offline-data-on-card', ['keyCard'], false],
    )
    const { supported, requiresMedium } = operations.create
    assert.deepEqual({ supported, requiresMedium }, { supported: true, requiresMedium: true })
    assert.equal(operations.revoke.supported, false)
    const names = extensions.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['unit-list', 'encoder-list'])
  })

  it('is said of one that keeps the rights itself', async () => {
    const { body } = await get(`${house.providerId}/capabilities`)
    const { lockMode, keyTypes, operations, limits, extensions } = body.data.attributes
    assert.deepEqual([lockMode, keyTypes, limits.pinLength], ['online', ['pinCode'], { min: 4, max: 9 }])
    assert.equal(operations.revoke.supported, true)
    const names = extensions.map(({ name }: { name: string }) => name)
    assert.deepEqual(names.sort(), ['encoder-list', 'unit-list', 'unit-sync'])
  })

  it('is not said of a provider that is not there', async () => {
    const { status, body } = await get('0197c0de-0000-7000-8000-00000000dead/capabilities')
    assert.deepEqual([status, body.errors[0].code], [404, 'not-found'])
  })
})

describe('an extension', () => {
  it('answers in the words of the lock system', async () => {
    const { status, body, headers } = await get(`${house.providerId}/extensions/unit-list`)
    assert.equal(status, 200)
    assert.match(headers.get('content-type')!, /^application\/json/)
    const locks = body.list.map(({ lockId }: { lockId: number }) => lockId)
    assert.deepEqual(locks, [1001, 1002])
  })

  it('is answered by the appliance where the lock system has none', async () => {
    const { body } = await get(`${cards}/extensions/encoder-list`)
    assert.deepEqual(
      body.encoders.map(({ name }: { name: string }) => name),
      ['Lobby kiosk'],
    )
    const { units } = (await get(`${cards}/extensions/unit-list`)).body
    assert.ok(
      units.some(({ name, code }: { name: string; code: string }) => name === '201' && code === '201'),
    )
  })

  it('that is not registered is not found', async () => {
    for (const path of [`${cards}/extensions/unit-sync`, `${house.providerId}/extensions/self-destruct`]) {
      const { status, body } = await get(path)
      assert.deepEqual([status, body.errors[0].code], [404, 'extension-not-implemented'])
    }
  })

  it('of a lock system that is away is a 502', async () => {
    house.cloud.misbehaviours.push({ at: 'listLocks', does: 'silence' })
    const { status, body } = await get(`${house.providerId}/extensions/unit-list`)
    assert.equal(status, 502)
    assert.equal(body.meta.outcomeUnknown, false)
    assert.equal(typeof body.meta.errorCode, 'string')
  })
})

describe('access units', () => {
  it('follow the locks of the lock system, and none is lost', async () => {
    house.cloud.locks.push(simulatedLock(1003, 'first'))
    const first = await get(`${house.providerId}/extensions/unit-sync`)
    assert.deepEqual(first.body, {
      created: ['Room 1001', 'Room 1002', 'Room 1003'],
      changed: [],
      unchanged: 0,
      missing: [],
    })
    house.cloud.locks.pop()
    const second = await get(`${house.providerId}/extensions/unit-sync`)
    assert.deepEqual(second.body, { created: [], changed: [], unchanged: 2, missing: ['Room 1003'] })
    const units = await unitsOf(house.providerId)
    assert.deepEqual(
      units.map(({ attributes }: { attributes: { name: string; code: string } }) => [
        attributes.name,
        attributes.code,
      ]),
      [
        ['Room 1001', '1001'],
        ['Room 1002', '1002'],
        ['Room 1003', '1003'],
      ],
    )
  })

  it('are what keys are made for', async () => {
    const made = await house.make({ unitName: 'Room 1002' })
    assert.equal(made.status, 201, made.text)
    assert.ok(house.opens('302', made.body.data.attributes.pin))
  })

  it('are known by their names, one of each at a provider', async () => {
    const body = { name: 'Garage', code: '1001', providerId: house.providerId, config: { relay: 2 } }
    const made = await house.ask('POST', '/api/v2/access/units', { body })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.body.data.attributes.config, { relay: 2 })
    const again = await house.ask('POST', '/api/v2/access/units', { body })
    assert.equal(again.status, 422)
    const path = `/api/v2/access/units/${made.body.data.id}`
    assert.equal((await house.ask('PUT', path, { body: { ...body, code: '1002' } })).status, 204)
    assert.equal((await house.ask('GET', path)).body.data.attributes.code, '1002')
    assert.equal((await house.ask('DELETE', path)).status, 204)
    assert.equal((await house.ask('GET', path)).status, 404)
  })
})

describe('the status', () => {
  it('says that a lock system cannot be reached, and what to do', async () => {
    const lockSystem = async () => {
      const { body } = await house.ask('GET', '/api/v2/status')
      return body.data.attributes.checks['lock-system:state'][0]
    }
    assert.equal((await lockSystem()).status, 'pass')
    const credentials = { clientId: 'id', clientSecret: 'secret', username: 'us', password: 'word' }
    const away = { connection: { baseUrl: `http://127.0.0.1:${await ownPort()}`, settleMs: 0 }, credentials }
    const path = `/api/config/v1/access-providers/${house.providerId}`
    const { connection } = away
    const refused = await house.ask('PATCH', path, { body: { connection } })
    assert.equal(refused.body.errors[0].source.pointer, '/data/attributes/credentials')
    assert.equal((await house.ask('PATCH', path, { body: away })).status, 204)
    const check = await until('the failure', lockSystem, ({ status }) => status === 'fail')
    assert.equal(check.componentId, house.providerId)
    assert.match(check.output, /^PIN locks: .*It is connected again automatically\.$/)
  })
})
