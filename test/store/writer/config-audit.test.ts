import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import Database from 'better-sqlite3'
import { startAppliance, type TestAppliance } from '../../appliance.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

interface Audit {
  configRevision?: number
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

function lastOf(type: string): Audit {
  const db = new Database(`${house.data}/nightporter.db`, { readonly: true })
  const sql = 'SELECT data FROM journal WHERE type = ? ORDER BY sequence DESC LIMIT 1'
  const data = db.prepare<unknown[], string>(sql).pluck().get(type)
  db.close()
  assert.ok(data, `${type} was written down`)
  return JSON.parse(data)
}

it('records the old and the new value of a setting, with a revision number', async () => {
  const [provider] = (await house.ask('GET', '/api/config/v1/access-providers')).body.data
  const path = `/api/config/v1/access-providers/${provider.id}`
  assert.equal((await house.ask('PATCH', path, { body: { name: 'Other locks' } })).status, 204)
  const first = lastOf('access-provider.changed')
  assert.deepEqual([first.before, first.after], [{ name: 'Door locks' }, { name: 'Other locks' }])
  assert.equal((await house.ask('PATCH', path, { body: { maxCopies: 3 } })).status, 204)
  assert.equal(lastOf('access-provider.changed').configRevision, first.configRevision! + 1)
})

it('masks secrets', async () => {
  const [provider] = (await house.ask('GET', '/api/config/v1/access-providers')).body.data
  const credentials = { keys: { 1: 'ab'.repeat(32) }, master: 'cd'.repeat(32) }
  const reply = await house.ask('PATCH', `/api/config/v1/access-providers/${provider.id}`, {
    body: { credentials },
  })
  assert.equal(reply.status, 204)
  assert.deepEqual(lastOf('access-provider.changed').after, { credentials: '***' })
})

it('keeps nothing of a dry run', async () => {
  const [dispenser] = (await house.ask('GET', '/api/config/v1/dispensers')).body.data
  const path = `/api/config/v1/dispensers/${dispenser.id}`
  assert.equal((await house.ask('PATCH', `${path}?dryRun=true`, { body: { lowThreshold: 33 } })).status, 204)
  const { body, headers } = await house.ask('GET', path)
  assert.equal(body.data.attributes.lowThreshold, 20)
  assert.equal(headers.get('etag'), `"${dispenser.attributes.revision}"`)
})
