import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import mqttPacket from 'mqtt-packet'
import { until } from '../../../../eventually.ts'
import { settableClock, testClock } from '../../../../test-clock.ts'
import { type BrokerOptions, startMqttBroker } from './broker/mqtt-broker.ts'
import { call, clientId, openCarrier, openPeer, prefix, setupFor } from './mqtt-peer.ts'

async function brokerFor(t: TestContext, options: BrokerOptions = {}) {
  const broker = await startMqttBroker(options)
  t.after(() => broker.kill())
  return broker
}

const page = { after: null, limit: 10 }
/** Stands still. Timers run on the machine's own time, as those of the MQTT library do. */
const clock = settableClock(Date.UTC(2026, 5, 1, 16))

describe('the line to a broker', () => {
  it('is not opened to an address that is not spoken to, whatever its name looks like', async (t) => {
    const { lines } = openCarrier(t, setupFor('mqtts://0xa9fea9fe', { clock }))
    await until(() => lines.length >= 1)
    assert.match(lines[0] ?? '', /^down: .*169\.254\.169\.254 is not an allowed address/)
  })

  it('is opened with a session that lasts, a will, and what the house takes', async (t) => {
    const broker = await brokerFor(t)
    const { lines } = openCarrier(t, setupFor(broker.url, { clock, heartbeatSeconds: 30 }))
    await until(() => lines.length >= 1)
    const [connect, subscribe] = broker.passed.filter(({ direction }) => direction === 'in')
    assert.ok(connect?.packet.cmd === 'connect' && subscribe?.packet.cmd === 'subscribe')
    const { clean, keepalive, properties, will, protocolVersion } = connect.packet
    assert.deepEqual(
      { clean, keepalive, protocolVersion, ...properties },
      {
        clean: false,
        keepalive: 30,
        protocolVersion: 5,
        sessionExpiryInterval: 604_800,
        receiveMaximum: 100,
        maximumPacketSize: 9_437_184,
        requestProblemInformation: true,
      },
    )
    assert.deepEqual([will?.topic, will?.qos, will?.retain], [`${prefix}/state`, 1, true])
    assert.deepEqual(
      subscribe.packet.subscriptions.map(({ topic, qos }) => [topic, qos]),
      [
        [`${prefix}/replies/${clientId}`, 1],
        [`${prefix}/changes`, 1],
      ],
    )
  })

  it('tells that the house is there, that it is not, and that it has gone by itself', async (t) => {
    const broker = await brokerFor(t)
    const { carrier, lines } = openCarrier(t, setupFor(broker.url, { clock }))
    const states: string[] = []
    const state = () => JSON.parse(String(broker.retained.get(`${prefix}/state`)?.payload ?? '{}'))
    await until(() => lines.length >= 1)
    states.push(state().data.state)
    broker.judge = ({ packet, direction }) =>
      direction === 'in' && packet.cmd === 'connect' ? 'cut-before' : 'pass'
    broker.cut(clientId)
    await until(() => lines.length >= 2)
    states.push(state().data.state)
    assert.equal(state().time, undefined)
    broker.judge = () => 'pass'
    await until(() => lines.at(-1) === 'up')
    states.push(state().data.state)
    await carrier.close()
    states.push(state().data.state)
    assert.deepEqual(states, ['online', 'offline', 'online', 'offline'])
    assert.equal(state().time, '2026-06-01T16:00:00.000Z')
    await until(() => broker.connected().length === 0)
  })

  it('tells what the box runs, and again when that has changed', async (t) => {
    const broker = await brokerFor(t)
    const own = testClock({ always: false })
    const last = {
      version: '0.7.0',
      result: 'rolled-back',
      endedAt: '2026-06-01T16:00:00.000Z',
      reason: 'Why.',
    }
    let version = '0.6.0'
    const health = {
      health: { status: 'warn' as const, failing: ['storage:backup'] },
      clock: { judgement: 'plausible' as const, synced: null },
      backupVerifiedAt: null,
      certificateEnds: '2027-01-01T00:00:00.000Z',
      supportEnds: '2031-11-23',
      devices: { pass: 2, warn: 0, fail: 1 },
    }
    const box = () => ({ version, slot: 'A', update: { available: null, step: null, last }, ...health })
    const { carrier } = openCarrier(t, setupFor(broker.url, { clock: own, box }))
    const state = () => JSON.parse(String(broker.retained.get(`${prefix}/state`)?.payload ?? '{}')).data
    await until(() => state()?.version === '0.6.0')
    assert.deepEqual(state().update.last, last)
    assert.partialDeepStrictEqual(state(), health)
    version = '0.7.0'
    await own.during(own.sleep(31_000))
    await until(() => state().version === '0.7.0')
    await carrier.close()
  })

  it('reaches a later follower as it is, and no longer one that has left', async (t) => {
    const broker = await brokerFor(t)
    const { carrier, lines } = openCarrier(t, setupFor(broker.url, { clock }))
    await until(() => lines.length >= 1)
    const late: string[] = []
    const stop = carrier.follow?.({ message() {}, poke() {}, line: (state) => late.push(state) })
    assert.deepEqual(late, ['up'])
    stop?.()
    broker.cut(clientId)
    await until(() => lines.length >= 3)
    assert.deepEqual(late, ['up'])
  })

  it('comes back after each cut, and asks again for what it takes', async (t) => {
    const broker = await brokerFor(t)
    const { lines, messages } = openCarrier(t, setupFor(broker.url, { clock }))
    for (const n of [1, 3, 5]) {
      await until(() => lines.length >= n)
      broker.cut(clientId)
    }
    await until(() => lines.length >= 7)
    assert.deepEqual(
      lines.filter((line) => line !== 'up'),
      Array(3).fill('down: the connection was cut'),
    )
    broker.publish({ topic: `${prefix}/changes`, payload: 'news' })
    await until(() => messages.length === 1)
  })

  it('brings what was sent while it was gone', async (t) => {
    const broker = await brokerFor(t)
    const { lines, messages } = openCarrier(t, setupFor(broker.url, { clock }))
    await until(() => lines.length >= 1)
    broker.judge = ({ packet }) => (packet.cmd === 'connect' ? 'cut-before' : 'pass')
    broker.cut(clientId)
    await until(() => broker.connected().length === 0)
    for (const payload of ['one', 'two']) broker.publish({ topic: `${prefix}/changes`, payload })
    broker.judge = () => 'pass'
    await until(() => messages.length === 2)
    assert.deepEqual(messages, ['one', 'two'])
  })

  it('stands again after the broker was killed, with what it knew and without', async (t) => {
    const broker = await brokerFor(t)
    const { lines, messages } = openCarrier(t, setupFor(broker.url, { clock }))
    for (const forgetting of [false, true]) {
      await until(() => lines.at(-1) === 'up')
      await broker.kill()
      await until(() => lines.at(-1) !== 'up')
      await broker.start({ forgetting })
      await until(() => lines.at(-1) === 'up')
      broker.publish({ topic: `${prefix}/changes`, payload: `forgetting: ${forgetting}` })
    }
    await until(() => messages.length === 2)
    assert.deepEqual(messages, ['forgetting: false', 'forgetting: true'])
    assert.match(lines[1] ?? '', /^down: /)
  })

  it('says who refuses it and why, and never with what', async (t) => {
    const broker = await brokerFor(t, { users: { hotel: 'right' } })
    const credentials = { username: 'hotel', password: 'a secret that is wrong' }
    const { lines, carrier } = openCarrier(t, setupFor(broker.url, { clock, credentials }))
    await until(() => lines.length >= 1)
    assert.equal(lines[0], 'down: Connection refused: Bad User Name or Password (reason 134)')
    const fault = await carrier.request('pms.changes.requested', page, call()).catch(String)
    assert.ok(!JSON.stringify([lines, fault]).includes('secret'))
  })

  it('is let in with the right password', async (t) => {
    const broker = await brokerFor(t, { users: { hotel: 'right' } })
    const credentials = { username: 'hotel', password: 'right' }
    const { lines } = openCarrier(t, setupFor(broker.url, { clock, credentials }))
    await until(() => lines.length >= 1)
    assert.deepEqual(lines, ['up'])
  })

  for (const [action, topic] of [
    ['subscribe', `${prefix}/changes`],
    ['publish', `${prefix}/state`],
  ] as const) {
    it(`is down with the reason where it may not ${action} ${topic.split('/').at(-1)}`, async (t) => {
      const broker = await brokerFor(t)
      broker.allows = (of, what, where) => of !== clientId || what !== action || where !== topic
      const { lines } = openCarrier(t, setupFor(broker.url, { clock }))
      await until(() => lines.length >= 1)
      assert.match(lines[0] ?? '', /^down: .*Not authorized.*135/)
      broker.allows = () => true
      await until(() => lines.at(-1) === 'up')
    })
  }

  it('of two houses at one broker brings each its own', async (t) => {
    const broker = await brokerFor(t)
    const other = '019faa00-0000-7000-8000-00000000000f'
    await openPeer(t, broker.url, ({ source }) => [
      {
        specversion: '1.0',
        id: '1',
        source: 'urn:pms',
        type: 'pms.changes.replied',
        data: { changes: [], cursor: source, more: false },
      },
    ])
    const houses = [
      openCarrier(t, setupFor(broker.url, { clock })),
      openCarrier(t, setupFor(broker.url, { clock, source: () => `urn:property:${other}` })),
    ]
    const said = await Promise.all(
      houses.map(({ carrier }) => carrier.request('pms.changes.requested', page, call())),
    )
    assert.deepEqual(
      said.map((data) => (data as { cursor: string }).cursor.slice(-2)),
      ['01', '0f'],
    )
    broker.publish({ topic: `nightporter/v1/${other}/changes`, payload: 'for the other' })
    await until(() => houses[1]?.messages.length === 1)
    assert.deepEqual(
      houses.map(({ messages }) => messages.length),
      [0, 1],
    )
    assert.equal(broker.retained.size, 2)
  })

  it('is closed while it is being made, and while it is waited for', async (t) => {
    const deaf = await listening(t, () => {})
    await openCarrier(t, setupFor(deaf, { clock })).carrier.close()
    const broker = await brokerFor(t)
    await broker.kill()
    const { carrier, lines } = openCarrier(t, setupFor(broker.url, { clock }))
    await until(() => lines.length > 0)
    await carrier.close()
    await broker.start()
  })
})

/** What listens for connections, does this with each, and is no broker. */
async function listening(t: TestContext, welcome: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', () => welcome(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `mqtt://127.0.0.1:${(server.address() as { port: number }).port}`
}

const connack = mqttPacket.generate(
  { cmd: 'connack', reasonCode: 0, sessionPresent: false },
  { protocolVersion: 5 },
)
const suback = mqttPacket.generate({ cmd: 'suback', messageId: 1, granted: [1, 1] }, { protocolVersion: 5 })

describe('a broker that is none, or a hostile one', () => {
  const sayings: [string, Buffer, RegExp][] = [
    ['what is no MQTT', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), /./],
    ['a packet of a kind that there is not', Buffer.from([0x00, 0x00]), /./],
    [
      'a packet of 200 MB',
      Buffer.concat([connack, Buffer.from([0x30, 0x80, 0x80, 0x80, 0x60])]),
      /201326592 bytes/,
    ],
    [
      'a length that cannot be read',
      Buffer.concat([connack, Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff])]),
      /length|variable byte/,
    ],
    ['that it takes no message at all', Buffer.from([0x20, 6, 0, 0, 3, 0x21, 0, 0]), /Receive Maximum is 0/],
    ['two CONNACKs', Buffer.concat([connack, connack]), /duplicate CONNACK/],
    [
      'a message without the topic that its alias stands for',
      Buffer.concat([connack, suback, publishWithAlias()]),
      /Alias/,
    ],
    ['a message whose text breaks off', Buffer.concat([connack, Buffer.from([0x30, 0x02, 0x00, 0x09])]), /./],
  ]
  for (const [what, bytes, says] of sayings) {
    it(`that says ${what} is left and asked again`, async (t) => {
      let asked = 0
      const url = await listening(t, (socket) => {
        asked++
        socket.write(bytes)
      })
      const { lines } = openCarrier(t, setupFor(url, { clock, timeoutMs: 200 }))
      await until(() => asked >= 2)
      assert.match(lines[0] ?? '', /^down: /)
      assert.match(lines[0] ?? '', says)
    })
  }

  it('that says nothing is left after the time of an answer', async (t) => {
    let asked = 0
    const url = await listening(t, () => asked++)
    const { lines } = openCarrier(t, setupFor(url, { clock, timeoutMs: 50 }))
    await until(() => asked >= 2)
    assert.equal(lines[0], 'down: connack timeout')
  })

  it('that takes only QoS 0 is not spoken to', async (t) => {
    const broker = await brokerFor(t, { properties: { maximumQoS: 0 } })
    const { lines } = openCarrier(t, setupFor(broker.url, { clock }))
    await until(() => lines.length >= 1)
    assert.match(lines[0] ?? '', /accepts only QoS 0/)
  })

  it('that sends what nobody subscribed to is not listened to', async (t) => {
    const broker = await brokerFor(t)
    const { lines, carrier, messages } = openCarrier(t, setupFor(broker.url, { clock }))
    await until(() => lines.length >= 1)
    const strange = {
      cmd: 'publish',
      topic: 'elsewhere',
      payload: 'x',
      qos: 0,
      retain: false,
      dup: false,
    } as const
    broker.judge = ({ packet }) => {
      if (packet.cmd === 'publish') Object.assign(packet, strange)
      return 'pass'
    }
    broker.publish({ topic: `${prefix}/changes`, payload: 'news', qos: 0 })
    await until(() => carrier.ignored().topics === 1)
    assert.deepEqual(messages, [])
  })
})

function publishWithAlias(): Buffer {
  return mqttPacket.generate(
    {
      cmd: 'publish',
      topic: '',
      payload: 'x',
      qos: 0,
      retain: false,
      dup: false,
      properties: { topicAlias: 3 },
    },
    { protocolVersion: 5 },
  )
}
