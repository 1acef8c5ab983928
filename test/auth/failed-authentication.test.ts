import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

async function events(): Promise<{ failures: number; addresses: string[] }[]> {
  const path = '/api/v2/events?filter[type]=system.authentication-failed'
  const { body } = await house.ask('GET', path)
  return body.data.map((each: { attributes: { event: { data: object } } }) => each.attributes.event.data)
}

const guess = () => house.ask('GET', '/api/v2/units', { token: 'lk_test_0000000000000000000000_000000' })

describe('Failed authentication', () => {
  it('is an event: the first at once, later ones once a minute', async () => {
    await guess()
    await house.during(house.clock.sleep(1_000))
    assert.deepEqual(
      (await events()).map(({ failures }) => failures),
      [1],
    )
    for (let tries = 0; tries < 50; tries++) await guess()
    assert.equal((await events()).length, 1)
    await house.during(house.clock.sleep(61_000))
    const [, second, ...others] = await events()
    assert.deepEqual([second?.failures, second?.addresses, others.length], [50, ['127.0.0.1'], 0])
  })

  it('is published to auditors only', async () => {
    const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'x', role: 'frontdesk' } })
    const { body } = await house.ask('GET', '/api/v2/events?filter[type]=system.*', {
      token: made.body.meta.token,
    })
    assert.doesNotMatch(JSON.stringify(body), /authentication-failed/)
  })
})
