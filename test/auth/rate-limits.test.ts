import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { defaultLimits } from '../../src/auth/limits/rate-limits.ts'
import type { Role } from '../../src/auth/roles.ts'
import { type AskOptions, type Reply, startAppliance, type TestAppliance } from '../appliance.ts'

const minute = 60_000
const units = '/api/v2/units?page[size]=1'
const search = '/api/v2/reservations?filter[externalId]=SAMPLE-1'
const types = '/api/v2/unit-types'

let house: TestAppliance
before(async () => {
  house = await startAppliance({ rateLimits: defaultLimits })
})
after(() => house.stop())

const code = ({ body }: Reply): string | undefined => body?.errors?.[0].code
const told = ({ headers }: Reply) => [headers.get('ratelimit-policy'), headers.get('ratelimit')]

async function tokenOf(role: Role, scopes: string[] = []): Promise<string> {
  const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: role, role, scopes } })
  assert.equal(made.status, 201, made.text)
  return made.body.meta.token
}

/** Asks so often, a few at a time, and gives the last answer; each must have this status. */
async function asked(times: number, status: number, method: string, path: string, how: AskOptions) {
  let last: Reply | undefined
  for (let done = 0; done < times; done += 50) {
    const many = Array.from({ length: Math.min(50, times - done) }, () => house.ask(method, path, how))
    for (last of await Promise.all(many)) assert.equal(last.status, status, last.text)
  }
  return last!
}

function refused(reply: Reply, policy: string, seconds: number): void {
  assert.deepEqual([reply.status, code(reply)], [429, 'rate-limited'], reply.text)
  assert.equal(reply.headers.get('retry-after'), String(seconds))
  assert.deepEqual(reply.body.errors[0].meta, { policy, retryAfterSeconds: seconds })
  assert.equal(reply.headers.get('ratelimit'), `"${policy}";r=0;t=${seconds}`)
}

interface Row {
  policy: 'read' | 'write' | 'search'
  role: Role
  method: string
  path: string
  how?: AskOptions
  status: number
}

const rows: Row[] = [
  { policy: 'read', role: 'housekeeping', method: 'GET', path: units, status: 200 },
  { policy: 'write', role: 'admin', method: 'POST', path: types, how: { body: {} }, status: 422 },
  { policy: 'search', role: 'kiosk', method: 'GET', path: search, status: 200 },
]

describe('a token', () => {
  for (const { policy, role, method, path, how, status } of rows) {
    const { quota } = defaultLimits[policy]
    it(`has ${quota} requests of ${policy} a minute, sees how many are left, and is then refused`, async () => {
      const mine = { ...how, token: await tokenOf(role) }
      const first = await house.ask(method, path, mine)
      assert.equal(first.status, status, first.text)
      assert.deepEqual(told(first), [`"${policy}";q=${quota};w=60`, `"${policy}";r=${quota - 1};t=60`])
      house.clock.advance(19_500)
      await asked(quota - 1, status, method, path, mine)
      refused(await house.ask(method, path, mine), policy, 41)
      const other = await house.ask(method, path, { ...mine, token: await tokenOf(role) })
      assert.equal(other.status, status, 'another token has a quota of its own')
      house.clock.advance(40_499)
      refused(await house.ask(method, path, mine), policy, 1)
      house.clock.advance(1)
      const again = await house.ask(method, path, mine)
      assert.deepEqual(told(again), told(first))
    })
  }

  it('that may not list reservations has a quota for searches, which also count as reads', async () => {
    const token = await tokenOf('kiosk')
    const { quota } = defaultLimits.search
    await asked(quota, 200, 'GET', search, { token })
    refused(await house.ask('GET', search, { token }), 'search', 60)
    const reading = await house.ask('GET', units, { token })
    const left = defaultLimits.read.quota - quota - 1
    assert.deepEqual(told(reading), ['"read";q=1200;w=60', `"read";r=${left};t=60`])
  })

  it('sees the quota with less left, and is counted against both', async () => {
    const token = await tokenOf('kiosk')
    await asked(1_180, 200, 'GET', units, { token })
    house.clock.advance(30_000)
    await asked(4, 200, 'GET', search, { token })
    const reading = await house.ask('GET', search, { token })
    assert.equal(reading.headers.get('ratelimit'), '"read";r=15;t=30')
    house.clock.advance(30_000)
    const searching = await house.ask('GET', search, { token })
    assert.equal(searching.headers.get('ratelimit'), '"search";r=24;t=30')
  })

  const who: [who: string, role: Role, scopes: string[], path: string, policy: string][] = [
    ['may list reservations', 'frontdesk', [], search, 'read'],
    ['may find reservations alone', 'auditor', ['reservations.find'], search, 'search'],
    ['may list them, and is a kiosk’s', 'kiosk', ['reservations.read'], search, 'search'],
    ['may list profiles', 'auditor', ['profiles.read'], '/api/v2/profiles', 'read'],
    ['may list profiles, and is a kiosk’s', 'kiosk', ['profiles.read'], '/api/v2/profiles', 'search'],
    ['may list stays, and is a kiosk’s', 'kiosk', ['reservations.read'], '/api/v2/stays', 'search'],
    ['is a kiosk’s, for units', 'kiosk', [], units, 'read'],
  ]
  for (const [name, role, scopes, path, policy] of who) {
    it(`that ${name} is counted for ${policy}`, async () => {
      const { status, headers } = await house.ask('GET', path, { token: await tokenOf(role, scopes) })
      assert.equal(status, 200)
      assert.match(String(headers.get('ratelimit')), new RegExp(`^"${policy}";`))
    })
  }

  it('gets its quota in every answer', async () => {
    const token = await tokenOf('frontdesk')
    const answers: [status: number, method: string, path: string, how?: AskOptions][] = [
      [403, 'GET', '/api/config/v1/tokens'],
      [404, 'GET', '/api/v2/units/nobody'],
      [400, 'GET', '/api/v2/units?page[size]=0'],
      [403, 'GET', '/api/v2/units', { headers: { 'X-Tenant-ID': 'other' } }],
      [406, 'GET', '/api/v2/units', { headers: { Accept: 'text/html' } }],
      [415, 'POST', '/api/v2/profiles', { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
    ]
    for (const [status, method, path, how] of answers) {
      const reply = await house.ask(method, path, { ...how, token })
      assert.equal(reply.status, status, reply.text)
      assert.match(String(reply.headers.get('ratelimit')), /^"(read|write)";r=\d+;t=60$/)
    }
  })

  it('is counted also for a replayed answer', async () => {
    const token = await tokenOf('admin')
    const how = { token, body: { name: 'One', code: 'ONE' }, headers: { 'Idempotency-Key': 'counted' } }
    const first = await house.ask('POST', types, how)
    const again = await house.ask('POST', types, how)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(
      [first, again].map(({ headers }) => headers.get('ratelimit')),
      ['"write";r=299;t=60', '"write";r=298;t=60'],
    )
  })

  it('that is refused has its body left unread, and changes nothing', async () => {
    const token = await tokenOf('admin')
    await asked(300, 422, 'POST', types, { token, body: {} })
    const reply = await headOf(types, token)
    assert.deepEqual([reply.status, reply.sent], [429, false])
  })
})

/** Sends the head of a request and waits for the answer before any of its body leaves. */
function headOf(path: string, token: string): Promise<{ status: number | undefined; sent: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': 100,
    }
    const outgoing = request(house.appliance.url + path, { method: 'POST', headers })
    outgoing.once('error', reject)
    outgoing.once('response', ({ statusCode }) => {
      resolve({ status: statusCode, sent: outgoing.writableEnded })
      outgoing.destroy()
      outgoing.on('error', () => {})
    })
    outgoing.flushHeaders()
  })
}

describe('an address', () => {
  before(() => house.clock.advance(minute))

  it('has ten failed authentications a minute; a valid token is accepted all the same', async () => {
    const wrong = [null, 'guess', 'lk_test_0000000000000000000000_000000']
    for (let tries = 10; tries > 0; tries--) {
      const reply = await house.ask('GET', units, { token: wrong[tries % 3]! })
      assert.equal(reply.status, 401)
      assert.deepEqual(told(reply), ['"auth";q=10;w=60', `"auth";r=${tries - 1};t=60`])
    }
    for (const token of wrong) refused(await house.ask('GET', units, { token }), 'auth', 60)
    assert.equal((await house.ask('GET', units)).status, 200)
  })

  it('does not try pairing codes beyond that', async () => {
    const pair = () =>
      house.ask('POST', '/api/config/v1/pairing', { token: null, body: { code: '00000000' } })
    refused(await pair(), 'auth', 60)
    house.clock.advance(minute)
    for (let tries = 10; tries > 0; tries--) assert.equal((await pair()).status, 401)
    refused(await pair(), 'auth', 60)
  })

  it('may send 600 requests without a token a minute', async () => {
    const how = { token: null }
    const first = await house.ask('GET', '/healthz', how)
    assert.deepEqual(told(first), ['"open";q=600;w=60', '"open";r=599;t=60'])
    await asked(597, 200, 'GET', '/problems/not-found', how)
    assert.equal((await house.ask('GET', '/api/v2/ships', how)).status, 404)
    assert.equal((await house.ask('DELETE', '/api/v2/units', how)).status, 405)
    for (const path of ['/healthz', '/readyz', '/problems', '/api/v2/ships'])
      refused(await house.ask('GET', path, how), 'open', 60)
    house.clock.advance(minute)
    assert.equal((await house.ask('GET', '/healthz', how)).status, 200)
  })
})

describe('files without a token', () => {
  it('are counted apart from other requests', async () => {
    const how = { token: null }
    house.clock.advance(minute)
    for (const path of [
      '/docs',
      '/docs/start.js',
      '/handbook/handbook.css',
      '/handbook/start.md',
      '/openapi.json',
    ]) {
      const reply = await house.ask('GET', path, how)
      assert.equal(reply.status, 200, path)
      assert.equal(told(reply)[0], '"file";q=6000;w=60')
      assert.ok(reply.headers.get('etag'), path)
    }
    assert.deepEqual(told(await house.ask('GET', '/healthz', how)), [
      '"open";q=600;w=60',
      '"open";r=599;t=60',
    ])
  })

  it('are refused beyond their quota, and nothing else is', async () => {
    const small = await startAppliance({ rateLimits: { ...defaultLimits, file: { quota: 1, seconds: 60 } } })
    try {
      const ask = (path: string) => small.ask('GET', path, { token: null })
      assert.equal((await ask('/docs')).status, 200)
      const { status, headers } = await ask('/handbook')
      assert.deepEqual([status, headers.get('ratelimit-policy')], [429, '"file";q=1;w=60'])
      assert.equal((await ask('/healthz')).status, 200)
    } finally {
      await small.stop()
    }
  })
})

describe('the quotas in force', () => {
  it('are returned', async () => {
    const { body } = await house.ask('GET', '/api/config/v1/rate-limits')
    const read = body.data.map(({ id, attributes }: { id: string; attributes: Record<string, number> }) => [
      id,
      { quota: attributes.quota, seconds: attributes.windowSeconds },
    ])
    assert.deepEqual(Object.fromEntries(read), defaultLimits)
  })
})
