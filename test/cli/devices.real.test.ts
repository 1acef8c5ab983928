import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import { monday, startAppliance, type TestAppliance } from '../appliance.ts'
import { settableClock } from '../test-clock.ts'
import { folder, run } from './command-line.ts'

describe('nightporter devices', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
    // Devices are opened while the first requests are answered already.
    await until(
      'the devices to be online',
      async () => (await house.ask('GET', '/api/v2/status')).body.data.attributes.devices,
      ({ pass, total }) => pass === total,
    )
  })
  after(() => house.stop())

  const line = (...args: string[]) => run('devices', '--url', house.appliance.url, ...args)

  it('shows what is set up, and how its line is', async () => {
    const { code, stdout } = await line()
    assert.equal(code, 0)
    assert.match(
      stdout,
      /^simulated:dispenser {2}simulated\n {4}set up as the dispenser Lobby dispenser \(\w+\): online$/m,
    )
    assert.match(stdout, /^simulated:encoder {2}simulated\n {4}set up as the encoder Lobby kiosk/m)
    assert.doesNotMatch(stdout, /No appliance/)
  })

  it('shows a device that is away, and one behind a network', async () => {
    const [found] = (await house.ask('GET', '/api/config/v1/dispensers')).body.data
    const { driver } = found.attributes.device
    const add = (name: string, path: string) =>
      house.ask('POST', '/api/config/v1/dispensers', { body: { name, device: { driver, path } } })
    assert.equal((await add('Bar', '/dev/serial/by-id/no-such-thing')).status, 201)
    assert.equal((await add('Annexe', 'tcp://127.0.0.1:1')).status, 201)
    const { body } = await house.ask('GET', '/api/config/v1/connected-devices')
    const of = (id: string) => body.data.find((each: { id: string }) => each.id === id).attributes
    assert.equal(of('/dev/serial/by-id/no-such-thing').isPresent, false)
    assert.equal(of('tcp://127.0.0.1:1').isPresent, null)
    assert.equal(of('tcp://127.0.0.1:1').transport, 'network')
    const { stdout } = await line()
    assert.match(stdout, /no-such-thing {2}serial, not plugged in/)
  })

  it('does not say of a line that another program plays that it is not plugged in', async (t) => {
    const { path, remove } = folder()
    t.after(remove)
    const played = join(path, 'line')
    writeFileSync(played, '')
    const body = { name: 'Played', device: { driver: 'k720', path: played } }
    assert.equal((await house.ask('POST', '/api/config/v1/dispensers', { body })).status, 201)
    const { stdout } = await line()
    assert.match(stdout, new RegExp(`^${RegExp.escape(played)} {2}serial$`, 'm'))
  })

  it('is for whoever may see devices', async () => {
    const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'P', role: 'auditor' } })
    const token = made.body.meta.token
    assert.equal((await house.ask('GET', '/api/config/v1/connected-devices', { token })).status, 403)
  })

  it('works without an appliance, and says so', async () => {
    const { code, stdout } = await run('devices', '--url', 'http://127.0.0.1:1')
    assert.equal(code, 0)
    assert.match(
      stdout,
      /^The configuration is not known, because no appliance was asked: No appliance answers/,
    )
    const json = await run('devices', '--url', 'http://127.0.0.1:1', '--json')
    const told = JSON.parse(json.stdout)
    assert.equal(told.appliance, false)
    assert.ok(Array.isArray(told.devices))
  })

  it('probes only where it runs', async () => {
    assert.equal((await run('devices', '--probe', '--url', 'http://box.example')).code, 64)
  })
})
