import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { type Receiver, receiver } from './receiver.ts'

const base = '/api/config/v1/webhooks'

describe('a webhook after a restart of the appliance', () => {
  let house: TestAppliance
  let hook: Receiver
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())
  beforeEach(async () => {
    hook = await receiver()
    const made = await house.ask('POST', base, { body: { url: hook.url, types: ['profile.*'] } })
    assert.equal(made.status, 201, made.text)
  })
  afterEach(async () => {
    for (const { id } of (await house.ask('GET', base)).body.data) await house.ask('DELETE', `${base}/${id}`)
    await hook.close()
  })

  let made = 0
  async function guest(): Promise<string> {
    const body = { firstName: 'Ida', lastName: `Restart ${++made}` }
    const reply = await house.ask('POST', '/api/v2/profiles', { body })
    assert.equal(reply.status, 201, reply.text)
    return reply.body.data.id
  }
  const heard = () => hook.received.map(({ event }) => event.data.id)

  it('continues where it was', async () => {
    const first = await guest()
    await hook.has(1)
    await house.restart()
    const second = await guest()
    await hook.has(2)
    assert.deepEqual(heard(), [first, second])
  })

  it('does not get an event again that its receiver acknowledged during the stop', async () => {
    const held: ServerResponse[] = []
    hook.answer = (_, response) => void held.push(response)
    const first = await guest()
    await hook.has(1)
    const restarted = house.restart()
    held[0]!.writeHead(200).end()
    await restarted
    hook.answer = () => 200
    const second = await guest()
    await hook.has(2)
    assert.deepEqual(heard(), [first, second])
  })

  it('gets an event again that its receiver did not acknowledge before the stop', async () => {
    hook.answer = () => undefined
    const first = await guest()
    await hook.has(1)
    await house.restart()
    hook.answer = () => 200
    await hook.has(2)
    const second = await guest()
    await hook.has(3)
    assert.deepEqual(heard(), [first, first, second])
    assert.deepEqual((await house.ask('GET', '/api/config/v1/webhook-deliveries')).body.data, [])
  })
})
