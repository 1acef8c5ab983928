import assert from 'node:assert/strict'
import { it } from 'node:test'
import { reader, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import { startAppliance } from '../appliance.ts'
import { ownPort } from '../own-port.ts'
import { houseWithDoors, until } from './house-with-doors.ts'
import { sockets } from './sockets.ts'

it('another device is looked for as soon as it is set up, and not at the next request for a key', async (test) => {
  const house = await startAppliance()
  test.after(() => house.stop())
  const checks = async () => (await house.ask('GET', '/api/v2/status')).body.data.attributes.checks
  const states = async () => {
    const { 'dispenser:state': dispenser, 'encoder:state': encoder } = await checks()
    return [dispenser[0].status, encoder[0].status]
  }
  await until('devices that are well', states, (found) => found.every((status) => status === 'pass'))
  const path = `tcp://127.0.0.1:${await ownPort()}`
  for (const [what, driver] of [
    ['dispensers', 'k720'],
    ['access-controllers', 'twn4'],
  ] as const) {
    const [{ id }] = (await house.ask('GET', `/api/config/v1/${what}`)).body.data
    const body = {
      device: { driver, path: what === 'dispensers' ? path : `tcp://127.0.0.1:${await ownPort()}` },
    }
    assert.equal((await house.ask('PATCH', `/api/config/v1/${what}/${id}`, { body })).status, 204)
  }
  await until('devices that are not there', states, (found) => found.every((status) => status === 'fail'))
})

it('a device that takes one connection can be given to another controller once its own was deleted', async (test) => {
  const house = await houseWithDoors()
  const plugs = sockets()
  const encoder = reader({ clock: house.clock, antenna: { cards: () => [] } })
  const path = await plugs.plugInForOne((wire) => simulateTwn4(wire, encoder))
  test.after(async () => {
    await house.stop()
    plugs.close()
  })
  const all = '/api/config/v1/access-controllers'
  const create = async (name: string) => {
    const device = { driver: 'twn4', path }
    const body = { name, providerId: house.providerId, kind: 'encoder', keyType: 'keyCard', device }
    const made = await house.ask('POST', all, { body })
    assert.equal(made.status, 201, made.text)
    return String(made.body.data.id)
  }
  const isReady = (id: string) =>
    until(
      'an encoder that answers',
      () => house.ask('GET', `/api/v2/access/controllers/${id}/key`),
      ({ body }) => body.errors?.[0].code === 'no-card',
    )
  const first = await create('Desk')
  await isReady(first)
  assert.equal((await house.ask('DELETE', `${all}/${first}`)).status, 204)
  await isReady(await create('Other desk'))
})
