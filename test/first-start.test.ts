import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { startAppliance, type TestAppliance } from './appliance.ts'

async function emptyHouse(t: TestContext): Promise<{ house: TestAppliance; token: string; data: string }> {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-first-'))
  const house = await startAppliance({ sample: false, data })
  t.after(async () => {
    await house.stop()
    rmSync(data, { recursive: true, force: true })
  })
  const body = { code: house.appliance.pairingCode }
  const paired = await house.ask('POST', '/api/config/v1/pairing', { token: null, body })
  return { house, token: paired.body.meta.token, data }
}

it('a property is not the sample because of its name', async (t) => {
  const { house, token } = await emptyHouse(t)
  const address = { line1: 'Street 1', city: 'Town', country: 'PT' }
  const body = { name: 'Hotel', code: 'SAMPLE', enabled: true, address }
  assert.equal((await house.ask('POST', '/api/v2/properties', { token, body })).status, 201)
  await house.restart()
  assert.equal((await house.ask('GET', '/api/v2/properties', { token: 'demo' })).status, 401)
  assert.equal((await house.ask('GET', '/api/v2/properties', { token })).status, 200)
})

it('a tenant of another appliance is refused, before and after there are tokens', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const asked = (tenant: string) => house.ask('GET', '/api/v2/units', { headers: { 'X-Tenant-ID': tenant } })
  assert.deepEqual([(await asked('demo')).status, (await asked('evil')).status], [200, 403])
  const body = { name: 'Kiosk', role: 'kiosk' }
  const { id } = (await house.ask('POST', '/api/config/v1/tokens', { body })).body.data
  assert.equal((await house.ask('DELETE', `/api/config/v1/tokens/${id}`)).status, 204)
  assert.deepEqual([(await asked('demo')).status, (await asked('evil')).status], [200, 403])
})
