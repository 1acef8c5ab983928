import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { scopes } from '../../src/auth/scopes.ts'
import type { Route } from '../../src/jsonapi/route.ts'
import type { Interface } from '../../src/jsonapi/server/server.ts'
import type { AskOptions, Reply } from '../appliance.ts'
import { type HouseWithPms, openHouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { bodyOf, type Ground, groundOf, nameOf, pathOf } from './every-route.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let house: HouseWithPms
let ground: Ground
let interfaces: readonly Interface[]
before(async () => {
  house = await openHouseWithPms()
  ground = await groundOf(house)
  interfaces = house.appliance.interfaces
})
after(() => house.stop())

const every = (which: (route: Route) => boolean = () => true) =>
  interfaces.flatMap(({ routes }) => routes).filter(which)
const guarded = ({ scope }: Route) => scope !== null
const code = ({ body }: Reply): string | undefined => body?.errors?.[0].code

/** Asks an operation, and looks at every error it answers. */
async function ask(route: Route, how: AskOptions & { query?: string } = {}): Promise<Reply> {
  const reply = await house.ask(route.method, `${pathOf(route, ground)}${how.query ?? ''}`, how)
  if (reply.status >= 400) expectErrors(route, reply)
  return reply
}

function expectErrors(route: Route, { body, status, headers, text }: Reply): void {
  const what = `${nameOf(route)}: ${text}`
  assert.match(String(headers.get('content-type')), /^application\/vnd\.api\+json/, what)
  assert.equal('data' in body, false, what)
  assert.ok(body.errors.length >= 1 && body.errors.length <= 50, what)
  for (const error of body.errors) {
    const { id, status: said, code, title, detail, links, source } = error
    assert.match(id, uuid, what)
    assert.equal(said, String(status), what)
    for (const words of [title, detail]) assert.ok(typeof words === 'string' && words.length > 3, what)
    assert.deepEqual(links, { type: `/problems/${code}` }, what)
    if (source) assert.equal(Object.keys(source).length, 1, what)
  }
  const retry = body.errors[0].meta?.retryAfterSeconds
  if (status === 429 || status === 503 || retry !== undefined)
    assert.match(String(headers.get('retry-after')), /^\d+$/, what)
}

/** Each of these operations is refused so, whatever it does. */
async function each(
  which: (route: Route) => boolean,
  expected: [status: number, code: string],
  how: (route: Route) => AskOptions & { query?: string },
  also: (reply: Reply, route: Route) => void = () => {},
): Promise<void> {
  const routes = every(which)
  assert.ok(routes.length > 0)
  for (const route of routes) {
    const reply = await ask(route, how(route))
    assert.deepEqual([reply.status, code(reply)], expected, `${nameOf(route)}: ${reply.text}`)
    also(reply, route)
  }
}

describe('every operation', () => {
  it('echoes the id of the request, or makes one', async () => {
    for (const route of every()) {
      const echoed = await ask(route, { token: null, headers: { 'X-Request-Id': 'walk:1' } })
      assert.equal(echoed.headers.get('x-request-id'), 'walk:1', nameOf(route))
      const made = await ask(route, { token: null })
      assert.match(String(made.headers.get('x-request-id')), uuid, nameOf(route))
    }
  })

  it('names its version, its stability, and its successor', async () => {
    for (const { version, routes } of interfaces) {
      for (const route of routes) {
        const { headers } = await ask(route, { token: null })
        const what = nameOf(route)
        assert.equal(headers.get('x-api-version'), version, what)
        assert.equal(headers.get('x-stability'), route.beta ? 'beta' : null, what)
        assert.equal(headers.has('deprecation'), route.deprecated !== undefined, what)
        if (!route.deprecated) continue
        assert.match(String(headers.get('deprecation')), /^@\d+$/, what)
        const [since, until] = [Number(headers.get('deprecation')?.slice(1)), headers.get('sunset') ?? '']
        assert.ok(Date.parse(until) / 1000 - since >= 365 * 86_400, `${what}: a year at least`)
        assert.match(String(headers.get('link')), /^<\/api\/v2\/[^:>]+>; rel="successor-version"$/, what)
      }
    }
  })

  it('is beta or deprecated as its interface declares', () => {
    const marked = (which: (route: Route) => boolean) => every(which).map(nameOf).sort()
    assert.ok(marked(({ beta }) => beta === true).every((name) => /availability|rate-plans/.test(name)))
    assert.ok(every(({ path }) => /^(availability|rate-plans)/.test(path)).every(({ beta }) => beta))
    assert.deepEqual(
      marked(({ deprecated }) => deprecated !== undefined),
      [
        'PATCH /api/v2/profiles/:profileId',
        'PATCH /api/v2/reservations/:reservationId',
        'PATCH /api/v2/reservations/:reservationId/stays/:stayId',
        'PUT /api/v2/reservations/:reservationId/stays/:stayId/services',
        'PUT /api/v2/reservations/:reservationId/stays/:stayId/units',
      ],
    )
  })

  it('must not be cached', async () => {
    for (const route of every(({ base }) => base !== '')) {
      const { headers } = await ask(route, { token: null })
      assert.equal(headers.get('cache-control'), 'no-store', nameOf(route))
    }
  })

  it('returns the remaining quota', async () => {
    for (const route of every()) {
      const { headers } = await ask(route, { token: null })
      assert.match(String(headers.get('ratelimit-policy')), /^"(auth|open|file)";q=\d+;w=60$/, nameOf(route))
      assert.match(String(headers.get('ratelimit')), /^"(auth|open|file)";r=\d+;t=\d+$/, nameOf(route))
    }
  })

  it('requires a token', () =>
    each(
      guarded,
      [401, 'unauthenticated'],
      () => ({ token: null }),
      ({ headers }, route) => assert.equal(headers.get('www-authenticate'), 'Bearer', nameOf(route)),
    ))

  it('requires its scope, and names it', async () => {
    const token = await house.tokenOf('auditor')
    await each(
      // Every role may ask how the appliance is, and who audits it hears what happens.
      ({ scope }) => scope !== null && !['status.read', 'events.read', 'audit.read'].includes(scope),
      [403, 'scope-required'],
      () => ({ token }),
      ({ body }, { scope }) => {
        assert.deepEqual(body.errors[0].meta, { scope })
        assert.ok((scopes as readonly string[]).includes(String(scope)))
      },
    )
  })

  it('is refused for another tenant', () =>
    each(guarded, [403, 'tenant-mismatch'], () => ({ headers: { 'X-Tenant-ID': 'other' } })))

  it('is refused when the client accepts no JSON, except open routes', () =>
    each(
      ({ base }) => base !== '',
      [406, 'not-acceptable'],
      () => ({ headers: { Accept: 'text/html' } }),
    ))

  it('is refused with an unsupported method, with the supported ones', async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
    const byPath = Map.groupBy(every(), (route) => pathOf(route, ground))
    for (const [path, routes] of byPath) {
      const there = new Set(routes.map(({ method }) => method as string))
      for (const method of methods.filter((each) => !there.has(each))) {
        const reply = await house.ask(method, path)
        assert.deepEqual([reply.status, code(reply)], [405, 'method-not-allowed'], `${method} ${path}`)
        expectErrors(routes[0]!, reply)
        const allowed = String(reply.headers.get('allow')).split(', ').sort()
        const expected = there.has('GET') ? [...there, 'HEAD'] : [...there]
        assert.deepEqual(allowed, expected.sort(), `${method} ${path}`)
      }
    }
  })
})

/** What takes a body, in every kind of it. */
const takesBody = (route: Route) =>
  route.method !== 'GET' && route.description?.body !== undefined && !takesFile(route)
/** The parts of a file are no JSON, and may be larger. */
const takesFile = ({ path }: Route) => path === 'restores/:id/content'

describe('every body', () => {
  const sent =
    (body: string, type = 'application/vnd.api+json') =>
    () => ({
      body,
      headers: { 'Content-Type': type },
    })

  it('is JSON by its type', () =>
    each(takesBody, [415, 'unsupported-media-type'], sent('{}', 'text/plain'), ({ body }) =>
      assert.deepEqual(body.errors[0].source, { header: 'Content-Type' }),
    ))

  it('is JSON', () => each(takesBody, [400, 'malformed-json'], sent('{"data":')))

  it('is limited in size', () => each(takesBody, [413, 'body-too-large'], sent(`"${'x'.repeat(1_048_576)}"`)))
})

describe('every list', () => {
  const isList = ({ method, path, base, description }: Route) =>
    method === 'GET' &&
    base !== '' &&
    // Extensions are handed on as they are.
    !path.includes('extensions') &&
    (Object.values(description?.answers ?? {}).some((each) => 'list' in each) || !path.includes(':')) &&
    path !== 'status'

  it('refuses an unknown parameter by its name', () =>
    each(
      isList,
      [400, 'unknown-parameter'],
      () => ({ query: '?colour=red' }),
      ({ body }) => assert.deepEqual(body.errors[0].source, { parameter: 'colour' }),
    ))
})

/** What changes nothing that has a revision of its own, and why. */
const noResource: Record<string, string> = {
  'DELETE /api/v2/access/controllers/:controllerId/key': 'it erases a card',
  'PUT /api/v2/access/dispensers/:dispenserId/place-card/:cardPosition': 'it moves a card',
  'PATCH /api/v2/availability/unit-types/:unitTypeId': 'it tells of periods',
  'PATCH /api/v2/availability/units/:unitId': 'it tells of periods',
  'DELETE /api/v2/pms/providers/:configurationId/extensions/:extensionName': 'it belongs to the PMS',
  'DELETE /api/v2/sessions/:id': 'a token has none',
  'DELETE /api/v2/session': 'it is that of the browser',
  'DELETE /api/config/v1/rights-to-confirm/:id': 'there is one after a restore alone',
  'DELETE /api/config/v1/units-to-check/:id': 'there is one after a restore alone',
  'PATCH /api/config/v1/restores/:id/content': 'it is a part of a file',
  'DELETE /api/config/v1/restores/:id': 'there is one, and its id is a secret',
  'PUT /api/config/v1/certificate': 'it is the one of the server',
  'PATCH /api/config/v1/certificate': 'it is the one of the server',
  'DELETE /api/config/v1/certificate': 'it is the one of the server',
}

describe('every change of a resource', () => {
  const changes = (route: Route) =>
    ['PUT', 'PATCH', 'DELETE'].includes(route.method) && !(nameOf(route) in noResource)

  it('is refused with an outdated revision', () =>
    each(
      changes,
      [412, 'revision-mismatch'],
      (route) => {
        const body = bodyOf(route, ground)
        return { headers: { 'If-Match': '"999999"' }, ...(body !== undefined && { body }) }
      },
      ({ body }, route) => assert.deepEqual(body.errors[0].source, { header: 'If-Match' }, nameOf(route)),
    ))

  it('names only existing routes as those without a revision', () => {
    const names = every().map(nameOf)
    for (const name of Object.keys(noResource)) assert.ok(names.includes(name), name)
  })
})
