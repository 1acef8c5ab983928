import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemClock } from '../../../../../src/host/clock.ts'
import { until } from '../../../../eventually.ts'
import { patienceMs } from '../../../../patience.ts'
import { type Mosquitto, noMosquitto, startMosquitto } from './mosquitto.ts'
import {
  actor,
  eventsOf,
  openCarrier,
  openListener,
  openPeer,
  prefix,
  propertyId,
  setupFor,
} from './mqtt-peer.ts'

/** One conversation with a broker as hotels run it. `mosquitto.real.test.ts` has the rest. */
describe('a conversation over Mosquitto', { skip: noMosquitto }, () => {
  const passwords = { [propertyId]: 'of the box', pms: 'of the pms', stream: 'of the stream' }
  const loginOf = (username: 'pms' | 'stream') => ({
    username,
    password: passwords[username],
    ca: mosquitto.ca,
  })
  const call = { signal: new AbortController().signal, actor }
  let mosquitto: Mosquitto
  before(async () => {
    mosquitto = await startMosquitto(passwords)
  })
  after(() => mosquitto?.close())

  it('lets the box in, and tells the PMS what it asks and what happens', async (t) => {
    const peer = await openPeer(t, mosquitto.url, undefined, loginOf('pms'))
    const received = await openListener(t, mosquitto.url, loginOf('stream'))
    const { carrier } = openCarrier(
      t,
      setupFor(mosquitto.url, {
        clock: systemClock,
        timeoutMs: patienceMs,
        connection: { broker: mosquitto.url, serverCa: mosquitto.ca },
        credentials: { username: propertyId, password: passwords[propertyId] },
      }),
    )
    assert.ok(await carrier.request('pms.changes.requested', { after: null, limit: 10 }, call))
    assert.equal(peer.asked.length, 1)
    // Of more types than Mosquitto keeps short names for.
    const types = Array.from({ length: 30 }, (_, n) => `stay.type-${n % 15}`)
    await carrier.publish(
      types.flatMap((type) => eventsOf(1, type)),
      call,
    )
    await until(() => received.length === 30)
    assert.deepEqual(
      received.map((each) => each.split(' ')[0]),
      types.map((type) => `${prefix}/events/${type.replace('.', '/')}`),
    )
  })
})
