import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { accessPromised } from './access-document.ts'
import { type AccessHouse, aKey, furnishedForAccess } from './access-house.ts'
import { nobody } from './facts.ts'
import { type Facts, requestOf } from './row.ts'

const roles = ['kiosk', 'frontdesk', 'housekeeping', 'integrator', 'installer', 'auditor'] as const
type Role = (typeof roles)[number]

/** Who may ask for what, beside the administrator, who may do all of it. */
const allowed: Record<string, Role[]> = {
  'GET /access/providers/{configurationId}/capabilities': ['frontdesk', 'integrator', 'installer'],
  'GET /access/providers/{configurationId}/extensions/{extensionName}': ['integrator', 'installer'],
  'GET /access/dispensers/{dispenserId}/status': ['kiosk', 'frontdesk', 'installer'],
  'PUT /access/dispensers/{dispenserId}/status/{state}': ['kiosk', 'frontdesk', 'installer'],
  'PUT /access/dispensers/{dispenserId}/place-card/{cardPosition}': ['kiosk', 'frontdesk', 'installer'],
  'POST /access/dispensers/{dispenserId}/reset-cache': ['kiosk', 'frontdesk', 'installer'],
  'POST /access/dispensers/reset-all-cache': ['kiosk', 'frontdesk', 'installer'],
  'GET /access/controllers/{controllerId}/key': ['frontdesk'],
  'POST /access/controllers/{controllerId}/key': ['kiosk', 'frontdesk'],
  'DELETE /access/controllers/{controllerId}/key': ['frontdesk'],
  'POST /access/controllers/{controllerId}/keys': ['kiosk', 'frontdesk'],
  'PUT /access/controllers/{controllerId}/keys/by-reservation/{stayExternalId}': ['kiosk', 'frontdesk'],
  'GET /access/keys': ['frontdesk'],
  'GET /access/keys/{keyId}': ['frontdesk'],
  'PUT /access/keys/{keyId}': ['frontdesk'],
  'DELETE /access/keys/{keyId}': ['frontdesk'],
  'GET /access/units': ['frontdesk', 'installer'],
  'POST /access/units': ['installer'],
  'GET /access/units/{unitId}': ['frontdesk', 'installer'],
  'PUT /access/units/{unitId}': ['installer'],
  'DELETE /access/units/{unitId}': ['installer'],
  'POST /access/controllers/{controllerId}/one-shot-key': ['frontdesk'],
  'POST /access/controllers/{controllerId}/spare-keys': ['frontdesk'],
  'PUT /access/controllers/{controllerId}/shown-card': ['kiosk', 'frontdesk'],
  'POST /access/keys/{keyId}/actions/block': ['frontdesk'],
  'POST /access/keys/{keyId}/actions/seen-at-door': ['frontdesk'],
  'POST /access/keys/{keyId}/actions/ask-now': ['frontdesk'],
  'POST /access/keys/{keyId}/actions/reencode': ['frontdesk'],
  'POST /access/keys/{keyId}/actions/move': ['frontdesk'],
  'POST /access/keys/{keyId}/actions/extend': ['frontdesk'],
  'GET /access/controllers': ['kiosk', 'frontdesk', 'installer'],
  'GET /access/controllers/{controllerId}': ['kiosk', 'frontdesk', 'installer'],
  'GET /access/dispensers': ['kiosk', 'frontdesk', 'installer'],
  'GET /access/dispensers/{dispenserId}': ['kiosk', 'frontdesk', 'installer'],
  'GET /access/units-with-older-keys': ['frontdesk'],
  'GET /access/card-runs': ['kiosk', 'frontdesk', 'installer'],
  'GET /access/card-runs/{cardRunId}': ['kiosk', 'frontdesk', 'installer'],
  'GET /access/card-runs/by-stay/{stayId}': ['kiosk', 'frontdesk', 'installer'],
  'POST /access/dispensers/{dispenserId}/actions/refill': ['kiosk', 'frontdesk', 'installer'],
  'POST /access/dispensers/{dispenserId}/actions/empty-bin': ['kiosk', 'frontdesk', 'installer'],
  'PATCH /access/dispensers/{dispenserId}/counters': ['installer'],
}

let house: AccessHouse
let facts: Facts
const tokens: Partial<Record<Role, string>> = {}
before(async () => {
  ;({ house, facts } = await furnishedForAccess())
  for (const role of roles) tokens[role] = await house.tokenOf(role)
})
after(() => house.stop())

/** Nothing there is reached by this: what counts is who is let through to where it is looked for. */
const nowhere = {
  stayId: nobody,
  configurationId: nobody,
  extensionName: 'unit-list',
  dispenserId: nobody,
  state: 'active',
  cardPosition: 'hold',
  controllerId: nobody,
  stayExternalId: 'NOBODY',
  keyId: nobody,
  unitId: nobody,
  cardRunId: nobody,
}

describe('Who may ask', () => {
  for (const [of, may] of Object.entries(allowed)) {
    it(`${of}: ${may.join(', ')}`, async () => {
      const { method, path } = requestOf({ of }, nowhere)
      const ask = async (token: string | null) => {
        const { status, body } = await house.ask(method, path, { token })
        return status >= 400 ? `${status} ${body.errors[0].code}` : String(status)
      }
      const let_in = []
      for (const role of roles) if ((await ask(tokens[role]!)) !== '403 scope-required') let_in.push(role)
      assert.deepEqual(let_in, may)
      assert.notEqual(await ask('demo'), '403 scope-required')
      assert.equal(await ask(null), '401 unauthenticated')
      assert.equal(await ask('lk_live_0000000000000000000000_000000'), '401 unauthenticated')
    })
  }

  it('is said of every operation', () => {
    const operations = new Set(accessPromised.map((each) => each.replace(/ \d+$/, '')))
    assert.deepEqual(Object.keys(allowed).sort(), [...operations].sort())
  })
})

describe('A kiosk', () => {
  const key = (body: object) =>
    house.ask('POST', `/api/v2/access/controllers/${facts.controllerId}/key`, { body, token: tokens.kiosk! })

  it('makes no PIN for a stay that is not there today, and no key of nobody', async () => {
    const { unitTypeId, unitIds } = await house.rooms(1)
    const externalId = 'NEXT-WEEK'
    const units = [{ unitTypeId, unitId: unitIds[0] }]
    await house.stay({ units, externalId, startDate: '2026-06-08', endDate: '2026-06-09' })
    const asked = [
      { ...aKey },
      { ...aKey, externalId: 'NOBODY' },
      { ...aKey, externalId, startDate: '2026-06-08', endDate: '2026-06-09' },
    ]
    for (const body of asked) {
      const { status, body: answer } = await key(body)
      assert.deepEqual([status, answer.errors[0].code], [403, 'kiosk-scope'])
    }
    const path = `/api/v2/access/controllers/${facts.controllerId}/keys/by-reservation/${externalId}`
    const put = await house.ask('PUT', path, { body: aKey, token: tokens.kiosk! })
    assert.deepEqual([put.status, put.body.errors[0].code], [403, 'kiosk-scope'])
    const batch = await house.ask('POST', `/api/v2/access/controllers/${facts.controllerId}/keys`, {
      body: { ...aKey, externalId, quantity: 2 },
      token: tokens.kiosk!,
    })
    assert.deepEqual([batch.status, batch.body.errors[0].code], [403, 'kiosk-scope'])
  })
})

describe('A PIN', () => {
  it('is shown by its last two digits to who may read keys and no PINs, and found by its digits by nobody of them', async () => {
    const reader = await house.tokenOf('auditor', ['keys.read'])
    const whole = (await house.attributes(`/api/v2/access/keys/${facts.keyId}`)).pin as string
    const { body } = await house.ask('GET', `/api/v2/access/keys/${facts.keyId}`, { token: reader })
    assert.match(body.data.attributes.pin, /^\D+\d\d$/)
    assert.ok(body.data.attributes.pin.endsWith(whole.slice(-2)))
    for (const query of [`filter[pin]=${whole}`, `filter[pin][ne]=${whole}`, 'filter[pin][notnull]=true']) {
      const asked = await house.ask('GET', `/api/v2/access/keys?${query}`, { token: reader })
      assert.deepEqual([asked.status, asked.body.errors[0].code], [403, 'scope-required'])
    }
  })
})
