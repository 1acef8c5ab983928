import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { receiver } from './receiver.ts'

const day = 86_400_000

/** An empty house that keeps no more than it must; the purge runs with each start. */
async function forgetful(): Promise<TestAppliance> {
  const house = await startAppliance({ sample: false })
  const token = (
    await house.ask('POST', '/api/config/v1/pairing', {
      body: { code: house.appliance.pairingCode },
      token: null,
    })
  ).body.meta.token
  const { ask } = house
  house.ask = (method, path, how = {}) => ask(method, path, { token, ...how })
  const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
  assert.equal(
    (await house.ask('PATCH', `/api/config/v1/settings/${id}`, { body: { retentionDays: 1 } })).status,
    204,
  )
  return house
}

const after = (house: TestAppliance, sequence: number) =>
  house.ask('GET', `/api/v2/events?filter[sequence][gt]=${sequence}`)

/** What is old goes soon after a start. */
const forgotten = (house: TestAppliance, sequence: number) =>
  until(
    'lines that are gone',
    () => after(house, sequence),
    ({ status }) => status === 410,
  )

describe('the journal', () => {
  it('keeps the events of a week, and after that only the newest line', async () => {
    const house = await forgetful()
    house.clock.advance(6 * day)
    await house.restart()
    assert.equal((await after(house, 0)).status, 200)
    house.clock.advance(2 * day)
    await house.restart()
    const gone = await forgotten(house, 0)
    const { oldest, newest } = gone.body.errors[0].meta
    assert.ok(oldest > 0)
    const there = await after(house, oldest)
    assert.equal(there.status, 200, there.text)
    await house.ask('POST', '/api/v2/unit-types', { body: { code: 'NEXT', name: 'Next' } })
    const [next] = (await after(house, newest)).body.data
    assert.ok(Number(next.attributes.sequence) > newest)
    await house.stop()
  })

  it('keeps events that a webhook has not received, for a month', async () => {
    const house = await forgetful()
    const hook = await receiver()
    const body = { url: hook.url, types: ['unit-type.created'] }
    assert.equal((await house.ask('POST', '/api/config/v1/webhooks', { body })).status, 201)
    await hook.close()
    await house.ask('POST', '/api/v2/unit-types', { body: { code: 'HELD', name: 'Held' } })
    house.clock.advance(8 * day)
    await house.restart()
    const again = await receiver(hook.port)
    // Whether the first look after the start comes before the receiver listens is anybody's guess.
    await until(
      'what it has not heard',
      () => {
        house.clock.advance(61_000)
        return again.received
      },
      (all) => all.some(({ event }) => event.type === 'unit-type.created'),
    )
    await again.close()
    await house.ask('POST', '/api/v2/unit-types', { body: { code: 'LOST', name: 'Lost' } })
    const { newest } = (await after(house, 10 ** 12)).body.errors[0].meta
    house.clock.advance(31 * day)
    await house.restart()
    await forgotten(house, newest - 2)
    await house.stop()
  })
})
