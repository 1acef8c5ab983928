import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { countries, isCountry } from '../../../src/resource/values/country.ts'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import fc from '../../seed.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

const guest = { firstName: 'Zoë', lastName: 'Großmann' }
const profile = (attributes: object, query = '?dryRun=true') =>
  house.ask('POST', `/api/v2/profiles${query}`, { body: { ...guest, ...attributes } })

describe('A country code', () => {
  it('of a guest is a current one', async () => {
    for (const code of ['UK', 'SU', 'YU', 'DD', 'AN', 'ZZ', 'EU']) {
      for (const [attributes, pointer] of [
        [{ nationality: code }, '/data/attributes/nationality'],
        [{ addresses: [{ country: 'PT' }, { country: code }] }, '/data/attributes/addresses/1/country'],
      ] as const) {
        const { status, body } = await profile(attributes)
        assert.deepEqual([status, body.errors[0].source.pointer], [422, pointer], code)
        assert.match(
          body.errors[0].detail,
          new RegExp(`^${code} is not a current country code of ISO 3166-1\\. Use `),
        )
      }
    }
    assert.match((await profile({ nationality: 'UK' })).body.errors[0].detail, /Use GB\.$/)
    for (const code of ['GB', 'PT', 'XK', 'SS'])
      assert.ok((await profile({ nationality: code })).status < 300, code)
  })

  it('drawn by chance is accepted when it is one', async () => {
    const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
    const codes = fc.oneof(
      fc.constantFrom(...countries),
      fc.tuple(letter, letter).map((pair) => pair.join('')),
    )
    await fc.assert(
      fc.asyncProperty(codes, async (nationality) => {
        assert.equal((await profile({ nationality })).status < 300, isCountry(nationality), nationality)
      }),
      { numRuns: 25 },
    )
  })

  it('of the property and of its settings is a current one', async () => {
    const address = { line1: 'Street 1', city: 'Town', country: 'UK' }
    const made = await house.ask('POST', '/api/v2/properties?dryRun=true', {
      body: { name: 'B', enabled: true, address },
    })
    assert.deepEqual(
      [made.status, made.body.errors[0].source.pointer],
      [422, '/data/attributes/address/country'],
    )
    const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    const patch = async (country: string) =>
      (await house.ask('PATCH', `/api/config/v1/settings/${id}?dryRun=true`, { body: { country } })).status
    assert.deepEqual(
      [await patch('YU'), await patch('UK'), await patch('XK'), await patch('PT')],
      [422, 422, 204, 204],
    )
  })

  it('that was stored before stays readable, and its row can be changed', async () => {
    const addresses = [{ type: 'Home', city: 'Leeds', country: 'GB', primary: true }]
    const { body } = await profile({ nationality: 'GB', addresses }, '')
    const path = `/api/v2/profiles/${body.data.id}`
    await house.restart(() => {
      const file = new Database(join(house.data, 'nightporter.db'))
      file.prepare("UPDATE profile SET nationality = 'UK', addresses = replace(addresses, 'GB', 'UK')").run()
      file.close()
    })
    const read = async () => (await house.ask('GET', path)).body.data.attributes
    const patch = (attributes: object) => house.ask('PATCH', path, { body: attributes })
    assert.equal((await read()).nationality, 'UK')
    assert.equal((await patch({ lastName: 'Gross' })).status, 204)
    const before = await read()
    assert.deepEqual(
      [before.lastName, before.nationality, before.addresses[0].country],
      ['Gross', 'UK', 'UK'],
    )
    assert.equal((await patch({ nationality: 'UK', addresses: before.addresses })).status, 204)
    assert.equal((await patch({ nationality: 'SU' })).status, 422)
    assert.equal((await patch({ addresses: [{ country: 'SU' }] })).status, 422)
    assert.equal((await patch({ nationality: 'GB' })).status, 204)
    assert.equal((await patch({ nationality: 'UK' })).status, 422)
  })
})
