import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { countryOfZone } from '../src/host/machine/machine-zone.ts'
import { startAppliance, type TestAppliance, type TestOptions } from './appliance.ts'

async function emptyHouse(
  t: TestContext,
  options: TestOptions = {},
): Promise<{ house: TestAppliance; token: string; data: string }> {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-first-'))
  const house = await startAppliance({ sample: false, data, ...options })
  t.after(async () => {
    await house.stop()
    rmSync(data, { recursive: true, force: true })
  })
  const body = { code: house.appliance.pairingCode }
  const paired = await house.ask('POST', '/api/config/v1/pairing', { token: null, body })
  return { house, token: paired.body.meta.token, data }
}

interface Check {
  status: string
  output: string | null
}

async function checksOf(house: TestAppliance, token: string) {
  const { body } = await house.ask('GET', '/api/v2/status', { token })
  const { status, timeZone, checks } = body.data.attributes
  const found = (name: string): Check => checks[`property:${name}`][0]
  return { status, timeZone, settings: found('settings'), units: found('units'), locks: found('lock-system') }
}

it('an empty property is not well, and the status says what to do until it is done', async (t) => {
  const { house, token } = await emptyHouse(t)
  const ask = (method: string, path: string, body?: object) =>
    house.ask(method, path, { token, ...(body && { body }) })
  const { data } = (await ask('GET', '/api/config/v1/settings')).body
  const [{ id, attributes }] = data
  const machine = Intl.DateTimeFormat().resolvedOptions().timeZone
  assert.deepEqual([attributes.timeZone, attributes.country], [machine, countryOfZone(machine) ?? 'ZZ'])

  const first = await checksOf(house, token)
  assert.deepEqual(
    [first.status, first.settings.status, first.units.status, first.locks.status],
    ['warn', 'warn', 'warn', 'warn'],
  )
  assert.match(first.settings.output ?? '', /taken from this machine\. The country .*\(\/setup#\/house\)\.$/)
  assert.match(first.units.output ?? '', /\/setup#\/rooms/)
  assert.match(first.locks.output ?? '', /\/setup#\/locks/)
  assert.ok(house.appliance.notes.includes(first.settings.output!))

  const settings = `/api/config/v1/settings/${id}`
  assert.equal((await ask('PATCH', `${settings}?dryRun=true`, { timeZone: machine })).status, 204)
  assert.equal((await ask('PATCH', settings, { checkInTime: '14:00' })).status, 204)
  assert.equal((await checksOf(house, token)).settings.output, first.settings.output)
  assert.equal((await ask('PATCH', settings, { timeZone: machine })).status, 204)
  const half = (await checksOf(house, token)).settings
  assert.doesNotMatch(half.output ?? '', /taken from this machine/)
  assert.match(half.output ?? '', /The country/)
  assert.equal((await ask('PATCH', settings, { country: 'PT' })).status, 204)
  assert.equal((await ask('POST', '/api/v2/units', { name: '101' })).status, 201)
  const done = await checksOf(house, token)
  assert.deepEqual(
    [done.settings, done.units].map(({ status, output }) => [status, output]),
    [
      ['pass', null],
      ['pass', null],
    ],
  )
  await house.restart()
  assert.equal((await checksOf(house, token)).settings.status, 'pass')
})

it('what the configuration states is not assumed', async (t) => {
  const { house, token } = await emptyHouse(t, { timeZone: 'America/Sao_Paulo', country: 'BR' })
  const { settings, timeZone } = await checksOf(house, token)
  assert.deepEqual([timeZone, settings.status], ['America/Sao_Paulo', 'pass'])
  const isUnused = (note: string) => note.includes('was not used')
  assert.ok(!house.appliance.notes.some(isUnused))
  const { data } = (await house.ask('GET', '/api/config/v1/settings', { token })).body
  const body = { country: 'AR' }
  await house.ask('PATCH', `/api/config/v1/settings/${data[0].id}`, { token, body })
  await house.restart()
  assert.match(
    house.appliance.notes.filter(isUnused).join(),
    /^country BR of the configuration was not used: .* AR\./,
  )
})

it('a country that nobody states is that of the stated time zone', async (t) => {
  const { house, token } = await emptyHouse(t, { timeZone: 'Asia/Kolkata' })
  const { settings } = await checksOf(house, token)
  assert.match(settings.output ?? '', /^The country IN was taken from the time zone\./)
})

it('a country that cannot be derived is not made up', async (t) => {
  const { house, token } = await emptyHouse(t, { timeZone: 'UTC' })
  const { settings } = await checksOf(house, token)
  assert.match(settings.output ?? '', /^The country is not known\./)
  const guest = { firstName: 'A', lastName: 'B', phoneNumbers: [{ number: '0170 1234567' }] }
  const made = await house.ask('POST', '/api/v2/profiles', { token, body: guest })
  assert.equal(made.body.data.attributes.phoneNumbers[0].number, '01701234567')
})

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
