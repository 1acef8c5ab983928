import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { pms } from '../../drivers/fias/simulator/pms-simulator.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { ownPort } from '../own-port.ts'
import { until } from './house-with-doors.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

async function made(path: string, body: object): Promise<string> {
  const reply = await house.ask('POST', `/api/config/v1/${path}`, { body })
  assert.equal(reply.status, 201, reply.text)
  return String(reply.body.data.id)
}

/** A connection of this machine, from an address that a test can choose. */
function dial(test: TestContext, port: number, localAddress: string): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true })
  socket.on('error', () => {})
  test.after(() => socket.destroy())
  return socket
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

const events = async (type: string) =>
  (await house.ask('GET', `/api/v2/events?filter[type]=${type}`)).body.data.map(
    ({ attributes }: { attributes: { event: { subject: string; data: unknown } } }) => attributes.event,
  )

const checks = async (name: string) =>
  (await house.ask('GET', '/api/v2/status')).body.data.attributes.checks[name]

describe('a line that is listened for', () => {
  it('tells the desk of a stranger, once, and gives him no key', async (test) => {
    const port = await ownPort()
    const connection = { port, host: '0.0.0.0', peers: ['127.0.0.2'] }
    const id = await made('key-services', { name: 'Chain PMS', driver: 'fias', connection, encoders: [] })
    const thief = pms({ clock: house.clock })
    for (const _ of [1, 2, 3]) {
      const socket = dial(test, port, '127.0.0.3')
      void thief.play(socket)
      await closed(socket)
    }
    assert.deepEqual(thief.received, [])
    const told = await until(
      'the event',
      () => events('key-service.connection-refused'),
      (found) => found.length > 0,
    )
    assert.equal(told.length, 1)
    assert.equal(told[0].subject, `key-services/${id}`)
    const { address, reason } = told[0].data
    assert.deepEqual([address, reason], ['127.0.0.3', 'stranger'])
    const [check] = await checks('key-service:state')
    assert.equal(check.status, 'warn')
    assert.match(check.output, /127\.0\.0\.3 was refused .*3 connections.*add it to `peers`/)
    const status = await house.ask('GET', `/api/config/v1/key-services/${id}/status`)
    assert.equal(status.body.data.attributes.refused.length, 1)

    const foreign = pms({ clock: house.clock })
    void foreign.play(dial(test, port, '127.0.0.2'))
    await until(
      'a link',
      async () => foreign.links,
      (links) => links === 1,
    )
  })

  it('tells the desk of a stranger at a lock system', async (test) => {
    const port = await ownPort()
    const connection = { port, host: '0.0.0.0', peers: ['127.0.0.2/32'] }
    const id = await made('access-providers', { name: 'KSS', driver: 'fias-key', connection })
    // The first look opens it.
    await checks('lock-system:state')
    await until(
      'a refusal',
      async () => {
        await closed(dial(test, port, '127.0.0.9'))
        return checks('lock-system:state')
      },
      ([found]) => /127\.0\.0\.9/.test(found.output),
    )
    const told = await until(
      'the event',
      () => events('access-provider.connection-refused'),
      (found) => found.length > 0,
    )
    assert.deepEqual(
      told.map(({ subject }: { subject: string }) => subject),
      [`access-providers/${id}`],
    )
  })

  it('tells the desk of a stranger at the line of a PMS', async (test) => {
    const port = await ownPort()
    const connection = { port, host: '0.0.0.0', peers: ['127.0.0.2'] }
    const id = await made('pms-configurations', { name: 'Grand PMS', adapter: 'fias', connection })
    const told = await until(
      'the event',
      async () => {
        await closed(dial(test, port, '127.0.0.4'))
        return events('pms.connection-refused')
      },
      (found) => found.length > 0,
    )
    assert.equal(told[0].subject, `pms-configurations/${id}`)
    assert.equal(told[0].data.address, '127.0.0.4')
    const recorded = await house.ask('GET', '/api/config/v1/flight-recorder', { headers: { Accept: '*/*' } })
    assert.match(recorded.text, /"bay":"Grand PMS","what":"refused","text":"127\.0\.0\.4 was refused/)
  })
})

describe('where a line is listened for', () => {
  for (const [what, connection, pointer, detail] of [
    [
      'every address of the box, and nobody named',
      { port: 5010, host: '0.0.0.0' },
      '/connection/peers',
      /peers is required where the other side connects: name the addresses that may connect/,
    ],
    ['this machine alone, and nobody named', { port: 5010 }, '/connection/peers', /peers is required where/],
    [
      'a name',
      { port: 5010, host: 'localhost', peers: ['127.0.0.1'] },
      '/connection/host',
      /must be an IP address/,
    ],
    [
      'half an address',
      { port: 5010, host: '0.0.0.0', peers: ['192.168.1.5', '192.168'] },
      '/connection/peers/1',
      /must be an IP address .* or a network/,
    ],
    [
      'the whole internet',
      { port: 5010, host: '0.0.0.0', peers: ['0.0.0.0/0'] },
      '/connection/peers/0',
      /of at least 8 bits/,
    ],
    ['nobody', { port: 5010, host: '::', peers: [] }, '/connection/peers', /at least 1 item/],
  ] as const)
    for (const [path, driver] of [
      ['key-services', 'fias'],
      ['access-providers', 'fias-key'],
    ])
      it(`${path}: ${what} is refused`, async () => {
        const body = { name: 'PMS', driver, connection }
        const reply = await house.ask('POST', `/api/config/v1/${path}`, { body })
        assert.equal(reply.status, 422, reply.text)
        const found = reply.body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer)
        assert.deepEqual(found, [`/data/attributes${pointer}`], reply.text)
        assert.match(reply.body.errors[0].detail, detail)
      })

  it('lets in no program of this machine that is not named', async (test) => {
    const port = await ownPort()
    const named = { name: 'Named', driver: 'fias', connection: { port, peers: ['127.0.0.2'] }, encoders: [] }
    const id = await made('key-services', named)
    // As it was stored before peers were required.
    const db = new Database(join(house.data, 'nightporter.db'))
    db.prepare(
      "UPDATE key_service SET connection = json_remove(connection, '$.peers') WHERE name = 'Named'",
    ).run()
    db.close()
    await house.restart()
    await closed(dial(test, port, '127.0.0.1'))
    await until(
      'the refusal in the status',
      async () => (await house.ask('GET', '/api/v2/status')).text,
      (text) => text.includes('127.0.0.1 was refused a connection'),
    )
    await house.ask('DELETE', `/api/config/v1/key-services/${id}`)
  })

  it('is this machine alone unless said otherwise', async (test) => {
    const port = await ownPort()
    await made('key-services', {
      name: 'PMS',
      driver: 'fias',
      connection: { port, peers: ['127.0.0.1'] },
      encoders: [],
    })
    const foreign = pms({ clock: house.clock })
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    test.after(() => socket.destroy())
    void foreign.play(socket)
    await until(
      'a link',
      async () => foreign.links,
      (links) => links === 1,
    )
    const [outside] = Object.values(networkInterfaces())
      .flat()
      .filter((each) => each && !each.internal && each.family === 'IPv4')
    if (!outside) return
    const far = connect({ host: outside.address, port })
    await assert.rejects(once(far, 'connect'), /ECONNREFUSED/)
  })
})
