import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Role, roles, scopesOf } from '../../src/auth/roles.ts'
import { grants } from '../../src/auth/scopes.ts'
import type { Route } from '../../src/jsonapi/route.ts'
import { type Reply, startAppliance, type TestAppliance } from '../appliance.ts'

const nobody = '0197c0de-0000-7000-8000-000000000001'
const hour = 3_600_000

let house: TestAppliance
let guarded: Route[]
before(async () => {
  house = await startAppliance()
  guarded = house.appliance.interfaces.flatMap(({ routes }) => routes).filter(({ scope }) => scope !== null)
})
after(() => house.stop())

const code = ({ body }: Reply): string | undefined => body?.errors?.[0].code
const pathOf = ({ base, path }: Route) => `${base}/${path.replace(/:\w+/g, nobody)}`

interface Made {
  id: string
  token: string
}

async function make(role: Role, more: Record<string, unknown> = {}): Promise<Made> {
  const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: role, role, ...more } })
  assert.equal(made.status, 201, made.text)
  return { id: made.body.data.id, token: made.body.meta.token }
}

describe('every route', () => {
  it('requires a token', async () => {
    for (const route of guarded) {
      for (const token of [null, 'guess', 'lk_test_0000000000000000000000_000000']) {
        const reply = await house.ask(route.method, pathOf(route), { token })
        assert.deepEqual(
          [reply.status, code(reply)],
          [401, 'unauthenticated'],
          `${route.method} ${route.path}`,
        )
        assert.equal(reply.headers.get('www-authenticate'), 'Bearer')
      }
    }
  })

  for (const role of roles) {
    it(`allows ${role} what the role allows, and nothing else`, async () => {
      const { token } = await make(role)
      for (const route of guarded) {
        const reply = await house.ask(route.method, pathOf(route), { token })
        const may = grants(scopesOf(role), route.scope!)
        const asked = `${route.method} ${route.path}: ${reply.text}`
        assert.notEqual(reply.status, 401, asked)
        assert.equal(code(reply) === 'scope-required', !may, asked)
        if (may) continue
        assert.equal(reply.status, 403, asked)
        assert.deepEqual(reply.body.errors[0].meta, { scope: route.scope })
      }
    })
  }
})

describe('a token', () => {
  it('is shown once, and stored as a digest that nobody sees', async () => {
    const { id, token } = await make('frontdesk')
    assert.match(token, /^lk_test_[0-9A-Za-z]{22}_[0-9A-Za-z]{6}$/)
    const read = await house.ask('GET', `/api/config/v1/tokens/${id}`)
    assert.deepEqual(Object.keys(read.body.data.attributes).sort(), [
      'createdAt',
      'expiresAt',
      'lastUsedAt',
      'makerId',
      'name',
      'previousUntil',
      'refusedAt',
      'revision',
      'role',
      'scopes',
      'updatedAt',
    ])
    assert.ok(!read.text.includes(token))
  })

  it('may have scopes beyond its role', async () => {
    const { token } = await make('housekeeping', { scopes: ['audit.read', 'services.*'] })
    assert.equal((await house.ask('GET', '/api/v2/services', { token })).status, 200)
    assert.equal((await house.ask('GET', '/api/v2/profiles', { token })).status, 403)
  })

  it('is refused with an unknown scope or role', async () => {
    const wrong = [
      { role: 'guest' },
      { role: 'kiosk', scopes: ['units.steal'] },
      { role: 'kiosk', scopes: ['unit.*'] },
    ]
    for (const each of wrong) {
      const reply = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'x', ...each } })
      assert.equal(reply.status, 422, reply.text)
    }
  })

  it('is refused with an invalid expiry', async () => {
    for (const expiresAt of ['2026-12-31T23:59:60Z', '2026-12-31T23:59:00+01']) {
      const body = { name: 'x', role: 'kiosk', expiresAt }
      const reply = await house.ask('POST', '/api/config/v1/tokens', { body })
      assert.deepEqual([reply.status, code(reply)], [422, 'validation-failed'], reply.text)
      assert.deepEqual(reply.body.errors[0].source, { pointer: '/data/attributes/expiresAt' })
    }
  })

  it('is refused as soon as it is revoked', async () => {
    const { id, token } = await make('frontdesk')
    assert.equal((await house.ask('GET', '/api/v2/units', { token })).status, 200)
    assert.equal((await house.ask('DELETE', `/api/config/v1/tokens/${id}`)).status, 204)
    assert.equal((await house.ask('GET', '/api/v2/units', { token })).status, 401)
  })

  it('is refused from the moment it expires', async () => {
    const expiresAt = new Date(house.clock.now() + hour).toISOString()
    const { token } = await make('frontdesk', { expiresAt })
    house.clock.advance(hour - 1)
    assert.equal((await house.ask('GET', '/api/v2/units', { token })).status, 200)
    house.clock.advance(1)
    assert.equal((await house.ask('GET', '/api/v2/units', { token })).status, 401)
  })

  it('is still valid after a restart', async () => {
    const { token } = await make('frontdesk')
    await house.restart()
    assert.equal((await house.ask('GET', '/api/v2/units', { token })).status, 200)
  })
})

describe('the tenant', () => {
  const asking = (tenant: string) => house.ask('GET', '/api/v2/units', { headers: { 'X-Tenant-ID': tenant } })

  it('may be sent, and must be that of this appliance', async () => {
    assert.equal((await asking('demo')).status, 200)
    const other = await asking('other')
    assert.deepEqual([other.status, code(other)], [403, 'tenant-mismatch'])
    assert.deepEqual(other.body.errors[0].source, { header: 'X-Tenant-ID' })
  })

  it('follows a change of the settings', async () => {
    const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    const path = `/api/config/v1/settings/${settings.id}`
    await house.ask('PATCH', path, { body: { tenantId: 'other' } })
    assert.equal((await asking('other')).status, 200)
    assert.equal((await asking('demo')).status, 403)
    await house.ask('PATCH', path, { body: { tenantId: 'demo' } })
  })
})

describe('a kiosk', () => {
  let token: string
  before(async () => {
    token = (await make('kiosk')).token
  })

  const searches: [search: string, found: number | string][] = [
    ['', 'kiosk-scope'],
    ['filter[arrival]=2026-06-01', 'kiosk-scope'],
    ['filter[profile.lastName]=Almeida', 'kiosk-scope'],
    ['filter[profile.lastName][like]=alm&filter[arrival]=2026-06-01', 0],
    ['filter[profile.lastName][ne]=x&filter[arrival]=2026-06-01', 'kiosk-scope'],
    ['filter[externalId][like]=SAMPLE', 'kiosk-scope'],
    ['filter[externalId][gte]=SAMPLE', 'kiosk-scope'],
    ['filter[externalId][notnull]=1', 'kiosk-scope'],
    ['filter[externalId]=SAMPLE-1', 1],
    ['filter[reservationIds.value]=NP-1001', 1],
    ['filter[reservationIds.searchForm]=NP-1001', 1],
    ['filter[reservationIds.value]=NP', 0],
    ['filter[profile.lastName]=Almeida&filter[arrival]=2026-06-01', 1],
    ['filter[profile.lastName]=Almeida&filter[arrival]=2026-06-02', 0],
  ]
  for (const [search, expected] of searches) {
    it(`finds ${expected} with ${search || 'no filter'}`, async () => {
      const reply = await house.ask('GET', `/api/v2/reservations?${search}`, { token })
      if (typeof expected === 'string') assert.deepEqual([reply.status, code(reply)], [403, expected])
      else assert.equal(reply.body.data.length, expected, reply.text)
    })
  }

  it('sees the profiles of the guest it found, and cannot list profiles or stays', async () => {
    const found = await house.ask(
      'GET',
      '/api/v2/reservations?filter[externalId]=SAMPLE-1&filter[profile.lastName]=Almeida&include=stays.profiles',
      { token },
    )
    const types = found.body.included.map(({ type }: { type: string }) => type)
    assert.deepEqual(types, ['stay', 'profile'])
    for (const path of ['profiles', 'stays']) {
      assert.equal((await house.ask('GET', `/api/v2/${path}`, { token })).status, 403, path)
    }
  })

  it('cannot include what it may not read', async () => {
    const asked = '/api/v2/reservations?filter[externalId]=SAMPLE-1&include=stays.ratePlan'
    const reply = await house.ask('GET', asked, { token })
    assert.deepEqual([reply.status, code(reply)], [403, 'scope-required'])
    assert.deepEqual(reply.body.errors[0].meta, { scope: 'rate-plans.read' })
  })
})

describe('a filter that leads to another resource', () => {
  const search = (path: string, value: string) => `/api/v2/reservations?filter[${path}]=${value}`
  const guesses = [
    search('profiles.lastName', 'Almeida'),
    search('profile.birthDate', '1980-01-01'),
    search('stays.profiles.lastName][like', 'Al'),
    search('stays.ratePlan.name', 'Flex'),
  ]

  it('requires the scope for reading it', async () => {
    const { token } = await make('housekeeping', { scopes: ['reservations.read'] })
    for (const guess of guesses) {
      // A question that was just answered to somebody else is asked again.
      assert.equal((await house.ask('GET', guess)).status, 200, guess)
      const reply = await house.ask('GET', guess, { token })
      assert.deepEqual([reply.status, code(reply)], [403, 'scope-required'], guess)
      const scope = guess.includes('ratePlan') ? 'rate-plans.read' : 'profiles.read-own'
      assert.deepEqual(reply.body.errors[0].meta, { scope })
      assert.deepEqual(reply.body.errors[0].source, {
        parameter: guess.slice(guess.indexOf('?') + 1).split('=')[0],
      })
    }
    assert.equal((await house.ask('GET', search('stays.status', 'Confirmed'), { token })).status, 200)
  })

  for (const role of ['frontdesk', 'integrator'] as const)
    it(`is allowed for ${role}`, async () => {
      const { token } = await make(role)
      for (const guess of guesses) assert.equal((await house.ask('GET', guess, { token })).status, 200, guess)
    })
})

describe('the token demo', () => {
  it('is valid on the sample property', async () => {
    assert.equal((await house.ask('GET', '/api/config/v1/tokens', { token: 'demo' })).status, 200)
  })

  it('is valid on no other property, where a pairing code makes the first token instead', async () => {
    const real = await startAppliance({ sample: false })
    assert.equal((await real.ask('GET', '/api/v2/units', { token: 'demo' })).status, 401)
    const [, pin] = /Pairing code (\d{8})/.exec(real.appliance.notes.join('\n')) ?? []
    const pair = (given: unknown, query = '') =>
      real.ask('POST', `/api/config/v1/pairing${query}`, { body: { code: given }, token: null })
    assert.equal((await pair(pin === '00000000' ? '11111111' : '00000000')).status, 401)
    assert.equal((await pair(7)).status, 422)
    const large = await pair('0'.repeat(4_096))
    assert.deepEqual([large.status, code(large)], [413, 'body-too-large'])
    const trial = await pair(pin, '?dryRun=true')
    assert.deepEqual([trial.status, trial.body.meta.token], [201, undefined])
    const paired = await pair(`${pin?.slice(0, 4)} - ${pin?.slice(4)}`)
    assert.equal(paired.status, 201, paired.text)
    const { token } = paired.body.meta
    assert.match(token, /^lk_live_/)
    assert.equal((await real.ask('GET', '/api/config/v1/tokens', { token })).body.data.length, 1)
    assert.equal((await pair(pin)).status, 401)
    await real.restart()
    assert.deepEqual(
      real.appliance.notes.filter((note) => note.includes('Pairing')),
      [],
    )
    await real.stop()
  })
})
