import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { after, before, describe, it, type TestContext } from 'node:test'
import mqtt from 'mqtt'
import type { CarrierSetup } from '../../../../../src/pms/adapters/cloudevents/carrier.ts'
import { mqttCarrier } from '../../../../../src/pms/adapters/cloudevents/mqtt/mqtt-carrier.ts'
import { until } from '../../../../eventually.ts'
import { settableClock } from '../../../../test-clock.ts'
import { adapterContract } from '../../adapter-contract.ts'
import { expectAllDocumented, wholeConversation } from '../conversation.ts'
import type { Sent } from '../documented-messages.ts'
import { type Mosquitto, noMosquitto, startMosquitto } from './mosquitto.ts'
import { mqttBench } from './mqtt-bench.ts'
import {
  call,
  eventsOf,
  openCarrier,
  openListener,
  openPeer,
  prefix,
  propertyId,
  setupFor,
} from './mqtt-peer.ts'

const passwords = {
  [propertyId]: 'of the box',
  pms: 'of the pms',
  stream: 'of the stream',
  spy: 'of the spy',
}

/** The broker is another process: timers run on the machine's own time. */
const clock = settableClock(Date.UTC(2026, 5, 1, 16))
let mosquitto: Mosquitto
before(async () => {
  if (!noMosquitto) mosquitto = await startMosquitto(passwords)
})
after(() => mosquitto?.close())

const boxSetup = (more: Partial<CarrierSetup> = {}) =>
  setupFor(mosquitto.url, {
    clock,
    connection: { broker: mosquitto.url, serverCa: mosquitto.ca },
    credentials: { username: propertyId, password: passwords[propertyId] },
    ...more,
  })
const loginOf = (username: 'pms' | 'stream' | 'spy') => ({
  username,
  password: passwords[username],
  ca: mosquitto.ca,
})

const openBench = () => mqttBench({ url: mosquitto.url, login: loginOf('pms'), setup: boxSetup(), clock })

if (!noMosquitto) {
  adapterContract('cloudevents over Mosquitto with TLS, passwords and access list', openBench, {
    push: true,
    follow: true,
  })
}

describe('the access list', () => {
  it('is as the page for vendors says', () => {
    const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8')
    const page = read('src/pms/adapters/cloudevents/README.md')
    const [boxes = '', pms = ''] = read('test/many-boxes/acl')
      .replace(/^#.*\n/gm, '')
      .trim()
      .split('\n\n')
    for (const rules of [boxes, pms]) assert.ok(page.includes(rules.replace(/^/gm, '    ')), rules)
  })
})

describe('a real Mosquitto', { skip: noMosquitto }, () => {
  const page = { after: null, limit: 10 }

  async function firstLine(t: TestContext, setup: CarrierSetup): Promise<string> {
    const { lines } = openCarrier(t, setup)
    await until(() => lines.length > 0)
    return lines[0] ?? ''
  }

  it('takes a full batch of events, and no more at once than it wants', async (t) => {
    const received = await openListener(t, mosquitto.url, loginOf('stream'))
    const { carrier } = openCarrier(t, boxSetup({ timeoutMs: 5_000 }))
    await carrier.publish(eventsOf(500), call())
    await until(() => received.length === 500)
    assert.deepEqual(
      received.map((each) => each.split(' ')[1]),
      eventsOf(500).map(({ id }) => id),
    )
  })

  it('says that a request has nobody who hears it', async (t) => {
    const { carrier } = openCarrier(t, boxSetup())
    await assert.rejects(
      carrier.request('pms.changes.requested', page, call()),
      /^DeviceFault: No PMS has subscribed/,
    )
  })

  it('passes nothing that is not in the AsyncAPI document, and all of that', async (t) => {
    const spy = mqtt.connect(mosquitto.url, { protocolVersion: 5, ...loginOf('spy') })
    t.after(() => void spy.end(true))
    const sent: Sent[] = []
    spy.on('message', (topic, payload, { properties = {} }) => {
      const { correlationData, responseTopic, messageExpiryInterval } = properties
      sent.push({ topic, payload: payload.toString(), correlationData, responseTopic, messageExpiryInterval })
    })
    await spy.subscribeAsync('nightporter/#', { qos: 1 })
    const bench = await openBench()
    t.after(() => bench.close())
    await wholeConversation(bench)
    await until(() => sent.at(-1)?.payload.includes('"state":"offline"') === true)
    expectAllDocumented(sent)
  })

  it('refuses a wrong password', async (t) => {
    const credentials = { username: propertyId, password: 'a wrong secret' }
    assert.equal(
      await firstLine(t, boxSetup({ credentials })),
      'down: Connection refused: Not authorized (reason 135)',
    )
  })

  it('is not spoken to where its certificate is of somebody else', async (t) => {
    const connection = { broker: mosquitto.url, serverCa: mosquitto.strangeCa }
    assert.match(
      await firstLine(t, boxSetup({ connection })),
      /^down: .*(self-signed|unable to verify|certificate)/,
    )
  })

  it('is not spoken to where its certificate is for another name', async (t) => {
    const connection = { broker: mosquitto.url, serverCa: mosquitto.ca, brokerName: 'broker.example' }
    assert.match(await firstLine(t, boxSetup({ connection })), /^down: .*does not match/)
  })

  it('is reached by an address where the name in its certificate is said', async (t) => {
    const broker = mosquitto.url.replace('localhost', '127.0.0.1')
    const connection = { broker, serverCa: mosquitto.ca, brokerName: 'localhost' }
    assert.equal(await firstLine(t, boxSetup({ connection })), 'up')
  })

  it('lets in who has a certificate where it asks for one, and nobody else', async (t) => {
    const connection = { broker: mosquitto.certifiedUrl, serverCa: mosquitto.ca }
    const login = { username: propertyId, password: passwords[propertyId] }
    const { cert: clientCertificate, key: clientKey } = mosquitto.client
    assert.match(await firstLine(t, boxSetup({ connection, credentials: login })), /^down: /)
    const credentials = { ...login, clientCertificate, clientKey }
    assert.equal(await firstLine(t, boxSetup({ connection, credentials })), 'up')
  })

  it('does not let a box speak for another house', async (t) => {
    const source = () => 'urn:property:019faa00-0000-7000-8000-0000000000aa'
    assert.equal(await firstLine(t, boxSetup({ source })), 'down: Publish error: Not authorized (reason 135)')
  })

  it('does not let a box hear what is for another house', async (t) => {
    const { messages, lines } = openCarrier(t, boxSetup())
    await until(() => lines.length > 0)
    const peer = await openPeer(t, mosquitto.url, undefined, loginOf('pms'))
    peer.tell('nightporter/v1/another/changes', 'not for us')
    peer.tell(`${prefix}/changes`, 'for us')
    await until(() => messages.length > 0)
    assert.deepEqual(messages, ['for us'])
  })

  for (const forgetting of [false, true]) {
    const how = forgetting ? 'without' : 'with'
    it(`is killed and started again ${how} what it had written down`, async (t) => {
      const configurationId = `019faa00-0000-7000-8000-00000000000${forgetting ? 'd' : 'e'}`
      const first = openCarrier(t, boxSetup({ configurationId }))
      await until(() => first.lines.at(-1) === 'up')
      await first.carrier.close()
      const peer = await openPeer(t, mosquitto.url, undefined, { ...loginOf('pms'), clientId: `pms-${how}` })
      await peer.tell(`${prefix}/changes`, 'sent meanwhile')
      const { lines, carrier } = openCarrier(t, boxSetup())
      await until(() => lines.at(-1) === 'up')
      // It writes within a second.
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      await mosquitto.kill()
      await until(() => lines.at(-1) !== 'up')
      await mosquitto.start({ forgetting })
      await until(() => lines.at(-1) === 'up')
      const { messages, lines: more } = openCarrier(t, boxSetup({ configurationId }))
      await until(() => more.at(-1) === 'up')
      await peer.tell(`${prefix}/changes`, 'sent afterwards')
      await until(() => messages.includes('sent afterwards'))
      assert.deepEqual(messages, forgetting ? ['sent afterwards'] : ['sent meanwhile', 'sent afterwards'])
      await peer.subscribed()
      assert.ok(await carrier.request('pms.changes.requested', page, call()))
    })
  }

  it('tells that a box is gone without a word', async (t) => {
    const { url, cut } = await proxyTo(t, Number(new URL(mosquitto.url).port))
    const states: string[] = []
    const peer = await openPeer(t, mosquitto.url, undefined, loginOf('pms'))
    await peer.hear(`${prefix}/state`, (text) => states.push(JSON.parse(text).data.state))
    const connection = { broker: url, serverCa: mosquitto.ca }
    const { lines } = openCarrier(t, boxSetup({ connection }))
    await until(() => lines.length >= 1 && states.at(-1) === 'online')
    states.length = 0
    cut()
    await until(() => states.length === 2)
    assert.deepEqual(states, ['offline', 'online'])
    assert.equal(lines[1], 'down: the connection was cut')
  })
})

/** A wire to the broker that can be cut. */
async function proxyTo(t: TestContext, port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const there = connect(port, '127.0.0.1')
    for (const each of [socket, there]) {
      sockets.add(each)
      each.on('error', () => {}).on('close', () => cut())
    }
    socket.pipe(there).pipe(socket)
  })
  const cut = () => {
    for (const each of sockets) each.destroy()
    sockets.clear()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    cut()
    server.close()
  })
  return { url: `mqtts://localhost:${(server.address() as { port: number }).port}`, cut }
}

it('two boxes with one client id note each other', { skip: noMosquitto }, async (t) => {
  // Mosquitto says nothing before it cuts the first one: several short connections show it.
  const boxes = [1, 2].map(() => mqttCarrier(boxSetup(), { firstMs: 20, maxMs: 5_000 }))
  t.after(() => Promise.all(boxes.map((each) => each.close())))
  await until(() => boxes.every(({ notes }) => /other-box$/.test(notes?.()[0]?.code ?? '')))
})
