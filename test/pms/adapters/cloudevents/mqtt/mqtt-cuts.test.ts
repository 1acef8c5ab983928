import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { messages } from '../../../../../src/pms/adapters/cloudevents/messages/messages.ts'
import type { MqttCarrier } from '../../../../../src/pms/adapters/cloudevents/mqtt/mqtt-carrier.ts'
import { until } from '../../../../eventually.ts'
import { testClock } from '../../../../test-clock.ts'
import type { Passing, Verdict } from './broker/broker-link.ts'
import { atPacket } from './broker/faults.ts'
import { type MqttBroker, startMqttBroker } from './broker/mqtt-broker.ts'
import {
  call,
  clientId,
  eventsOf,
  openCarrier,
  openListener,
  openPeer,
  prefix,
  setupFor,
} from './mqtt-peer.ts'

const clock = testClock({ always: false })
after(() => clock.retire())

/** Does it again until it is done, as the engine does. */
async function insist(work: () => Promise<unknown>): Promise<void> {
  let last: unknown
  for (let tries = 0; tries < 500; tries++) {
    try {
      await work()
      return
    } catch (error) {
      last = error
      await clock.sleep(2)
    }
  }
  throw last
}

interface Ended {
  asked: string[]
  events: string[]
  changes: string[]
  state: unknown
}

/** Everything that passes between a house and its PMS once, and what both know at the end, without what was sent twice. */
async function exchange(t: TestContext, broker: MqttBroker, n: number): Promise<Ended> {
  const peer = await openPeer(t, broker.url, undefined, { clientId: `pms-${n}` })
  const received = await openListener(t, broker.url, { clientId: `listener-${n}` })
  const { carrier, messages: changes, lines } = openCarrier(t, setupFor(broker.url, { clock, timeoutMs: 60 }))
  await until(() => lines.includes('up'))
  broker.publish({ topic: `${prefix}/changes`, payload: 'a change' })
  await askedAll(carrier)
  await insist(() => carrier.publish(eventsOf(4), call(clock.timeout(60))))
  await until(() => changes.length > 0)
  await carrier.close()
  await until(() => !broker.connected().includes(clientId))
  await peer.close()
  return {
    asked: [...new Set(peer.asked.map(({ message }) => message.type))],
    events: [...new Set(received)].sort(),
    changes: [...new Set(changes)],
    state: JSON.parse(String(broker.retained.get(`${prefix}/state`)?.payload)).data.state,
  }
}

async function askedAll(carrier: MqttCarrier): Promise<void> {
  const offers = messages['pms.reservations.offered'].example.data
  await insist(() =>
    carrier.request('pms.changes.requested', { after: null, limit: 10 }, call(clock.timeout(60))),
  )
  await insist(() => carrier.request('pms.reservations.offered', offers, call(clock.timeout(60))))
}

const delivered = ['publish', 'puback']

/** A change that is lost is fetched by its cursor, and not sent again while the line stands. */
const mayBeLost = ({ packet, direction }: Passing) =>
  packet.cmd !== 'publish' || direction === 'in' || packet.topic !== `${prefix}/changes`

/** What can befall a packet, and which packets of the house's line. */
const mishaps: [string, Verdict, (passing: Passing) => boolean, number][] = [
  ['is cut before a packet', 'cut-before', () => true, 20],
  ['is cut after a packet', 'cut-after', () => true, 20],
  ['loses a packet', 'lose', mayBeLost, 20],
  ['brings a packet twice', 'twice', ({ packet }) => delivered.includes(packet.cmd), 15],
  ['brings a packet after the next', 'after-next', ({ packet }) => delivered.includes(packet.cmd), 15],
]

describe('a line that once', () => {
  for (const [what, verdict, isAbout, least] of mishaps) {
    it(`${what} ends as one that does not, whichever packet that is`, async (t) => {
      const broker = await startMqttBroker()
      t.after(() => broker.kill())
      const whole = await clock.during(exchange(t, broker, 0))
      assert.deepEqual([whole.asked.length, whole.events.length, whole.changes.length], [2, 4, 1])
      assert.equal(whole.state, 'offline')
      let n = 0
      for (let happened = true; happened; ) {
        assert.ok(++n < 200, 'there is an end to an exchange')
        const mishap = atPacket(n, verdict, (passing) => passing.clientId === clientId && isAbout(passing))
        broker.judge = mishap
        assert.deepEqual(await clock.during(exchange(t, broker, n)), whole, `at packet ${n}`)
        happened = mishap.happened()
      }
      assert.ok(n > least, `${n - 1} packets`)
    })
  }
})
