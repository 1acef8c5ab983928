import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import Database from 'better-sqlite3'
import { dataFiles } from '../../src/host/files/data-files.ts'
import { startAppliance } from '../appliance.ts'
import { eventually } from '../eventually.ts'
import { receiver } from './receiver.ts'

const day = 86_400_000

it('deliveries that an earlier release has kept are shown as documented, counted by all their attempts, and expire', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const hook = await receiver()
  const body = { url: hook.url, types: ['profile.*'] }
  assert.equal((await house.ask('POST', '/api/config/v1/webhooks', { body })).status, 201)
  await hook.close()
  const deliveries = async () =>
    (await house.ask('GET', '/api/config/v1/webhook-deliveries?sort=sequence')).body.data
  for (const lastName of ['One', 'Two']) {
    const guest = { firstName: 'Ida', lastName }
    assert.equal((await house.ask('POST', '/api/v2/profiles', { body: guest })).status, 201)
  }
  // A start tries several at once.
  await house.restart()
  await eventually('both are kept', deliveries, ({ length }) => length === 2)
  const [{ id: oldest }, { id: newest }] = await deliveries()
  await house.restart(() => {
    const database = new Database(join(house.data, dataFiles.database))
    database.exec('UPDATE webhook_delivery SET refusals = NULL, expiresAt = NULL, attempts = 9')
    database
      .prepare(
        'UPDATE webhook_delivery SET createdAt = createdAt - ?, nextAttemptAt = ? WHERE sequence IN (SELECT min(sequence) FROM webhook_delivery)',
      )
      .run(31 * day, house.clock.now() + 3_600_000)
    database.close()
  })
  await eventually('the old one has expired', deliveries, ([first]) => first.attributes.state === 'dead')
  const [first, second] = await deliveries()
  assert.deepEqual([first.id, first.attributes.refusals], [oldest, null])
  assert.deepEqual([second.id, second.attributes.state], [newest, 'waiting'])
  const again = await receiver(hook.port)
  t.after(again.close)
  again.answer = () => 500
  house.clock.advance(6 * 60_000)
  const [, refused] = await eventually(
    'the tenth refusal',
    deliveries,
    ([, each]) => each.attributes.lastStatus === 500,
  )
  assert.deepEqual([refused.attributes.state, refused.attributes.refusals], ['dead', 10])
})
