import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Role, scopesOf } from '../../../src/auth/roles.ts'
import { grants } from '../../../src/auth/scopes.ts'
import type { Route } from '../../../src/jsonapi/route.ts'
import { type Browser, browserAt } from './browser.ts'
import { password, type Staffed, staffed } from './staffed.ts'

const config = '/api/config/v1'

/** Every route of the appliance that asks a session again for its secret. */
const asked = `
DELETE ${config}/accounts/:id
DELETE ${config}/certificate
DELETE ${config}/rights-to-confirm/:id
DELETE ${config}/sessions/:id
DELETE ${config}/tokens/:id
DELETE /api/v2/payments/:id
GET ${config}/backups/:id/content
GET ${config}/flight-recorder
GET ${config}/support-file
PATCH ${config}/accounts/:id
PATCH ${config}/access-providers/:id
PATCH ${config}/payment-terminals/:id
PATCH ${config}/backup-targets/:id
PATCH ${config}/certificate
PATCH ${config}/key-services/:id
PATCH ${config}/pms-configurations/:id
PATCH ${config}/stations/:id
PATCH ${config}/webhooks/:id
POST ${config}/accounts
POST ${config}/accounts/:id/actions/reset
POST ${config}/access-providers
POST ${config}/payment-terminals
POST ${config}/epoch/actions/see
POST ${config}/backup-targets
POST ${config}/certificate/actions/renew
POST ${config}/epoch/actions/claim
POST ${config}/epoch/actions/hand-over
POST ${config}/key-services
POST ${config}/pms-configurations
POST ${config}/recovery-sheet/actions/begin
POST ${config}/recovery-sheet/actions/confirm
POST ${config}/restores
POST ${config}/stations
POST ${config}/stations/:id/actions/enrolment-code
POST ${config}/support-console/actions/open
POST ${config}/tokens
POST ${config}/tokens/:id/actions/rotate
POST ${config}/update/actions/confirm
POST ${config}/update/actions/install
POST ${config}/webhooks
POST ${config}/webhooks/:id/actions/rotate-secret
POST /api/v2/profiles/:profileId/actions/erase
POST /api/v2/reservations/:reservationId/stays/:stayId/actions/record-refund
POST /api/v2/stays/:stayId/actions/settle-terminal-payment
PUT ${config}/access-providers/:id
PUT ${config}/payment-terminals/:id
PUT ${config}/backup-targets/:id
PUT ${config}/certificate
PUT ${config}/key-services/:id
PUT ${config}/pms-configurations/:id`
  .trim()
  .split('\n')

const nameOf = ({ method, base, path }: Route) => `${method} ${base}/${path}`
const json = { 'Content-Type': 'application/json' }
const nobody = '01997aaa-0000-7000-8000-000000000000'

describe('Every route asks a session again for its secret, or does not, as the table says', () => {
  let staff: Staffed
  let routes: Route[]
  before(async () => {
    staff = await staffed()
    routes = staff.house.appliance.interfaces
      .flatMap((each) => each.routes)
      .filter(({ scope }) => scope !== null)
  })
  after(() => staff.house.stop())

  /** Asks a route with an unknown parameter, an unknown id and broken JSON. The house is empty: what is carried out changes nothing. */
  async function refusalOf(browser: Browser, route: Route): Promise<string | undefined> {
    const path = `${route.base}/${route.path.replaceAll(/:\w+/g, nobody)}?unknown-of-test=1`
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'If-Match': '"0"', Accept: '*/*' }
    const { method } = route
    const sent = method === 'GET' ? { headers } : { headers: { ...headers, ...json }, body: '{' }
    const asking = fetch(staff.house.appliance.url + path, { method, ...sent })
    const reply = await staff.house.during(asking)
    if (!reply.ok) return ((await reply.json()) as { errors: { code: string }[] }).errors[0]?.code
    // The answer may be a stream, which does not end.
    await reply.body?.cancel()
    return undefined
  }

  it('has no row without a route', () => {
    const names = new Set(routes.map(nameOf))
    assert.deepEqual(
      asked.filter((name) => !names.has(name)),
      [],
    )
  })

  const roles: readonly Role[] = ['admin', 'installer', 'frontdesk', 'housekeeping', 'auditor']
  for (const role of roles)
    it(`for the role ${role}`, async () => {
      await staff.add(`A ${role}`, role)
      const browser = browserAt(staff.house)
      assert.equal((await browser.signIn(`A ${role}`, { password })).status, 201)
      const held = scopesOf(role)
      const answers = async () => {
        const found = new Map<string, string | undefined>()
        for (const route of routes) found.set(nameOf(route), await refusalOf(browser, route))
        return found
      }
      const fresh = await answers()
      staff.house.clock.advance(5 * 60_000)
      const stale = await answers()
      for (const route of routes) {
        const name = nameOf(route)
        const [now, later] = [fresh.get(name), stale.get(name)]
        if (!grants(held, route.scope!)) {
          assert.deepEqual([now, later], ['scope-required', 'scope-required'], name)
          continue
        }
        assert.ok(!['scope-required', 'reauthentication-required'].includes(String(now)), `${name}: ${now}`)
        if (asked.includes(name)) assert.equal(later, 'reauthentication-required', name)
        else assert.equal(later, now, name)
      }
      await browser.act('reauthenticate', { password })
      const download = routes.find(({ path }) => path === 'support-file')!
      if (grants(held, download.scope!)) assert.equal(await refusalOf(browser, download), 'unknown-parameter')
    })
})
