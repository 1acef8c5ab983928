import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startAppliance } from '../appliance.ts'
import { freePort } from '../drivers/fias/house.ts'
import { until } from './house-with-doors.ts'

it('another device is looked for as soon as it is set up, and not at the next request for a key', async (test) => {
  const house = await startAppliance()
  test.after(() => house.stop())
  const checks = async () => (await house.ask('GET', '/api/v2/status')).body.data.attributes.checks
  const states = async () => {
    const { 'dispenser:state': dispenser, 'encoder:state': encoder } = await checks()
    return [dispenser[0].status, encoder[0].status]
  }
  await until('devices that are well', states, (found) => found.every((status) => status === 'pass'))
  const path = `tcp://127.0.0.1:${await freePort()}`
  for (const [what, driver] of [
    ['dispensers', 'k720'],
    ['access-controllers', 'twn4'],
  ] as const) {
    const [{ id }] = (await house.ask('GET', `/api/config/v1/${what}`)).body.data
    const body = {
      device: { driver, path: what === 'dispensers' ? path : `tcp://127.0.0.1:${await freePort()}` },
    }
    assert.equal((await house.ask('PATCH', `/api/config/v1/${what}/${id}`, { body })).status, 204)
  }
  await until('devices that are not there', states, (found) => found.every((status) => status === 'fail'))
})
