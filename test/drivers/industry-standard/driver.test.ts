import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv } from 'ajv'
import driver from '../../../drivers/industry-standard/driver.ts'
import { testClock } from '../../test-clock.ts'
import { setupBasics } from '../lock-system-bench.ts'

const ajv = new Ajv({ strict: true, allErrors: true })
const validConnection = ajv.compile(driver.connection)
const validCredentials = ajv.compile(driver.credentials)
const path = 'tcp://192.168.1.30:6669'

describe('the driver industry-standard', () => {
  const connections: [boolean, object][] = [
    [true, { path }],
    [true, { path: '/dev/serial/by-id/usb-lock', baudRate: 19_200, patience: 2 }],
    [true, { path, dialect: 'salto', dateFormat: 'HHDDMMYY', operator: 'NIGHT DESK', denyOthers: false }],
    [true, { path, authorizations: { Pool: 1, Garage: 8 }, operator: 'Empfang Süd' }],
    [true, { path, operator: 'ABCDEFGHIJKLMNOPQRST' }],
    [false, {}],
    [false, { path: 'lock-pc' }],
    [false, { path: 'tcp://lock-pc' }],
    [false, { path, baudRate: 1 }],
    [false, { path, dialect: 'tesa' }],
    [false, { path, dateFormat: 'DDMMYY' }],
    [false, { path, operator: '' }],
    [false, { path, operator: 'FRONT:secret' }],
    [false, { path, operator: 'ABCDEFGHIJKLMNOPQRSTU' }],
    [false, { path, operator: 'A\u00b3B' }],
    [false, { path, authorizations: { Pool: 9 } }],
    [false, { path, authorizations: { '': 1 } }],
    [false, { path, port: 6669 }],
  ]
  for (const [valid, connection] of connections)
    it(`${valid ? 'accepts' : 'refuses'} the connection ${JSON.stringify(connection)}`, () =>
      assert.equal(validConnection(connection), valid))

  it('needs no password, and takes one that fits its field', () => {
    assert.ok(validCredentials(driver.generate()))
    for (const [valid, password] of [
      [true, 's3cret'],
      [false, ''],
      [false, 'a:b'],
      [false, 'a\u0003b'],
      [false, 'a\u00b3b'],
      [false, 'x'.repeat(33)],
    ] as const)
      assert.equal(validCredentials({ password }), valid, JSON.stringify(password))
  })

  it('has an example that it accepts', () => {
    for (const example of driver.connection.examples as object[]) assert.ok(validConnection(example))
  })

  it('looks for what cannot be reached for ever, and says what is wrong', async () => {
    const clock = testClock()
    let tries = 0
    const system = driver.open({
      ...setupBasics,
      clock,
      connection: { path },
      credentials: {},
      openWire: async () => {
        tries++
        throw new Error('nobody is there')
      },
    })
    while (tries < 4) await clock.sleep(500)
    assert.equal(system.state().line, 'offline')
    assert.match(system.state().fault?.message ?? '', /nobody is there/)
    await system.close()
  })
})
