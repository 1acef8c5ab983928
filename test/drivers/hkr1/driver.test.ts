import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv } from 'ajv'
import driver from '../../../drivers/hkr1/driver.ts'
import { door } from '../../../drivers/hkr1/simulator/door.ts'
import { grant, holding, makers, night } from './house.ts'
import { found, memoryEncoder } from './memory-encoder.ts'

const ajv = new Ajv({ strict: true, allErrors: true })
const validConnection = ajv.compile(driver.connection)
const validCredentials = ajv.compile(driver.credentials)
const key = '0'.repeat(64)

describe('the driver mifare-local', () => {
  it('generates credentials that it accepts, never the same twice', () => {
    const [one, other] = [driver.generate(), driver.generate()]
    assert.ok(validCredentials(one) && validCredentials(other))
    assert.notDeepEqual(one, other)
    assert.notEqual(one.master, Object.values(one.keys as object)[0])
  })

  it('works with what it generates and the least a connection says', async () => {
    const credentials = driver.generate()
    const connection = { siteId: 7, commonDoors: { Garage: 2, Pool: 0 } }
    assert.ok(validConnection(connection))
    const system = driver.open(connection, credentials)
    const card = makers.classic()
    const encoder = memoryEncoder(card)
    await encoder.find()
    await system.write(encoder, found(card), grant)
    const { uid, format, ...content } = await system.read(encoder, found(card))
    assert.deepEqual(content, holding(grant))
    const { keys, master } = credentials as { keys: Record<string, string>; master: string }
    const lock = door({
      lock: 101,
      site: 7,
      keys: new Map(Object.entries(keys).map(([id, each]) => [Number(id), Uint8Array.fromHex(each)])),
      master: Uint8Array.fromHex(master),
    })
    assert.equal(lock.present(card, night).opens, true)
  })

  it('uses the application it is told to, or that of the description', async () => {
    for (const [connection, application] of [
      [{ siteId: 7 }, 0x484b31],
      [{ siteId: 7, application: 'F48120' }, 0xf48120],
    ] as const) {
      const card = makers.desfire()
      const encoder = memoryEncoder(card)
      await encoder.find()
      const system = driver.open(connection, driver.generate())
      await system.write(encoder, found(card), { ...grant, authorizations: [] })
      assert.ok(card.desfire?.has(application))
    }
  })

  const connections: [boolean, object][] = [
    [true, { siteId: 0, keyId: 0 }],
    [true, { siteId: 65535, keyId: 255, sector: 15, commonDoors: { Pool: 31 } }],
    [true, { siteId: 1, application: 'f48120', ownCardKey: true, pagePassword: true }],
    [false, { siteId: 1, application: '000000' }],
    [false, { siteId: 1, application: '484B3' }],
    [false, { siteId: 1, application: '484B3100' }],
    [false, { siteId: 1, pagePassword: 'secret' }],
    [false, {}],
    [false, { siteId: 65536 }],
    [false, { siteId: 1, keyId: 256 }],
    [false, { siteId: 1, sector: 0 }],
    [false, { siteId: 1, sector: 16 }],
    [false, { siteId: 1, commonDoors: { Pool: 32 } }],
    [false, { siteId: 1, commonDoors: { '': 1 } }],
    [false, { siteId: 1, host: 'x' }],
  ]
  for (const [valid, connection] of connections) {
    it(`${valid ? 'accepts' : 'refuses'} the connection ${JSON.stringify(connection)}`, () =>
      assert.equal(validConnection(connection), valid))
  }

  const credentials: [boolean, string, object][] = [
    [true, 'two keys', { keys: { 0: key, 255: key }, master: key }],
    [false, 'no key', { keys: {}, master: key }],
    [false, 'no master', { keys: { 1: key } }],
    [false, 'a key number too great', { keys: { 256: key }, master: key }],
    [false, 'a key number with a leading zero', { keys: { '01': key }, master: key }],
    [false, 'a short key', { keys: { 1: key.slice(2) }, master: key }],
    [false, 'a key that is no hex', { keys: { 1: key.replace('0', 'g') }, master: key }],
  ]
  for (const [valid, name, each] of credentials) {
    it(`${valid ? 'accepts' : 'refuses'} credentials with ${name}`, () =>
      assert.equal(validCredentials(each), valid))
  }
})
