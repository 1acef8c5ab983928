import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { play, type Scenario } from './scenario.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const headers: Scenario[] = [
  {
    name: 'echoes the id of the request',
    ask: 'GET /api/v2/units/:unit',
    headers: { 'X-Request-Id': 'desk-7:0001' },
    status: 200,
    says: { 'x-request-id': 'desk-7:0001' },
  },
  {
    name: 'makes one up where there is none, or one that is none',
    ask: 'GET /api/v2/units/:unit',
    headers: { 'X-Request-Id': 'a b'.repeat(40) },
    status: 200,
    says: { 'x-request-id': uuid },
  },
  {
    name: 'has one for what went wrong too',
    ask: 'GET /api/v2/nothing',
    status: 404,
    says: { 'x-request-id': uuid },
  },
  {
    name: 'tells the version of the reservation interface, and is not to be stored',
    ask: 'GET /api/v2/units',
    status: 200,
    says: {
      'x-api-version': '2.2.0-alpha.1',
      'cache-control': 'no-store',
      deprecation: null,
      'x-stability': null,
    },
  },
  {
    name: 'tells that of the access interface',
    ask: 'GET /api/v2/access/keys',
    status: 200,
    says: { 'x-api-version': '2.2.1-rc.1' },
  },
  {
    name: 'tells it when it refuses too',
    ask: 'GET /api/v2/units',
    token: null,
    status: 401,
    says: { 'x-api-version': '2.2.0-alpha.1' },
  },
  {
    name: 'says what may change',
    ask: 'GET /api/v2/rate-plans',
    status: 200,
    says: { 'x-stability': 'beta' },
  },
  ...[
    ['PATCH /api/v2/profiles/:guest', '/api/v2/profiles/:guest'],
    ['PATCH /api/v2/reservations/:reservation', '/api/v2/reservations/:reservation'],
    ['PATCH /api/v2/reservations/:reservation/stays/:stay', '/api/v2/reservations/:reservation/stays/:stay'],
  ].map(([ask = '', successor]) => ({
    name: `says what replaces ${ask}`,
    ask,
    body: {},
    status: 204,
    says: {
      deprecation: '@1793491200',
      sunset: 'Mon, 01 Nov 2027 00:00:00 GMT',
      link: `<${successor}>; rel="successor-version"`,
    },
  })),
]

const nowhere: Scenario[] = [
  {
    name: 'what is nowhere',
    ask: 'GET /api/v2/ships',
    status: 404,
    code: 'not-found',
    says: { 'content-type': 'application/vnd.api+json' },
  },
  { name: 'what is no longer there', ask: 'GET /api/v2/units/:nobody', status: 404, code: 'not-found' },
  { name: 'an id of something else', ask: 'GET /api/v2/units/:single', status: 404, code: 'not-found' },
  { name: 'what was never an id', ask: 'DELETE /api/v2/units/%00', status: 404, code: 'not-found' },
  { name: 'half a character', ask: 'GET /api/v2/units/%E0%A4%A', status: 404, code: 'not-found' },
  {
    name: 'a method that is not for this path, with those that are',
    ask: 'DELETE /api/v2/units',
    status: 405,
    code: 'method-not-allowed',
    says: { allow: /^(?=.*\bGET\b)(?=.*\bPOST\b)(?!.*\bDELETE\b)/ },
  },
  {
    name: 'a method that nobody knows',
    ask: 'PROPFIND /api/v2/units',
    status: 405,
    code: 'method-not-allowed',
  },
  {
    name: 'somebody who takes no JSON',
    ask: 'GET /api/v2/units',
    headers: { Accept: 'text/html' },
    status: 406,
    code: 'not-acceptable',
    source: { header: 'Accept' },
  },
]

const welcome: Scenario[] = [
  '*/*',
  'application/*',
  'application/json',
  'text/html, application/vnd.api+json;q=0.5',
].map((accept) => ({
  name: `takes ${accept}`,
  ask: 'GET /api/v2/units/:unit',
  headers: { Accept: accept },
  status: 200,
}))

const errors: Scenario[] = [
  {
    name: 'has everything that tells it apart, and no data',
    ask: 'GET /api/v2/units?page[size]=0',
    status: 400,
    also({ body }) {
      assert.deepEqual(Object.keys(body), ['errors'])
      const [{ id, ...error }] = body.errors
      assert.match(id, uuid)
      assert.deepEqual(error, {
        status: '400',
        code: 'invalid-page-size',
        title: 'The page size is out of range',
        detail: 'page[size]: expected a whole number from 1 to 100.',
        source: { parameter: 'page[size]' },
        links: { type: '/problems/invalid-page-size' },
        meta: { page: { maxSize: 100 } },
      })
    },
  },
  {
    name: 'asks for a token',
    ask: 'GET /api/v2/units',
    token: null,
    status: 401,
    says: { 'www-authenticate': 'Bearer' },
  },
  {
    name: 'are at most fifty',
    ask: 'POST /api/v2/unit-types',
    body: Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`stars${index}`, index])),
    status: 422,
    also: ({ body }) => assert.equal(body.errors.length, 50),
  },
]

describe('an answer', () => play([...headers, ...welcome]))
describe('an answer refuses', () => play(nowhere))
describe('errors', () => play(errors))

describe('a revision', () => {
  let house: TestAppliance
  let path: string
  before(async () => {
    house = await startAppliance()
    path = `/api/v2/units/${(await house.ask('GET', '/api/v2/units?filter[name]=101')).body.data[0].id}`
  })
  after(() => house.stop())

  const write = (method: string, revision: string | null, body?: unknown) =>
    house.ask(method, path, { body, headers: revision === null ? {} : { 'If-Match': revision } })
  const etag = async () => (await house.ask('GET', path)).headers.get('etag')

  it('is that of the document', async () => {
    const { headers, body } = await house.ask('GET', path)
    assert.equal(headers.get('etag'), `"${body.data.attributes.revision}"`)
  })

  it('is bumped by a change, and only by a change', async () => {
    const before = await etag()
    assert.equal((await write('PATCH', null, { floor: '1' })).headers.get('etag'), before)
    const after = (await write('PATCH', null, { floor: '9' })).headers.get('etag')
    assert.notEqual(after, before)
    assert.equal(await etag(), after)
  })

  it('protects from overwriting an earlier change', async () => {
    const seen = await etag()
    assert.equal((await write('PATCH', seen, { floor: '2' })).status, 204)
    for (const method of ['PATCH', 'PUT', 'DELETE']) {
      const late = await write(method, seen, method === 'DELETE' ? undefined : { name: '101', floor: '3' })
      assert.equal(late.status, 412, method)
      assert.equal(late.body.errors[0].code, 'revision-mismatch')
      assert.deepEqual(late.body.errors[0].source, { header: 'If-Match' })
    }
    assert.equal((await house.ask('GET', path)).body.data.attributes.floor, '2')
    assert.equal((await write('PATCH', '*', { floor: '4' })).status, 204)
    assert.equal((await write('PATCH', 'W/"1"', { floor: '5' })).status, 412)
  })

  it('that the client has is not sent again', async () => {
    const seen = await etag()
    const asked = { headers: { 'If-None-Match': String(seen) } }
    const same = await house.ask('GET', path, asked)
    assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', seen])
    for (const seenToo of [`W/${seen}`, `"x", W/${seen}`, '*']) {
      const answer = await house.ask('GET', path, { headers: { 'If-None-Match': seenToo } })
      assert.equal(answer.status, 304, seenToo)
    }
    await write('PATCH', null, { floor: '6' })
    assert.equal((await house.ask('GET', path, asked)).status, 200)
  })

  it('of a reservation is bumped when a stay of it changes', async () => {
    const [reservation] = (await house.ask('GET', '/api/v2/reservations?page[size]=1')).body.data
    const [stay] = reservation.attributes.stays
    const of = async (each: string) =>
      (await house.ask('GET', `/api/v2/reservations/${each}`)).headers.get('etag')
    const before = await of(reservation.id)
    await house.ask('PATCH', `/api/v2/reservations/${reservation.id}/stays/${stay.id}`, {
      body: { comment: 'late' },
    })
    assert.notEqual(await of(reservation.id), before)
  })

  it('of a unit type is bumped when a unit joins it', async () => {
    const of = async () => (await house.ask('GET', '/api/v2/unit-types/SGL')).headers.get('etag')
    const before = await of()
    const { body } = await house.ask('GET', '/api/v2/unit-types/SGL')
    await house.ask('POST', '/api/v2/units', { body: { name: '199', unitTypeId: body.data.id } })
    assert.notEqual(await of(), before)
  })

  it('of a dispenser is bumped when an encoder is added or removed', async () => {
    const [dispenser] = (await house.ask('GET', '/api/config/v1/dispensers')).body.data
    const [controller] = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data
    assert.equal(dispenser.attributes.controllerId, controller.id)
    const change = { kind: 'encoder', dispenserId: null }
    await house.ask('PATCH', `/api/config/v1/access-controllers/${controller.id}`, { body: change })
    const after = (await house.ask('GET', `/api/config/v1/dispensers/${dispenser.id}`)).body.data.attributes
    assert.equal(after.controllerId, null)
    assert.ok(after.revision > dispenser.attributes.revision)
  })
})

describe('links', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  it('lead to their resources', async () => {
    const lists = house.appliance.interfaces
      .flatMap(({ routes }) => routes)
      .filter(({ method, path, base }) => method === 'GET' && base !== '' && !path.includes(':'))
    for (const { base, path } of lists) {
      // One is for a station only, the others need a pattern or a text.
      if (['session/people', 'setup/rooms', 'found-stays'].includes(path)) continue
      const { status, body, text } = await house.ask('GET', `${base}/${path}`)
      assert.equal(status, 200, `${path}: ${text}`)
      // What is no JSON, such as a recording, has none.
      for (const each of [body?.data ?? []].flat().slice(0, 2)) {
        if (!each.links?.self) continue
        const found = await house.ask('GET', each.links.self)
        assert.equal(found.status, 200, `${path} links to ${each.links.self}`)
        assert.deepEqual(found.body.data, each)
      }
    }
  })

  it('by a code work however its accents are encoded', async () => {
    const made = await house.ask('POST', '/api/v2/unit-types', { body: { name: 'Suite', code: 'É1' } })
    assert.equal(made.status, 201, made.text)
    for (const form of ['NFC', 'NFD']) {
      const code = encodeURIComponent('É1'.normalize(form))
      assert.equal((await house.ask('GET', `/api/v2/unit-types/${code}`)).status, 200, form)
    }
  })

  it('of errors lead to the meaning of the code, without a token', async () => {
    const { body } = await house.ask('GET', '/api/v2/ships', { token: null })
    const found = await house.ask('GET', body.errors[0].links.type, { token: null })
    assert.partialDeepStrictEqual(found.body.data.attributes, { status: 404, title: 'Not found' })
    const all = await house.ask('GET', '/problems', { token: null })
    const codes = all.body.data.map(({ id }: { id: string }) => id)
    for (const code of ['validation-failed', 'encoder-timeout-writing']) assert.ok(codes.includes(code), code)
    assert.equal((await house.ask('GET', '/problems/nothing', { token: null })).status, 404)
  })

  it('of included resources lead to them too', async () => {
    const { body } = await house.ask('GET', '/api/v2/reservations?page[size]=1&include=stays.profiles')
    for (const each of body.included) {
      const found = await house.ask('GET', each.links.self)
      assert.deepEqual(found.body.data, each, each.links.self)
    }
  })
})

describe('a client that disconnects', () => {
  it('in the middle of its body leaves the appliance unchanged', async () => {
    const house = await startAppliance()
    const { port } = new URL(house.appliance.url)
    const gone = Promise.withResolvers<void>()
    const outgoing = request({
      port,
      method: 'POST',
      path: '/api/v2/unit-types',
      headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/json', 'Content-Length': '1000' },
    })
    outgoing.on('error', () => gone.resolve())
    outgoing.write('{"name": "Half')
    await house.ask('GET', '/healthz')
    outgoing.destroy(new Error('the cable was pulled'))
    await gone.promise
    assert.equal((await house.ask('GET', '/api/v2/unit-types')).body.data.length, 4)
    await house.stop()
  })
})
