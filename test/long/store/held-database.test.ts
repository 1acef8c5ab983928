import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import Database from 'better-sqlite3'
import { startAppliance, type TestAppliance } from '../../appliance.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

it('answers a write that another program keeps out, and the next one when it is gone', async () => {
  const shell = new Database(`${house.data}/nightporter.db`)
  shell.exec('BEGIN IMMEDIATE')
  const body = { code: 'SEA', name: 'Sea view' }
  const refused = await house.ask('POST', '/api/v2/amenities', { body })
  assert.equal(refused.status, 503)
  assert.equal(refused.body.errors[0].code, 'busy')
  assert.equal(refused.headers.get('retry-after'), '5')
  shell.exec('ROLLBACK')
  shell.close()
  assert.equal((await house.ask('POST', '/api/v2/amenities', { body })).status, 201)
})
