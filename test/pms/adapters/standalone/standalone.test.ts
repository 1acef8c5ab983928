import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { flags } from '../../../../src/pms/capabilities/flags.ts'
import { openHouse, type ReservationHouse, refused, today } from '../../../reservation/api/house.ts'

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
      sync: ['POST'],
      'payment-methods': ['GET'],
      'inventory-units': ['GET'],
      units: ['GET'],
      'unit-types': ['GET'],
      webhooks: ['GET', 'POST', 'DELETE'],
    })
    for (const [name, able] of Object.entries(methods)) {
      for (const method of ['GET', 'POST', 'DELETE'].filter((each) => !(able as string[]).includes(each))) {
        refused(await invoke(method, name), 404, 'extension-not-implemented')
      }
    }
    refused(await invoke('GET', 'constructor'), 404, 'extension-not-implemented')
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
    assert.deepEqual(methods[0], { brand: 'Cash', kind: 'cash', currencies: ['EUR'] })
    assert.deepEqual(methods.at(-1), { brand: 'Other', kind: 'other', currencies: ['EUR'] })
    assert.equal(methods.length, 32)
  })

  it('refuses what it would not look at', async () => {
    refused(await invoke('GET', 'units?floor=9'), 400, 'unknown-parameter')
    refused(
      await invoke('POST', `sync?startDate=${today}&endDate=${today}`, { all: true }),
      422,
      'validation-failed',
    )
  })
})

describe('POST sync', () => {
  it('counts what begins in the period, and is in step', async () => {
    const period = { startDate: '2027-03-01', endDate: '2027-03-31' }
    const { startDate, endDate } = period
    await house.stay({ startDate: '2027-02-27', endDate: '2027-03-02' })
    await house.stay({ startDate, endDate: '2027-03-02' })
    await house.stay({ startDate: endDate, endDate: '2027-04-02' })
    await house.stay({ startDate: '2027-04-01', endDate: '2027-04-02' })
    const counted = { ...period, reservations: 2, stays: 2 }
    assert.deepEqual(await payload('POST', `sync?startDate=${startDate}&endDate=${endDate}`), {
      state: 'in step',
      ...counted,
      completedAt: new Date(house.clock.now()).toISOString(),
    })

    const subject = `pms/${provider.split('/').at(-1)}`
    assert.deepEqual(house.journal(subject).at(-1), { type: 'pms.sync-completed', data: counted })
  })

  const wrong: [query: string, code: string, parameter: string][] = [
    ['endDate=2026-06-01', 'malformed-request', 'startDate'],
    ['startDate=2026-06-01', 'malformed-request', 'endDate'],
    ['startDate=soon&endDate=2026-06-01', 'malformed-request', 'startDate'],
    ['startDate=2026-02-29&endDate=2026-06-01', 'malformed-request', 'startDate'],
    ['startDate=2026-06-01&endDate=2026-06-31', 'malformed-request', 'endDate'],
    ['startDate=2026-06-01T00:00:00Z&endDate=2026-06-02', 'malformed-request', 'startDate'],
    ['startDate=2026-06-02&endDate=2026-06-01', 'malformed-request', 'endDate'],
    ['startDate=2026-06-01&startDate=2026-06-01&endDate=2026-06-01', 'malformed-request', 'startDate'],
    ['startDate=2026-06-01&endDate=2027-06-02', 'period-too-long', 'endDate'],
    ['startDate=2026-06-01&endDate=2026-06-02&full=1', 'unknown-parameter', 'full'],
  ]
  for (const [query, code, parameter] of wrong) {
    it(`is refused with ${query}`, async () => {
      const reply = await invoke('POST', `sync?${query}`)
      refused(reply, 400, code)
      assert.deepEqual(reply.body.errors[0].source, { parameter })
    })
  }
})

describe('The extension webhooks', () => {
  const callbackUrl = 'https://pms.example/hook?of=us'

  it('keeps an address once, however often it is registered, and says that nothing is delivered', async () => {
    const first = await payload('POST', 'webhooks', { callbackUrl })
    assert.partialDeepStrictEqual(first, {
      callbackUrl,
      registeredAt: new Date(house.clock.now()).toISOString(),
      delivering: false,
    })
    assert.deepEqual(await payload('POST', 'webhooks', { callbackUrl }), first)
    assert.deepEqual(await payload('GET', 'webhooks'), [first])
  })

  it('keeps it over a restart, and lists it in the configuration', async () => {
    await house.restart()
    const [kept] = await payload('GET', 'webhooks')
    assert.equal(kept.callbackUrl, callbackUrl)
    const listed = await house.ask('GET', '/api/config/v1/pms-webhooks')
    assert.deepEqual([listed.body.data.length, listed.body.data[0].id], [1, kept.id])
  })

  it('may be registered without an address, and forgets one or all', async () => {
    const bare = await payload('POST', 'webhooks')
    assert.equal(bare.callbackUrl, null)
    assert.equal((await payload('POST', 'webhooks', {})).id, bare.id)
    await payload('POST', 'webhooks', { callbackUrl: 'https://pms.example/b' })
    assert.deepEqual(await payload('DELETE', 'webhooks', { callbackUrl }), { removed: 1 })
    assert.deepEqual(await payload('DELETE', 'webhooks', { callbackUrl }), { removed: 0 })
    assert.deepEqual(await payload('DELETE', 'webhooks'), { removed: 2 })
    assert.deepEqual(await payload('GET', 'webhooks'), [])
  })

  it('is tried without being kept', async () => {
    await payload('POST', 'webhooks?dryRun=true', { callbackUrl })
    assert.deepEqual(await payload('GET', 'webhooks'), [])
    refused(await invoke('POST', 'webhooks?dryRun=maybe', { callbackUrl }), 400, 'malformed-request')
  })

  it('keeps twenty at most', async () => {
    for (let n = 0; n < 20; n++)
      await payload('POST', 'webhooks', { callbackUrl: `https://pms.example/${n}` })
    refused(
      await invoke('POST', 'webhooks', { callbackUrl }),
      422,
      'validation-failed',
      '/data/attributes/callbackUrl',
    )
    await payload('DELETE', 'webhooks')
  })

  it('goes with its configuration', async () => {
    const id = await house.make('/api/config/v1/pms-configurations', { name: 'Own', adapter: 'standalone' })
    const path = `/api/v2/pms/providers/${id}/extensions/webhooks`
    assert.equal((await house.ask('POST', path, { body: { callbackUrl } })).status, 200)
    assert.equal((await house.ask('DELETE', `/api/config/v1/pms-configurations/${id}`)).status, 204)
    assert.deepEqual((await house.ask('GET', '/api/config/v1/pms-webhooks')).body.data, [])
  })

  for (const good of [
    'https://pms.example',
    'http://10.0.0.7:8080/a',
    'http://172.31.255.1',
    'http://192.168.1.4',
    'http://127.0.0.1:9000',
    'http://[fd00::1]/a',
    'http://[::1]',
  ]) {
    it(`takes ${good}`, async () => {
      assert.equal((await payload('POST', 'webhooks?dryRun=true', { callbackUrl: good })).callbackUrl, good)
    })
  }

  for (const bad of [
    'http://pms.example',
    'http://8.8.8.8',
    'http://172.32.0.1',
    'http://169.254.169.254/latest',
    'https://[::ffff:169.254.169.254]/latest',
    'https://0.0.0.0',
    'http://[fe80::1]',
    'http://[2001:db8::1]',
    'http://localhost.pms.example',
    'ftp://10.0.0.7',
    'https://name:secret@pms.example',
    'not a url',
    '',
    7,
  ]) {
    it(`refuses ${JSON.stringify(bad)}`, async () => {
      const reply = await invoke('POST', 'webhooks', { callbackUrl: bad })
      refused(reply, 422, 'validation-failed', '/data/attributes/callbackUrl')
      assert.doesNotMatch(reply.body.errors[0].detail, /secret/)
    })
  }
})
