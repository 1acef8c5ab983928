import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { DeviceFault } from '../../../../../src/devices/fault.ts'
import { until } from '../../../../eventually.ts'
import { testClock } from '../../../../test-clock.ts'
import { doesTo } from './broker/faults.ts'
import { type BrokerOptions, startMqttBroker } from './broker/mqtt-broker.ts'
import {
  call,
  clientId,
  eventId,
  eventsOf,
  openCarrier,
  openListener,
  prefix,
  setupFor,
} from './mqtt-peer.ts'

const clock = testClock({ always: false })
after(() => clock.retire())

async function lineTo(t: TestContext, options: BrokerOptions = {}, timeoutMs = 10_000) {
  const broker = await startMqttBroker(options)
  t.after(() => broker.kill())
  const received = await openListener(t, broker.url)
  const heard = openCarrier(t, setupFor(broker.url, { clock, timeoutMs }))
  await until(() => heard.lines.at(-1) === 'up')
  return { broker, received, ...heard }
}

const idsOf = (received: readonly string[]) => received.map((each) => each.split(' ')[1])
const ids = (count: number) => eventsOf(count).map(({ id }) => id)

describe('events over a broker', () => {
  it('are sent in order, each at the topic of its type, and done when the broker has all of them', async (t) => {
    const { broker, carrier, received } = await lineTo(t)
    await carrier.publish([...eventsOf(2), ...eventsOf(1, 'key.created')], call())
    const acknowledged = broker.passed.filter(
      ({ packet, direction, clientId: of }) =>
        of === clientId && direction === 'out' && packet.cmd === 'puback',
    )
    assert.equal(acknowledged.length, 4)
    await until(() => received.length === 3)
    assert.deepEqual(received, [
      `${prefix}/events/stay/checked-in ${eventId(0)}`,
      `${prefix}/events/stay/checked-in ${eventId(1)}`,
      `${prefix}/events/key/created ${eventId(0)}`,
    ])
  })

  it('are sent without a receiver: none has to listen', async (t) => {
    const broker = await startMqttBroker()
    t.after(() => broker.kill())
    const { carrier } = openCarrier(t, setupFor(broker.url, { clock }))
    await carrier.publish(eventsOf(3), call())
  })

  it('are thrown away by the broker a week later', async (t) => {
    const { broker, carrier } = await lineTo(t)
    await carrier.publish(eventsOf(1), call())
    const [sent] = broker.passed.flatMap(({ packet }) =>
      packet.cmd === 'publish' && packet.topic.includes('/events/') ? [packet] : [],
    )
    assert.equal(sent?.properties?.messageExpiryInterval, 604_800)
    assert.equal(sent?.properties?.contentType, 'application/cloudevents+json')
  })

  it('of a full batch are no more under way at once than the broker takes', async (t) => {
    const { broker, carrier, received } = await lineTo(t, { properties: { receiveMaximum: 7 } }, 300)
    await carrier.publish(eventsOf(500), call())
    await until(() => received.length === 500)
    assert.deepEqual(idsOf(received), ids(500))
    broker.judge = doesTo('puback', 'out', 'lose')
    await clock.during(assert.rejects(carrier.publish(eventsOf(20), call()), /has acknowledged nothing/))
    await until(() => received.length >= 507)
    assert.equal(received.length, 507)
  })

  it('that the broker refuses fail, with its reason', async (t) => {
    const { broker, carrier } = await lineTo(t)
    broker.allows = (_, action, topic) => action !== 'publish' || !topic.includes('/events/')
    await assert.rejects(carrier.publish(eventsOf(3), call()), (fault: DeviceFault) => {
      assert.deepEqual([fault.code, fault.vendorCode], ['vendor-error', '135'])
      assert.equal(
        fault.message,
        'The broker of the PMS refused it: Publish error: Not authorized (reason 135).',
      )
      return true
    })
  })

  it('whose acknowledgements are lost fail, over a line that is made anew, and are sent again', async (t) => {
    const { broker, carrier, lines, received } = await lineTo(t, {}, 200)
    broker.judge = doesTo('puback', 'out', 'lose')
    const publishing = carrier.publish(eventsOf(3), call())
    await clock.during(assert.rejects(publishing, /has acknowledged nothing for 0.2 s/))
    broker.judge = () => 'pass'
    await until(() => lines.length >= 3 && lines.at(-1) === 'up')
    await carrier.publish(eventsOf(3), call())
    await until(() => received.length === 6)
    assert.deepEqual(idsOf(received), [...ids(3), ...ids(3)])
  })

  it('that were not acknowledged when the line was cut are sent again by the side that stored them, and by no other', async (t) => {
    const { broker, carrier, lines, received } = await lineTo(t)
    let seen = 0
    broker.judge = ({ packet, direction, clientId: of }) => {
      const isEvent = of === clientId && direction === 'in' && packet.cmd === 'publish'
      return isEvent && ++seen === 2 ? 'cut-before' : 'pass'
    }
    await assert.rejects(carrier.publish(eventsOf(3), call()), { code: 'adapter-timeout' })
    await until(() => lines.length >= 3)
    await carrier.publish([], call())
    assert.deepEqual(idsOf(received), [eventId(0)])
    await carrier.publish(eventsOf(3), call())
    await until(() => received.length === 4)
    assert.deepEqual(idsOf(received), [eventId(0), ...ids(3)])
  })

  it('that nobody waits for any more are not sent later', async (t) => {
    const { broker, carrier, received } = await lineTo(t, { properties: { receiveMaximum: 1 } })
    const given = new AbortController()
    broker.judge = ({ packet, direction }) => {
      if (direction === 'in' && packet.cmd === 'publish') given.abort()
      return 'pass'
    }
    const telling = carrier.publish(eventsOf(20), { signal: given.signal, actor: call().actor })
    await assert.rejects(telling, /nothing could be sent in time/)
    await carrier.publish(eventsOf(1, 'key.created'), call())
    await until(() => received.length === 2)
    assert.deepEqual(
      received.map((each) => each.split('/events/')[1]),
      [`stay/checked-in ${eventId(0)}`, `key/created ${eventId(0)}`],
    )
  })

  it('wait for a line that is being made, as long as somebody waits for them', async (t) => {
    const broker = await startMqttBroker()
    t.after(() => broker.kill())
    broker.judge = doesTo('connack', 'out', 'lose')
    const { carrier } = openCarrier(t, setupFor(broker.url, { clock }))
    const publishing = carrier.publish(eventsOf(1), call(clock.timeout(30)))
    const fault = await clock.during(publishing.catch((error: unknown) => error))
    assert.ok(fault instanceof DeviceFault)
    assert.equal(
      fault.message,
      'There is no connection to the broker of the PMS: it has not been opened yet.',
    )
  })
})
