import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { standalone } from '../../src/pms/adapters/standalone/standalone.ts'
import { openHouse, type ReservationHouse, refused } from '../reservation/api/house.ts'
import { scriptedAdapter } from './adapters/scripted-adapter.ts'

const collection = '/api/config/v1/pms-configurations'

const pms = scriptedAdapter({
  transports: ['mqtt', 'http'],
  connection: {
    type: 'object',
    properties: { host: { type: 'string', minLength: 1 } },
    required: ['host'],
    additionalProperties: false,
  },
  credentials: {
    type: 'object',
    properties: { token: { type: 'string' } },
    required: ['token'],
    additionalProperties: false,
  },
})

const complete = {
  name: 'Grand PMS',
  adapter: 'scripted',
  transport: 'http',
  connection: { host: 'pms.example' },
  credentials: { token: 'top secret' },
}

let house: ReservationHouse
before(async () => {
  house = await openHouse({ adapters: [standalone, pms] })
})
after(() => house.stop())
beforeEach(() => pms.does({}))

const create = (body: object) => house.ask('POST', collection, { body })

/** What the adapter was given when it was opened last. */
async function setup(id: string) {
  await house.ask('GET', `/api/v2/pms/providers/${id}/extensions/units`)
  return pms.opened.at(-1)
}

describe('A PMS configuration', () => {
  it('of the house itself is made with the first start', async () => {
    const { body } = await house.ask('GET', `${collection}?filter[adapter]=standalone`)
    assert.equal(body.data.length, 1)
    assert.partialDeepStrictEqual(body.data[0].attributes, {
      name: 'This house',
      adapter: 'standalone',
      enabled: true,
      transport: null,
    })
  })

  it('has what is usual where nothing is said', async () => {
    const id = await house.make(collection, complete)
    assert.partialDeepStrictEqual(await house.attributes(`${collection}/${id}`), {
      enabled: true,
      direction: 'Both',
      heartbeatSeconds: 60,
      timeoutMs: 10_000,
      conflictPolicy: { dates: 'Pms', guests: 'Pms', rates: 'Pms', status: 'Local', payments: 'Local' },
    })
  })

  it('says who wins for one field group, and leaves the others as usual', async () => {
    const id = await house.make(collection, { ...complete, conflictPolicy: { guests: 'Local' } })
    const { conflictPolicy } = await house.attributes(`${collection}/${id}`)
    assert.partialDeepStrictEqual(conflictPolicy, { guests: 'Local', dates: 'Pms', payments: 'Local' })
  })

  it('keeps its credentials to itself, and hands them to the adapter alone', async () => {
    const id = await house.make(collection, complete)
    const read = await house.ask('GET', `${collection}/${id}`)
    assert.deepEqual(read.body.data.attributes.credentials, { set: true })
    assert.doesNotMatch(read.text, /top secret/)
    assert.doesNotMatch(JSON.stringify(house.journal(`pms-configurations/${id}`)), /top secret/)
    assert.deepEqual((await setup(id))?.credentials, { token: 'top secret' })
  })

  it('keeps them when it is changed or replaced without any, and takes new ones', async () => {
    const id = await house.make(collection, complete)
    const { credentials: _, ...rest } = complete
    const path = `${collection}/${id}`
    assert.equal((await house.ask('PUT', path, { body: { ...rest, name: 'Other' } })).status, 204)
    assert.equal((await house.ask('PATCH', path, { body: { direction: 'FromPms' } })).status, 204)
    const found = await setup(id)
    assert.deepEqual(found?.credentials, { token: 'top secret' })
    assert.partialDeepStrictEqual(found?.configuration, { name: 'Other', direction: 'FromPms' })
    assert.equal((await house.ask('PATCH', path, { body: { credentials: { token: 'new' } } })).status, 204)
    assert.deepEqual((await setup(id))?.credentials, { token: 'new' })
  })

  it('does not send them to another address than they were given for', async () => {
    const id = await house.make(collection, complete)
    const connection = { ...complete.connection, host: 'elsewhere.example' }
    const { status, body } = await house.ask('PATCH', `${collection}/${id}`, { body: { connection } })
    assert.deepEqual([status, body.errors[0].source.pointer], [422, '/data/attributes/credentials'])
    const again = { connection, credentials: { token: 'theirs' } }
    assert.equal((await house.ask('PATCH', `${collection}/${id}`, { body: again })).status, 204)
    assert.deepEqual((await setup(id))?.credentials, { token: 'theirs' })
  })

  it('does not take them along to another adapter', async () => {
    const id = await house.make(collection, complete)
    const body = { adapter: 'standalone', transport: null, connection: {} }
    assert.equal((await house.ask('PATCH', `${collection}/${id}`, { body })).status, 204)
    assert.equal((await house.attributes(`${collection}/${id}`)).credentials, null)
  })

  const wrong: Record<string, [body: object, at: string]> = {
    'an adapter that this build does not have': [{ ...complete, adapter: 'teapot' }, '/adapter'],
    'no adapter': [{ name: 'Grand PMS' }, '/adapter'],
    'a connection that is not the adapter’s': [{ ...complete, connection: { port: 1 } }, '/connection/host'],
    'no connection where the adapter needs one': [{ ...complete, connection: {} }, '/connection/host'],
    'no credentials where the adapter needs some': [
      { ...complete, credentials: undefined },
      '/credentials/token',
    ],
    'credentials that are not the adapter’s': [
      { ...complete, credentials: { token: 7 } },
      '/credentials/token',
    ],
    'a transport that the adapter does not speak': [
      { name: 'Own', adapter: 'standalone', transport: 'mqtt' },
      '/transport',
    ],
    'no transport where the adapter needs one': [{ ...complete, transport: null }, '/transport'],
    'an unknown transport': [{ ...complete, transport: 'pigeon' }, '/transport'],
    'an unknown field group': [
      { ...complete, conflictPolicy: { weather: 'Pms' } },
      '/conflictPolicy/weather',
    ],
    'an unknown winner': [{ ...complete, conflictPolicy: { dates: 'Nobody' } }, '/conflictPolicy/dates'],
    'a heartbeat without a pause': [{ ...complete, heartbeatSeconds: 0 }, '/heartbeatSeconds'],
  }
  for (const [what, [body, at]] of Object.entries(wrong)) {
    it(`is refused with ${what}`, async () => {
      refused(await create(body), 422, 'validation-failed', `/data/attributes${at}`)
    })
  }

  it('cannot lose by a replacement what its adapter needs', async () => {
    const id = await house.make(collection, complete)
    const body = { name: 'Grand PMS', adapter: 'scripted', connection: { host: 'pms.example' } }
    const reply = await house.ask('PUT', `${collection}/${id}`, { body })
    refused(reply, 422, 'validation-failed', '/data/attributes/transport')
  })

  it('is written down with what it was and is, as all configuration', async () => {
    const id = await house.make(collection, complete)
    await house.ask('PATCH', `${collection}/${id}`, { body: { heartbeatSeconds: 30 } })
    assert.partialDeepStrictEqual(house.journal(`pms-configurations/${id}`).at(-1), {
      type: 'pms-configuration.changed',
      data: { before: { heartbeatSeconds: 60 }, after: { heartbeatSeconds: 30 } },
    })
  })

  it('cannot be removed while a reservation names it as its integration', async () => {
    const integrationId = await house.make(collection, complete)
    const reservation = await house.make('reservations', { integrationId, externalId: 'R-1' })
    const refusal = await house.ask('DELETE', `${collection}/${integrationId}`)
    refused(refusal, 409, 'resource-referenced', undefined, { by: 'reservation', count: 1 })
    assert.equal((await house.ask('DELETE', `/api/v2/reservations/${reservation}`)).status, 204)
    assert.equal((await house.ask('DELETE', `${collection}/${integrationId}`)).status, 204)
    const gone = await house.ask('GET', `/api/v2/pms/providers/${integrationId}/capabilities`)
    refused(gone, 404, 'not-found')
  })

  it('is set up by who may, and read by nobody else', async () => {
    const token = await house.tokenOf('frontdesk')
    refused(await house.ask('GET', collection, { token }), 403, 'scope-required')
    refused(await house.ask('POST', collection, { token, body: complete }), 403, 'scope-required')
    const installer = await house.tokenOf('installer')
    assert.equal((await house.ask('POST', collection, { token: installer, body: complete })).status, 201)
  })
})

describe('The list of adapters', () => {
  it('says which ones this build has, and which settings each needs', async () => {
    const { status, body } = await house.ask('GET', '/api/config/v1/adapters')
    assert.equal(status, 200)
    assert.deepEqual(
      body.data.map(({ type, id }: { type: string; id: string }) => [type, id]),
      [
        ['adapter', 'standalone'],
        ['adapter', 'scripted'],
      ],
    )
    assert.partialDeepStrictEqual(body.data[1].attributes, {
      version: '0.0.1',
      transports: ['mqtt', 'http'],
      assignsUnits: true,
      connection: pms.connection,
      credentials: pms.credentials,
    })
  })
})

describe('An integration', () => {
  it('finds its own configuration, without its credentials, and changes none', async () => {
    const id = await house.make(collection, complete)
    const token = await house.tokenOf('integrator')
    const { status, text, body } = await house.ask('GET', `${collection}/${id}`, { token })
    assert.equal(status, 200, text)
    assert.deepEqual(body.data.attributes.credentials, { set: true })
    const renamed = await house.ask('PATCH', `${collection}/${id}`, { token, body: { name: 'Mine' } })
    refused(renamed, 403, 'scope-required')
  })
})
