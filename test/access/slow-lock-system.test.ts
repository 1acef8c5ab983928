import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import ttlock from '../../drivers/ttlock/driver.ts'
import { lockDrivers } from '../../src/composition/drivers.ts'
import type { OnlineLockDriver } from '../../src/devices/driver.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { lateAfterMs } from '../../src/host/background-work.ts'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'
import { type PinLocks, pinLocks } from './pin-locks.ts'

const units = ['303', '304', '305', '306', '307', '308', '309', '310', '311', '312']
/** As long as a lock system that gives no answer is waited for. */
const patienceMs = 60_000
let tried = 0
let house: HouseWithPins
let slow: PinLocks

/** A lock system whose line swallows every revocation. */
const swallowing: OnlineLockDriver = {
  ...ttlock,
  name: 'swallowing',
  open(setup) {
    const system = ttlock.open(setup)
    system.revoke = async () => {
      await house.clock.sleep(patienceMs)
      tried++
      throw new DeviceFault('adapter-timeout', 'No answer.')
    }
    return system
  },
}

before(async () => {
  house = await houseWithPins({ lockDrivers: [...lockDrivers, swallowing] })
  slow = await pinLocks(house, units, 'swallowing')
})
after(async () => {
  await house.stop()
  slow.unplug()
})

/** The status of the work on keys at each lock system of this name. */
async function worksAt(name: string): Promise<string[]> {
  const { checks } = (await house.ask('GET', '/api/v2/status')).body.data.attributes
  const all: { componentId: string; componentName?: string; status: string }[] = checks['program:work']
  const works = all.filter(
    ({ componentId, componentName }) => componentId === 'key-changes' && componentName === name,
  )
  return works.map(({ status }) => status)
}

it('a lock system that does not answer is no late work, however many keys it is asked for', async () => {
  for (const unitName of units) {
    const path = `/api/v2/access/controllers/${slow.controllerId}/key`
    const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
    const made = await house.ask('POST', path, {
      body: { type: 'pinCode', unitName, original: true, ...dates },
    })
    assert.equal(made.status, 201, made.text)
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${made.body.data.id}`)).status, 204)
  }
  const begun = house.clock.monotonic()
  await until(
    'most attempts',
    () => tried,
    (count) => count >= units.length - 1,
  )
  assert.ok(house.clock.monotonic() - begun > lateAfterMs['key-changes'])
  assert.deepEqual(await worksAt('PIN locks'), ['pass', 'pass'])
})

it('a lock system that was removed is not in the status any more', async () => {
  const { clientId, clientSecret, username, password } = slow.cloud
  const made = await house.ask('POST', '/api/config/v1/access-providers', {
    body: {
      name: 'Third',
      driver: 'ttlock',
      connection: { baseUrl: 'http://127.0.0.1:9' },
      credentials: { clientId, clientSecret, username, password },
    },
  })
  assert.equal(made.status, 201, made.text)
  const count = async () => (await worksAt('Third')).length
  await until('its work', count, (works) => works === 1)
  const path = `/api/config/v1/access-providers/${made.body.data.id}`
  assert.equal((await house.ask('DELETE', path)).status, 204)
  await until('no work', count, (works) => works === 0)
})
