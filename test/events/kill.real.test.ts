import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type ApplianceChild, applianceChild } from '../access/appliance-child.ts'
import { until } from '../access/house-with-doors.ts'
import { type Receiver, receiver } from './receiver.ts'

describe('an appliance that is killed during its deliveries', () => {
  let data: string
  let child: ApplianceChild
  let hook: Receiver
  before(async () => {
    data = mkdtempSync(join(tmpdir(), 'nightporter-'))
    child = await applianceChild(data)
    hook = await receiver()
    const body = { url: hook.url, types: ['profile.*'] }
    assert.equal((await child.ask('POST', '/api/config/v1/webhooks', { body })).status, 201)
  })
  after(async () => {
    await child.stop()
    await hook.close()
    rmSync(data, { recursive: true, force: true })
  })

  const guest = async (lastName: string): Promise<string> =>
    (await child.ask('POST', '/api/v2/profiles', { body: { firstName: 'Ida', lastName } })).body.data.id
  const told = () =>
    new Set(
      hook.received.filter(({ event }) => event.type === 'profile.created').map(({ event }) => event.data.id),
    )

  it('delivers all events after the next start, and failed ones with their remaining attempts', async () => {
    const failing = await guest('Failing')
    await until('the making', told, (ids) => ids.has(failing))
    hook.answer = ({ event }) => (event.data.id === failing ? 500 : 200)
    await child.ask('PATCH', `/api/v2/profiles/${failing}`, { body: { firstName: 'Eva' } })
    await until(
      'a failure that is kept',
      async () => (await child.ask('GET', '/api/config/v1/webhook-deliveries')).body.data,
      (all) => all.length === 1,
    )
    // From here on everything hangs at the receiver.
    hook.answer = () => undefined
    const made: string[] = []
    for (let number = 0; number < 12; number++) made.push(await guest(`Killed ${number}`))
    await until('something under way', told, (ids) => made.some((id) => ids.has(id)))
    child.kill()
    await child.ended()
    hook.received.length = 0
    hook.answer = () => 200
    await child.reboot(10_000)
    await until('all of them', told, (ids) => made.every((id) => ids.has(id)))
    const again = await until(
      'what had failed',
      () => hook.received.filter(({ event }) => event.data.id === failing && event.data.revision === 2),
      (all) => all.length > 0,
    )
    assert.equal(again.length, 1)
    await until(
      'nothing kept',
      async () => (await child.ask('GET', '/api/config/v1/webhook-deliveries')).body.data,
      (all) => all.length === 0,
    )
  })
})
