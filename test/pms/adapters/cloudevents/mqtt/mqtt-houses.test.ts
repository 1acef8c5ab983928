import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { virtualClock } from '../../../../../src/host/virtual-clock.ts'
import { type MqttPms, serveMqtt } from '../../../../../src/simulators/cloudevents/mqtt-server.ts'
import { type SimulatedPms, simulatedPms } from '../../../../../src/simulators/cloudevents/simulated-pms.ts'
import { sampleUnits, unitsIn } from '../../../../../src/simulators/cloudevents/units.ts'
import { monday, startAppliance, type TestAppliance } from '../../../../appliance.ts'
import { eventually } from '../../../sync/linked-house.ts'
import { aReservation } from '../../adapter-contract.ts'
import { documentedAs } from '../documented-messages.ts'
import { type MqttBroker, startMqttBroker } from './broker/mqtt-broker.ts'

/** A house, and the PMS of it at the broker. */
interface Kept {
  house: TestAppliance
  pms: SimulatedPms
  configurationId: string
}

describe('two houses and their PMS at one broker', () => {
  let broker: MqttBroker
  let server: MqttPms
  const kept: Kept[] = []
  const pmsByHouse = new Map<string, SimulatedPms>()
  const clock = virtualClock(monday)

  before(async () => {
    broker = await startMqttBroker()
    const pmsOf = (house: string) => {
      const pms = simulatedPms({ clock, units: unitsIn(sampleUnits)! })
      pmsByHouse.set(house, pms)
      return pms
    }
    server = await serveMqtt({ url: broker.url, clock, retryMs: 5, pmsOf })
    for (const name of ['first', 'second']) kept.push(await linked(name))
  })
  after(async () => {
    for (const { house } of kept) await house.stop()
    await server.close()
    await broker.kill()
  })

  async function linked(name: string): Promise<Kept> {
    const house = await startAppliance()
    const body = {
      name,
      adapter: 'cloudevents',
      transport: 'mqtt',
      heartbeatSeconds: 5,
      connection: { broker: broker.url },
    }
    const { status, headers, text } = await house.ask('POST', '/api/config/v1/pms-configurations', { body })
    assert.equal(status, 201, text)
    const known = pmsByHouse.size
    await eventually('the PMS hears of the house', () => pmsByHouse.size > known)
    const pms = [...pmsByHouse.values()].at(-1)!
    return { house, pms, configurationId: headers.get('location')?.split('/').at(-1) ?? '' }
  }

  async function comments({ house }: Kept): Promise<string[]> {
    const { body } = await house.ask('GET', '/api/v2/reservations?filter[comment][notnull]=true')
    return body.data.map(({ attributes }: { attributes: { comment: string } }) => attributes.comment)
  }

  const commentsThere = ({ pms }: Kept) =>
    [...pms.book.reservations.values()].flatMap(({ value }) => value?.comment ?? []).sort()

  it('tell each house what its own PMS has, and nothing of the other', async () => {
    for (const [n, { pms }] of kept.entries()) pms.book.make(aReservation(`of house ${n}`))
    for (const [n, each] of kept.entries()) {
      await eventually('it is sent', async () => (await comments(each)).includes(`of house ${n}`))
      assert.ok(!(await comments(each)).includes(`of house ${1 - n}`))
    }
  })

  it('tell the PMS what a house changes, and what happens there', async () => {
    const [one, other] = kept as [Kept, Kept]
    const { body } = await one.house.ask('GET', '/api/v2/reservations?filter[comment]=of house 0')
    const path = `/api/v2/reservations/${body.data[0].id}`
    assert.equal((await one.house.ask('PATCH', path, { body: { comment: 'said here' } })).status, 204)
    await eventually('it is sent', () => commentsThere(one).includes('said here'))
    assert.ok(!commentsThere(other).includes('said here'))
    await eventually('the event is sent', () =>
      one.pms.received.some(({ type, subject }) => type === 'reservation.changed' && path.endsWith(subject)),
    )
  })

  it('agree with each again after the broker was away, and has forgotten everything', async () => {
    await broker.kill()
    for (const [n, { house, pms }] of kept.entries()) {
      pms.book.make(aReservation(`made there meanwhile ${n}`))
      const { body } = await house.ask('GET', `/api/v2/reservations?filter[comment][notnull]=true`)
      const path = `/api/v2/reservations/${body.data[0].id}`
      await house.ask('PATCH', path, { body: { comment: `said here meanwhile ${n}` } })
    }
    broker.judge = pmsFirst()
    await broker.start({ forgetting: true })
    for (const [n, each] of kept.entries()) {
      await eventually('both have both', async () => {
        const [here, there] = [await comments(each), commentsThere(each)]
        return here.includes(`made there meanwhile ${n}`) && there.includes(`said here meanwhile ${n}`)
      })
    }
  })

  it('say nothing that is not in the AsyncAPI document', () => {
    const sent = broker.passed.flatMap(({ packet, direction }) =>
      packet.cmd === 'publish' && direction === 'in' ? [packet] : [],
    )
    const said = new Set(
      sent.map(({ topic, payload, properties = {} }) => {
        const { correlationData, responseTopic, messageExpiryInterval } = properties
        const text = payload.toString()
        return documentedAs({ topic, payload: text, correlationData, responseTopic, messageExpiryInterval })
      }),
    )
    for (const name of ['house.event', 'pms.changes.requested', 'pms.offers.answered'])
      assert.ok(said.has(name), name)
  })
})

/** A house that comes back before its PMS waits a while before it asks again, and so would the test. */
function pmsFirst(): MqttBroker['judge'] {
  let isHeard = false
  return ({ packet, clientId }) => {
    if (clientId === 'simulated-pms') isHeard ||= packet.cmd === 'suback'
    return isHeard || packet.cmd !== 'connect' || clientId === 'simulated-pms' ? 'pass' : 'cut-before'
  }
}
