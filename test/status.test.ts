import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Role, roles } from '../src/auth/roles.ts'
import { adapters as ownAdapters } from '../src/composition/adapters.ts'
import { DeviceFault } from '../src/devices/fault.ts'
import { version } from '../src/version.ts'
import { type Reply, startAppliance, type TestAppliance } from './appliance.ts'
import { scriptedAdapter } from './pms/adapters/scripted-adapter.ts'
import { passTime } from './test-clock.ts'

const path = '/api/v2/status'

describe('the status', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
    // Devices are opened while the first requests are answered already.
    do await passTime(2_000)
    while ((await status()).devices.pass < 2)
  })
  after(() => house.stop())

  const tokenOf = async (role: Role): Promise<string> =>
    (await house.ask('POST', '/api/config/v1/tokens', { body: { name: role, role } })).body.meta.token

  /** As it is now: what is asked of the disk is asked again. */
  async function status(): Promise<Reply['body']> {
    house.clock.advance(2_000)
    const reply = await house.ask('GET', path)
    assert.equal(reply.status, 200, reply.text)
    return reply.body.data.attributes
  }

  it('is readable for every role, and in full for the desk and those who maintain the appliance', async () => {
    const short = ['mode', 'status', 'time', 'timeConfirmed', 'version']
    for (const role of roles) {
      const { body } = await house.ask('GET', path, { token: await tokenOf(role) })
      const told = Object.keys(body.data.attributes).sort()
      if (['frontdesk', 'installer', 'monitor', 'admin'].includes(role)) assert.ok(told.length > 10, role)
      else assert.deepEqual(told, short, role)
    }
    assert.equal((await house.ask('GET', path, { token: null })).status, 401)
  })

  it('names the property and this program', async () => {
    const [property] = (await house.ask('GET', '/api/v2/properties')).body.data
    const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    const started = house.clock.now()
    house.clock.advance(90_000)
    const { data } = (await house.ask('GET', path)).body
    assert.deepEqual([data.type, data.id], ['status', property.id])
    assert.partialDeepStrictEqual(data.attributes, {
      status: 'pass',
      mode: 'simulator',
      version: '2.2.0-alpha.1',
      releaseId: version,
      serviceId: settings.id,
      time: new Date(started + 90_000).toISOString(),
      timeZone: 'Europe/Lisbon',
      timeZoneRules: process.versions.tz,
      devices: { total: 2, pass: 2, warn: 0, fail: 0 },
      queues: { encoders: [{ waiting: 0 }] },
    })
    assert.ok(data.attributes.uptimeSeconds >= 90)
  })

  it('contains the sizes on the disk', async () => {
    const { storage } = await status()
    const file = statSync(join(house.data, 'nightporter.db'))
    assert.equal(storage.databaseBytes, file.size)
    assert.equal(storage.lastCheckpoint, new Date(Math.round(file.mtimeMs)).toISOString())
    assert.equal(storage.walBytes, statSync(join(house.data, 'nightporter.db-wal')).size)
    assert.ok(storage.freeBytes > 0)
    assert.deepEqual([storage.integrity, storage.lastBackupAt], ['ok', null])
  })

  it('names a dispenser that needs attention, and what to do', async () => {
    const [dispenser] = (await house.ask('GET', '/api/config/v1/dispensers')).body.data
    const cards = (estimatedCards: number) =>
      house.ask('PATCH', `/api/config/v1/dispensers/${dispenser.id}`, { body: { estimatedCards } })
    const seen = async () => {
      // The first asks the machine meanwhile.
      await house.ask('GET', `/api/v2/access/dispensers/${dispenser.id}/status`)
      const attributes = await status()
      return { ...attributes, check: attributes.checks['dispenser:state'][0] }
    }
    await cards(5)
    const few = await seen()
    assert.deepEqual([few.status, few.devices.warn], ['warn', 1])
    assert.equal(few.check.componentId, dispenser.id)
    assert.match(few.check.output, /Few cards are left/)
    const reply = await house.ask('GET', '/api/v2/status', { headers: { 'Accept-Language': 'pt' } })
    const [portuguese] = reply.body.data.attributes.checks['dispenser:state']
    assert.match(portuguese.output, /: Restam poucos cartões\./)
    assert.deepEqual(portuguese.messages, [
      { code: 'few-cards', values: {}, text: 'Restam poucos cartões. Encha o carregador em breve.' },
    ])
    await cards(100)
    const out = `/api/v2/access/dispensers/${dispenser.id}/status`
    assert.equal((await house.ask('PUT', `${out}/inactive`)).status, 204)
    const inactive = await seen()
    assert.deepEqual([inactive.status, inactive.check.observedValue], ['warn', 'inactive'])
    assert.match(inactive.check.output, /Set it to “in operation”/)
    assert.equal((await house.ask('PUT', `${out}/active`)).status, 204)
    const well = await seen()
    assert.deepEqual([well.status, well.check.status, well.check.output], ['pass', 'pass', null])
  })

  it('fails with a device that is offline, and is still answered', async () => {
    const [dispenser] = (await house.ask('GET', '/api/config/v1/dispensers')).body.data
    const one = `/api/config/v1/dispensers/${dispenser.id}`
    const { device } = dispenser.attributes
    const away = { ...device, path: 'tcp://127.0.0.1:9', patience: 1 }
    assert.equal((await house.ask('PATCH', one, { body: { device: away } })).status, 204)
    // Asked for, it is opened where it is said to be now.
    await house.ask('GET', `/api/v2/access/dispensers/${dispenser.id}/status`)
    const failing = await status()
    const [check] = failing.checks['dispenser:state']
    assert.deepEqual([failing.status, failing.devices.fail, check.status], ['fail', 1, 'fail'])
    assert.match(check.output, /Check the power and the cable/)
    const headers = { 'Accept-Language': 'fr' }
    const seen = (await house.ask('GET', `/api/v2/access/dispensers/${dispenser.id}/status`, { headers }))
      .body
    assert.deepEqual(seen.data.attributes.fault.recovery, [
      'Vérifiez l’alimentation et le câble.',
      'Elle se reconnecte toute seule.',
    ])
    assert.deepEqual(
      seen.data.attributes.fault.messages.map(({ code }: { code: string }) => code),
      ['check-power-and-cable', 'connects-by-itself'],
    )
    assert.equal((await house.ask('GET', '/readyz')).status, 200, 'guests can be served by hand')
    await house.ask('PATCH', one, { body: { device } })
  })

  it('lists a device that was never opened', async () => {
    await house.ask('POST', '/api/v2/access/dispensers/reset-all-cache')
    const { checks, devices } = await status()
    assert.deepEqual([checks['dispenser:state'][0].observedValue, devices.warn], ['closed', 1])
  })
})

describe('the mode', () => {
  const pms = scriptedAdapter({ transports: ['http'], assignsUnits: false })
  const adapters = [...ownAdapters, pms]
  let house: TestAppliance
  let token: string
  before(async () => {
    house = await startAppliance({ sample: false, adapters })
    const body = { code: house.appliance.pairingCode }
    token = (await house.ask('POST', '/api/config/v1/pairing', { body, token: null })).body.meta.token
  })
  after(() => house.stop())

  const status = async () => (await house.ask('GET', path, { token })).body.data.attributes

  it('is online where the property is its own PMS', async () => {
    const { mode, pms, devices } = await status()
    assert.deepEqual([mode, pms.length, pms[0].state, devices.total], ['online', 1, 'connected', 0])
  })

  it('follows the state of the PMS', async () => {
    const body = { name: 'Our PMS', adapter: 'scripted', transport: 'http' }
    const made = await house.ask('POST', '/api/config/v1/pms-configurations', { body, token })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body.data
    const ask = () => house.ask('GET', `/api/v2/pms/providers/${id}/extensions/ping`, { token })
    const seen = async () => {
      const { mode, status: health, pms, checks } = await status()
      const [{ state, lastContactAt }] = pms.filter(
        (each: { configurationId: string }) => each.configurationId === id,
      )
      const [{ output }] = checks['pms:state'].filter(
        (each: { componentId: string }) => each.componentId === id,
      )
      return { mode, health, state, lastContactAt, output }
    }
    assert.partialDeepStrictEqual(await seen(), { mode: 'degraded', state: 'unknown', lastContactAt: null })

    pms.does({ extension: () => ({ is: 'answered', payload: {} }) })
    assert.equal((await ask()).status, 200)
    const answered = new Date(house.clock.now()).toISOString()
    // Nobody has made a recovery key here.
    const connected = { mode: 'online', health: 'warn', state: 'connected', lastContactAt: answered }
    assert.deepEqual(await seen(), { ...connected, output: null })

    house.clock.advance(60_000)
    pms.does({
      extension: () => {
        throw new DeviceFault('adapter-timeout', 'Our PMS gave no answer.')
      },
    })
    assert.equal((await ask()).status, 502)
    const lost = await seen()
    assert.partialDeepStrictEqual(lost, {
      mode: 'degraded',
      health: 'warn',
      state: 'disconnected',
      lastContactAt: answered,
    })
    assert.match(lost.output, /Our PMS gave no answer/)

    const off = { enabled: false }
    await house.ask('PATCH', `/api/config/v1/pms-configurations/${id}`, { body: off, token })
    assert.partialDeepStrictEqual(await seen(), { mode: 'online', health: 'warn', state: 'disabled' })
  })
})
