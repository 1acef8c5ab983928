import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { flags } from '../../../../src/pms/capabilities/flags.ts'
import { openHouse, type ReservationHouse, refused } from '../../../reservation/api/house.ts'

let house: ReservationHouse
let provider: string
before(async () => {
  house = await openHouse()
  const { body } = await house.ask('GET', '/api/config/v1/pms-configurations')
  provider = `/api/v2/pms/providers/${body.data[0].id}`
})
after(() => house.stop())

const invoke = (method: string, name: string, body?: unknown) =>
  house.ask(method, `${provider}/extensions/${name}`, { ...(body !== undefined && { body }) })

async function payload(method: string, name: string, body?: unknown) {
  const reply = await invoke(method, name, body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.data
}

describe('A house that is its own PMS', () => {
  it('says what it can do, and every extension that it answers to', async () => {
    const { body } = await house.ask('GET', `${provider}/capabilities`)
    const { attributes } = body.data
    assert.deepEqual(
      attributes.flags.filter((flag: string) => !(flags as readonly string[]).includes(flag)),
      [],
    )
    assert.equal(attributes.timeZone, 'Europe/Lisbon')
    const methods = Object.fromEntries(
      attributes.extensions.map((each: { name: string; methods: string[] }) => [each.name, each.methods]),
    )
    assert.deepEqual(methods, {
      'payment-methods': ['GET'],
      'inventory-units': ['GET'],
      units: ['GET'],
      'unit-types': ['GET'],
    })
    for (const [name, able] of Object.entries(methods)) {
      for (const method of ['GET', 'POST', 'DELETE'].filter((each) => !(able as string[]).includes(each))) {
        refused(await invoke(method, name), 404, 'extension-not-implemented')
      }
    }
    for (const [method, name] of [
      ['GET', 'constructor'],
      ['GET', 'webhooks'],
      ['POST', 'webhooks'],
      ['DELETE', 'webhooks'],
      ['POST', 'sync'],
    ] as const) {
      refused(await invoke(method, name, method === 'GET' ? undefined : {}), 404, 'extension-not-implemented')
    }
  })

  it('tells its units as they are', async () => {
    const { unitId } = await house.rooms(1, { code: 'LOFT' })
    const body = { name: 'Loft 1', floor: '9', status: 'Inspected' }
    await house.ask('PATCH', `/api/v2/units/${unitId}`, { body })
    const units = await payload('GET', 'units')
    assert.deepEqual(units.at(-1), {
      code: 'Loft 1',
      name: 'Loft 1',
      type: 'LOFT',
      floor: '9',
      status: 'Inspected',
    })
    assert.deepEqual(await payload('GET', 'inventory-units'), units)
    assert.equal(units.length, 41)
  })

  it('tells its unit types with how many there are of each', async () => {
    const types = await payload('GET', 'unit-types')
    assert.deepEqual(types[1], { code: 'DBL', name: 'Double', maxOccupancy: 2, quantity: 16 })
  })

  it('tells every brand that a payment can be recorded with', async () => {
    const methods = await payload('GET', 'payment-methods')
    assert.deepEqual([methods[0], methods.at(-1)], [{ brand: 'Cash' }, { brand: 'Other' }])
    assert.equal(methods.length, 32)
  })

  it('refuses what it would not look at', async () => {
    refused(await invoke('GET', 'units?floor=9'), 400, 'unknown-parameter')
  })
})
