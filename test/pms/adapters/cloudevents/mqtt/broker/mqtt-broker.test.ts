import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { until } from '../../../../../eventually.ts'
import { doesTo } from './faults.ts'
import { type BrokerOptions, type MqttBroker, startMqttBroker } from './mqtt-broker.ts'
import { matches } from './topic-filter.ts'

async function brokerFor(t: TestContext, options: BrokerOptions = {}): Promise<MqttBroker> {
  const broker = await startMqttBroker(options)
  t.after(() => broker.kill())
  return broker
}

async function client(
  t: TestContext,
  { url }: MqttBroker,
  options: IClientOptions = {},
): Promise<MqttClient> {
  const made = mqtt.connect(url, { protocolVersion: 5, reconnectPeriod: 0, ...options })
  t.after(() => void made.end(true))
  await new Promise<void>((resolve, reject) => {
    made.once('connect', () => resolve())
    made.once('error', reject)
  })
  return made
}

const lasting = { clean: false, properties: { sessionExpiryInterval: 60 } }

function heard(of: MqttClient): string[] {
  const texts: string[] = []
  of.on('message', (topic, payload, { retain, dup }) =>
    texts.push(`${topic} ${payload}${retain ? ' retained' : ''}${dup ? ' again' : ''}`),
  )
  return texts
}

describe('the MQTT broker of the tests', () => {
  it('knows which topics a filter is about', () => {
    const cases: [string, string, boolean][] = [
      ['a/b', 'a/b', true],
      ['a/+', 'a/b', true],
      ['a/+', 'a/b/c', false],
      ['a/+/c', 'a/b/c', true],
      ['a/#', 'a', true],
      ['a/#', 'a/b/c', true],
      ['#', '$SYS/load', false],
      ['a/b', 'a', false],
    ]
    for (const [filter, topic, is] of cases) assert.equal(matches(filter, topic), is, `${filter} ${topic}`)
  })

  it('keeps what is for a client who is away, for as long as his session and the message last', async (t) => {
    let now = 0
    const broker = await brokerFor(t, { now: () => now })
    const first = await client(t, broker, { clientId: 'one', ...lasting })
    await first.subscribeAsync('a/#', { qos: 1 })
    await first.endAsync()
    await until(() => broker.connected().length === 0)
    broker.publish({ topic: 'a/1', payload: 'kept' })
    broker.publish({ topic: 'a/2', payload: 'short', properties: { messageExpiryInterval: 10 } })
    now += 20_000
    const sent = () => broker.passed.filter(({ packet }) => packet.cmd === 'publish')
    await client(t, broker, { clientId: 'one', ...lasting })
    await until(() => sent().length > 0)
    assert.deepEqual(
      sent().map(({ packet }) => 'topic' in packet && packet.topic),
      ['a/1'],
    )
    broker.cut('one')
    await until(() => broker.connected().length === 0)
    assert.deepEqual(broker.sessions(), ['one'])
    now += 60_001
    assert.deepEqual(broker.sessions(), [])
  })

  it('sends again what was not acknowledged, and gives retained messages to who comes later', async (t) => {
    const broker = await brokerFor(t)
    broker.publish({ topic: 'state', payload: 'online', retain: true })
    const one = await client(t, broker, { clientId: 'one', ...lasting })
    const texts = heard(one)
    broker.judge = doesTo('puback', 'in', 'lose')
    await one.subscribeAsync('state', { qos: 1, rap: true })
    await until(() => texts.length === 1)
    broker.judge = () => 'pass'
    broker.cut('one')
    await until(() => broker.connected().length === 0)
    const again = mqtt.connect(broker.url, {
      protocolVersion: 5,
      clientId: 'one',
      reconnectPeriod: 0,
      ...lasting,
    })
    t.after(() => void again.end(true))
    const more = heard(again)
    await until(() => more.length === 1)
    assert.deepEqual([...texts, ...more], ['state online retained', 'state online retained again'])
  })

  it('tells the will of who is cut off, and not of who says goodbye', async (t) => {
    const broker = await brokerFor(t)
    const listener = await client(t, broker)
    const texts = heard(listener)
    await listener.subscribeAsync('+/state', { qos: 1 })
    const will = (name: string) => ({ topic: `${name}/state`, payload: 'gone', qos: 1 as const })
    await client(t, broker, { clientId: 'a', will: will('a') })
    const polite = await client(t, broker, { clientId: 'b', will: will('b') })
    await polite.endAsync()
    broker.cut('a')
    await until(() => texts.length > 0 && broker.connected().length === 1)
    assert.deepEqual(texts, ['a/state gone'])
  })

  it('gives each message of a shared subscription to one of the group', async (t) => {
    const broker = await brokerFor(t)
    const members = await Promise.all([client(t, broker), client(t, broker)])
    const texts = members.map(heard)
    for (const each of members) await each.subscribeAsync('$share/pms/a/#', { qos: 1 })
    for (let n = 0; n < 4; n++) broker.publish({ topic: 'a/b', payload: `${n}` })
    await until(() => texts.flat().length === 4)
    assert.deepEqual(
      texts.map((each) => each.length),
      [2, 2],
    )
  })

  it('refuses a wrong password, and a topic that is not allowed', async (t) => {
    const broker = await brokerFor(t, { users: { hotel: 'right' } })
    await assert.rejects(client(t, broker, { username: 'hotel', password: 'wrong' }), { code: 134 })
    const one = await client(t, broker, { username: 'hotel', password: 'right' })
    broker.allows = (_, action) => action === 'publish'
    await assert.rejects(one.subscribeAsync('a', { qos: 1 }), /Not authorized/)
    broker.allows = () => false
    await assert.rejects(one.publishAsync('a', 'b', { qos: 1 }), { code: 135 })
  })

  it('is there again after it was killed, with its sessions or without', async (t) => {
    const broker = await brokerFor(t)
    const present: boolean[] = []
    for (const forgetting of [false, true]) {
      const one = await client(t, broker, { clientId: 'one', ...lasting })
      await broker.kill()
      one.end(true)
      await broker.start({ forgetting })
      const again = mqtt.connect(broker.url, {
        protocolVersion: 5,
        clientId: 'one',
        reconnectPeriod: 0,
        ...lasting,
      })
      t.after(() => void again.end(true))
      await new Promise<void>((resolve) =>
        again.once('connect', ({ sessionPresent }) => resolve(void present.push(sessionPresent))),
      )
      again.end(true)
      await until(() => broker.connected().length === 0)
    }
    assert.deepEqual(present, [true, false])
  })

  it('loses, doubles and swaps what a test tells it to', async (t) => {
    const broker = await brokerFor(t)
    const one = await client(t, broker)
    const texts = heard(one)
    await one.subscribeAsync('a', { qos: 1 })
    for (const verdict of ['lose', 'twice', 'after-next'] as const) {
      broker.judge = doesTo('publish', 'out', verdict, 1)
      for (const n of [1, 2]) broker.publish({ topic: 'a', payload: `${verdict} ${n}` })
    }
    await until(() => texts.length === 6)
    assert.deepEqual(texts, [
      'a lose 2',
      'a twice 1',
      'a twice 1',
      'a twice 2',
      'a after-next 2',
      'a after-next 1',
    ])
  })
})
