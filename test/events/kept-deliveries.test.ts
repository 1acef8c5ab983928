import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import Database from 'better-sqlite3'
import { until } from '../access/house-with-doors.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { failingWebhook } from './failing-webhook.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

const listed = async (filter: string) =>
  (await house.ask('GET', `/api/config/v1/webhook-deliveries?${filter}`)).body.data as { id: string }[]

/** After a restart, the next row of this type has a number beyond those of a small table. */
function amongManyRows(type: string): void {
  const db = new Database(`${house.data}/nightporter.db`)
  db.prepare(`INSERT INTO tombstone VALUES (?, ?, 10000000, ?, '{}')`).run(
    Buffer.alloc(16),
    type,
    house.clock.now(),
  )
  db.close()
}

async function notTaken(count: number): Promise<{ id: string }[]> {
  return until(
    `${count} that are not taken`,
    () => listed('page[size]=10'),
    (rows) => rows.length === count,
  )
}

async function happen(code: string): Promise<void> {
  const made = await house.ask('POST', '/api/v2/amenities', { body: { code, name: code } })
  assert.equal(made.status, 201, made.text)
}

it('a filter without an index finds all of several thousand deliveries, which have no journal lines', async () => {
  await failingWebhook(house)
  amongManyRows('webhook-delivery')
  await house.restart()
  await happen('SECOND')
  await notTaken(2)
  assert.equal((await listed('filter[eventType]=amenity.created')).length, 2)
  for (const code of ['THIRD', 'FOURTH', 'FIFTH']) await happen(code)
  const all = await notTaken(5)
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
  assert.deepEqual(ids(await listed('filter[eventType]=amenity.created')), ids(all))
})
