import assert from 'node:assert/strict'
import type { HouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import type { Facts, Row } from './row.ts'

const sessionAction = (action: string) => `POST /session/actions/${action}`

/** The cookie of a member of the demo staff. */
async function cookieOf(house: HouseWithPms, account: string): Promise<Facts> {
  const begun = await house.ask('POST', '/api/v2/session/actions/start-demo', {
    token: null,
    body: { account },
  })
  assert.equal(begun.status, 201, begun.text)
  const cookies = begun.headers.getSetCookie().map((each) => each.split(';')[0])
  return { cookie: cookies.join('; ') }
}

const inBrowser = { Cookie: '{cookie}', 'Sec-Fetch-Site': 'same-origin' }

/** Requests of a browser that are refused. */
export const sessionRows: Row[] = [
  {
    of: 'POST /session',
    status: 403,
    as: null,
    headers: { 'Sec-Fetch-Site': 'cross-site' },
    body: { account: 'Ana', passcode: '482615' },
    code: 'cross-origin',
  },
  { of: 'GET /session/people', status: 403, as: null, code: 'station-required' },
  {
    of: 'GET /units',
    status: 403,
    as: null,
    given: async (house) => {
      const { cookie = '' } = await cookieOf(house, 'Ana')
      const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
      await house.ask('POST', '/api/v2/session/actions/lock', { token: null, headers })
      return { cookie }
    },
    headers: inBrowser,
    code: 'session-locked',
  },
  {
    of: 'POST /api/config/v1/tokens',
    status: 403,
    as: null,
    given: async (house) => {
      const facts = await cookieOf(house, 'Ida')
      house.clock.advance(300_000)
      return facts
    },
    headers: inBrowser,
    body: { name: '{fresh}', role: 'kiosk' },
    code: 'reauthentication-required',
  },
  {
    of: sessionAction('claim'),
    status: 409,
    as: null,
    body: { code: '00000000', name: '{fresh}', password: 'velvet kettle anthem orbit' },
    code: 'already-claimed',
  },
  {
    of: 'PATCH /api/config/v1/accounts/{accountId}',
    status: 409,
    given: async (house) => {
      const { body } = await house.ask('GET', '/api/config/v1/accounts?filter[name]=Ida')
      return { accountId: body.data[0].id }
    },
    body: { disabled: true },
    code: 'last-administrator',
  },
  {
    of: 'PATCH /api/config/v1/accounts/{accountId}',
    status: 409,
    as: null,
    given: async (house) => {
      const { body } = await house.ask('GET', '/api/config/v1/accounts?filter[name]=Ana')
      const accountId = body.data[0].id
      const scopes = ['accounts.read', 'accounts.write']
      await house.ask('PATCH', `/api/config/v1/accounts/${accountId}`, { body: { scopes } })
      return { accountId, ...(await cookieOf(house, 'Ana')) }
    },
    headers: inBrowser,
    body: { disabled: true },
    code: 'own-account',
  },
]
