import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { DeviceFault } from '../../../../../src/devices/fault.ts'
import type { Message } from '../../../../../src/pms/adapters/cloudevents/messages/envelope.ts'
import type { Exchanges, RequestType } from '../../../../../src/pms/adapters/cloudevents/messages/messages.ts'
import { messages } from '../../../../../src/pms/adapters/cloudevents/messages/messages.ts'
import { until } from '../../../../eventually.ts'
import { testClock } from '../../../../test-clock.ts'
import { type BrokerOptions, type MqttBroker, startMqttBroker } from './broker/mqtt-broker.ts'
import {
  type Answering,
  call,
  clientId,
  exampleReplies,
  openCarrier,
  openPeer,
  prefix,
  setupFor,
} from './mqtt-peer.ts'

const clock = testClock({ always: false })
after(() => clock.retire())

async function lineTo(t: TestContext, answering: Answering = exampleReplies, options: BrokerOptions = {}) {
  const broker = await startMqttBroker(options)
  t.after(() => broker.kill())
  const peer = await openPeer(t, broker.url, answering)
  const heard = openCarrier(t, setupFor(broker.url, { clock }))
  await until(() => heard.lines.length >= 1)
  return { broker, peer, ...heard }
}

const page = { after: null, limit: 10 }
const offers = messages['pms.reservations.offered'].example.data
const get = { name: 'rooms', method: 'GET', query: '', body: null } as const
const post = { ...get, method: 'POST' } as const

/** A fault as a test compares it. */
async function faultOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof DeviceFault, String(error))
  const { code, outcomeUnknown, vendorCode, message, retryAfterSeconds } = error
  return { code, outcomeUnknown, vendorCode, message, retryAfterSeconds }
}

describe('a request over a broker', () => {
  const types = (Object.keys(messages) as (keyof typeof messages)[]).filter(
    (type) => 'reply' in messages[type],
  )

  for (const type of types as RequestType[]) {
    it(`${type} goes to the topic of its kind and is answered`, async (t) => {
      const { carrier, peer } = await lineTo(t)
      const { example, reply } = messages[type]
      const data = example.data as Exchanges[typeof type]['data']
      assert.deepEqual(await carrier.request(type, data as never, call()), messages[reply].example.data)
      const [asked] = peer.asked
      assert.equal(asked?.packet.topic, `${prefix}/requests/${type.split('.')[1]}`)
      assert.deepEqual(asked.message.data, example.data)
    })
  }

  it('says where its reply is to go, what it is, and until when it is of use', async (t) => {
    const { carrier, peer } = await lineTo(t)
    await carrier.request('pms.changes.requested', page, call())
    const { qos, retain, properties } = peer.asked[0]!.packet
    const { correlationData, ...others } = properties ?? {}
    assert.equal(correlationData?.length, 16)
    assert.deepEqual(
      { qos, retain, ...others },
      {
        qos: 1,
        retain: false,
        payloadFormatIndicator: true,
        contentType: 'application/cloudevents+json',
        responseTopic: `${prefix}/replies/${clientId}`,
        messageExpiryInterval: 10,
      },
    )
  })

  it('takes the first of two replies, and no reply that it has not asked for', async (t) => {
    const changes = messages['pms.changes.replied'].example
    const other = { ...changes, data: { ...changes.data, cursor: 'another' } }
    const { carrier, broker } = await lineTo(t, () => [changes, other])
    broker.publish({ topic: `${prefix}/replies/${clientId}`, payload: JSON.stringify(other) })
    assert.deepEqual(await carrier.request('pms.changes.requested', page, call()), changes.data)
    broker.publish({
      topic: `${prefix}/replies/${clientId}`,
      payload: 'rubbish',
      properties: { correlationData: Buffer.from('foreign') },
    })
    await until(() => carrier.ignored().replies >= 2)
  })

  it('gives each of many at once its own reply, in whatever order they come', async (t) => {
    const held: (() => void)[] = []
    const { carrier } = await lineTo(t, async (request) => {
      const wait = Promise.withResolvers<void>()
      held.push(wait.resolve)
      if (held.length === 10) for (const go of held.reverse()) go()
      await wait.promise
      const { limit } = request.data as { limit: number }
      return [
        {
          ...messages['pms.changes.replied'].example,
          data: { changes: [], cursor: `${limit}`, more: false },
        },
      ]
    })
    const asked = Array.from({ length: 10 }, (_, n) =>
      carrier.request('pms.changes.requested', { after: null, limit: n + 1 }, call()),
    )
    const cursors = (await Promise.all(asked)).map((data) => (data as { cursor: string }).cursor)
    assert.deepEqual(cursors, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'])
  })

  it('that is not answered in time fails, and says whether something may have happened', async (t) => {
    const { carrier } = await lineTo(t, () => [])
    const asked = [
      carrier.request('pms.changes.requested', page, call(clock.timeout(100))),
      carrier.request('pms.reservations.offered', offers, call(clock.timeout(100))),
      carrier.request('pms.extension.invoked', get, call(clock.timeout(100))),
      carrier.request('pms.extension.invoked', post, call(clock.timeout(100))),
    ]
    const outcomes = await clock.during(Promise.all(asked.map(faultOf)))
    assert.deepEqual(
      outcomes.map(({ code, outcomeUnknown }) => `${code} ${outcomeUnknown}`),
      ['adapter-timeout false', 'adapter-timeout true', 'adapter-timeout false', 'adapter-timeout true'],
    )
  })

  it('whose reply comes too late is not taken for another', async (t) => {
    let answerAll = () => {}
    const { carrier } = await lineTo(t, async (request) => {
      const late = Promise.withResolvers<void>()
      if ((request.data as { limit: number }).limit === 1) answerAll = late.resolve
      else late.resolve()
      await late.promise
      return exampleReplies(request)
    })
    const first = carrier.request(
      'pms.changes.requested',
      { after: null, limit: 1 },
      call(clock.timeout(100)),
    )
    await clock.during(faultOf(first))
    answerAll()
    await until(() => carrier.ignored().replies === 1)
    assert.ok(await carrier.request('pms.changes.requested', page, call()))
  })

  it('that the PMS does not answer says why', async (t) => {
    const failed = messages['pms.request.failed'].example
    const { carrier } = await lineTo(t, () => [failed])
    const { retryAfterSeconds, ...fault } = await faultOf(
      carrier.request('pms.reservations.offered', offers, call()),
    )
    assert.equal(retryAfterSeconds, 120)
    assert.deepEqual(fault, {
      code: 'adapter-timeout',
      outcomeUnknown: false,
      vendorCode: 'busy',
      message: 'The PMS refused pms.reservations.offered: The night audit is running.',
    })
  })

  const wrongs: [string, () => Message[], RegExp][] = [
    [
      'of another type',
      () => [messages['pms.offers.answered'].example],
      /type: pms.changes.replied was expected/,
    ],
    [
      'without data',
      () => [{ specversion: '1.0', id: '1', source: 'x', type: 'a.b' } as unknown as Message],
      /data/,
    ],
    ['that is no object', () => ['hello' as unknown as Message], /object/],
  ]
  for (const [what, reply, says] of wrongs) {
    it(`a reply ${what} is a fault of the PMS`, async (t) => {
      const { carrier } = await lineTo(t, reply)
      const { code, message } = await faultOf(carrier.request('pms.changes.requested', page, call()))
      assert.equal(code, 'vendor-error')
      assert.match(message, says)
    })
  }

  it('fails at once where the broker knows of nobody who listens', async (t) => {
    const broker = await startMqttBroker()
    t.after(() => broker.kill())
    const { carrier } = openCarrier(t, setupFor(broker.url, { clock }))
    const { code, outcomeUnknown, message } = await faultOf(
      carrier.request('pms.reservations.offered', offers, call()),
    )
    assert.deepEqual([code, outcomeUnknown], ['adapter-timeout', false])
    assert.equal(message, 'No PMS has subscribed to pms.reservations.offered at the broker.')
  })

  it('fails at once while there is no line, and asks nobody', async (t) => {
    const { carrier, broker, lines } = await lineTo(t)
    await until(() => lines.length >= 1)
    await broker.kill()
    await until(() => lines.length >= 2)
    const { code, outcomeUnknown, message } = await faultOf(
      carrier.request('pms.reservations.offered', offers, call()),
    )
    assert.deepEqual([code, outcomeUnknown], ['adapter-timeout', false])
    assert.match(message, /^There is no connection to the broker of the PMS: /)
  })

  const cuts = { 'pms.reservations.offered': true, 'pms.changes.requested': false } as const
  for (const [type, outcomeUnknown] of Object.entries(cuts)) {
    const may = outcomeUnknown ? 'something may' : 'nothing can'
    it(`${type} that was cut before it was acknowledged says that ${may} have happened`, async (t) => {
      const { carrier, broker } = await lineTo(t)
      broker.judge = cuttingAtRequest()
      const { data } = messages[type as RequestType].example
      const fault = await faultOf(carrier.request(type as RequestType, data as never, call()))
      assert.deepEqual([fault.code, fault.outcomeUnknown], ['adapter-timeout', outcomeUnknown])
      assert.match(fault.message, /the connection was cut/)
    })
  }

  it('is answered over the next connection when the line was cut meanwhile', async (t) => {
    const wait = Promise.withResolvers<void>()
    const { carrier, broker, peer, lines } = await lineTo(t, async (request) => {
      await wait.promise
      return exampleReplies(request)
    })
    const said = carrier.request('pms.changes.requested', page, call())
    await until(() => peer.asked.length === 1)
    broker.cut(clientId)
    await until(() => lines.length >= 3)
    wait.resolve()
    assert.deepEqual(await said, messages['pms.changes.replied'].example.data)
  })

  it('fails when the broker has forgotten the session, and its reply with it', async (t) => {
    const { carrier, broker, peer, lines } = await lineTo(t, () => [])
    const said = faultOf(carrier.request('pms.reservations.offered', offers, call()))
    await until(() => peer.asked.length === 1 && acknowledged(broker))
    await broker.kill()
    await broker.start({ forgetting: true })
    await until(() => lines.length >= 3)
    const { code, outcomeUnknown, message } = await said
    assert.deepEqual([code, outcomeUnknown], ['adapter-timeout', true])
    assert.match(message, /it has forgotten where replies are to go/)
  })

  it('that is larger than the broker takes is not sent', async (t) => {
    const { carrier, peer } = await lineTo(t, exampleReplies, { properties: { maximumPacketSize: 2_000 } })
    const large = { ...get, query: 'x'.repeat(3_000) }
    const fault = await faultOf(carrier.request('pms.extension.invoked', large, call()))
    assert.deepEqual([fault.code, fault.vendorCode], ['vendor-error', '149'])
    assert.ok(await carrier.request('pms.extension.invoked', get, call()))
    assert.equal(peer.asked.length, 1)
  })

  it('is refused by name where more than 64 wait', async (t) => {
    const { carrier } = await lineTo(t, () => [])
    const asked = Array.from({ length: 65 }, () =>
      faultOf(carrier.request('pms.changes.requested', page, call(clock.timeout(300)))),
    )
    const messages = (await clock.during(Promise.all(asked))).map(({ message }) => message)
    assert.equal(messages.filter((each) => each.startsWith('64 requests already wait')).length, 1)
  })
})

/** Cuts the line after a request has arrived, before its acknowledgement leaves. */
function cuttingAtRequest(): MqttBroker['judge'] {
  return ({ packet, direction }) =>
    direction === 'in' && packet.cmd === 'publish' && packet.topic.includes('/requests/')
      ? 'cut-after'
      : 'pass'
}

/** The broker has confirmed the request to the box. */
function acknowledged({ passed }: MqttBroker): boolean {
  return passed.some(
    ({ packet, direction, clientId: of }) =>
      of === clientId && direction === 'out' && packet.cmd === 'puback' && packet.messageId !== 1,
  )
}
