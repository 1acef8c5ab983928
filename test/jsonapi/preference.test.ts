import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { prefersRepresentation } from '../../src/jsonapi/server/preference.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'

const representation = { Prefer: 'return=representation' }

let house: TestAppliance
const paths: Record<string, { path: string; attributes: Record<string, unknown> }> = {}
before(async () => {
  house = await startAppliance()
  for (const name of ['amenities', 'units', 'reservations', 'profiles']) {
    const [first] = (await house.ask('GET', `/api/v2/${name}?page[size]=1`)).body.data
    paths[name] = { path: `/api/v2/${name}/${first.id}`, attributes: first.attributes }
  }
})
after(() => house.stop())

const changes: Record<string, Record<string, unknown>> = {
  amenities: { name: 'A bed with a view' },
  units: { floor: '7' },
  reservations: { externalId: 'R-1' },
  profiles: { title: 'Dr.' },
}

describe('A client that prefers the document', () => {
  for (const [name, change] of Object.entries(changes)) {
    it(`gets that of ${name} after a PATCH, as its GET returns it`, async () => {
      const { path } = paths[name]!
      const changed = await house.ask('PATCH', path, { body: change, headers: representation })
      assert.equal(changed.status, 200, changed.text)
      assert.equal(changed.headers.get('preference-applied'), 'return=representation')
      const read = await house.ask('GET', path)
      assert.equal(changed.text, read.text)
      assert.equal(changed.headers.get('etag'), read.headers.get('etag'))
    })
  }

  it('gets it after a PUT', async () => {
    const { path, attributes } = paths.amenities!
    const changed = await house.ask('PUT', path, {
      body: { ...attributes, name: 'Seen from afar' },
      headers: representation,
    })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.body.data.attributes.name, 'Seen from afar')
  })

  it('gets no document after a dry run, without the right to read, or without asking for it', async () => {
    const { path } = paths.amenities!
    const made = await house.ask('POST', '/api/config/v1/tokens', {
      body: { name: 'Writer', role: 'auditor', scopes: ['units.write'] },
    })
    const blind = { token: made.body.meta.token as string }
    const body = { name: 'Seen by nobody' }
    for (const [query, how] of [
      ['?dryRun=true', { headers: representation }],
      ['', { headers: representation, ...blind }],
      ['', { headers: { Prefer: 'return=minimal' } }],
      ['', {}],
    ] as const) {
      const changed = await house.ask('PATCH', path + query, { body, ...how })
      assert.deepEqual([changed.status, changed.text], [204, ''])
      assert.equal(changed.headers.get('preference-applied'), null)
    }
  })

  it('gets refusals like any other client', async () => {
    const { path } = paths.amenities!
    const headers = { ...representation, 'If-Match': '"1"' }
    assert.equal((await house.ask('PATCH', path, { body: { name: 'Spa' }, headers })).status, 412)
  })

  for (const [header, is] of [
    ['return=representation', true],
    ['respond-async, Return = "representation"; x=1', true],
    ['return=minimal, return=representation', false],
    ['return', false],
    ['', false],
  ] as const) {
    it(`${is ? 'says' : 'does not say'} so with "${header}"`, () => {
      assert.equal(prefersRepresentation(header), is)
    })
  }
})
