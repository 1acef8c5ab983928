import assert from 'node:assert/strict'
import { it } from 'node:test'
import { defaultLimits } from '../../../src/auth/limits/rate-limits.ts'
import { browserAt } from './browser.ts'
import { password, staffed } from './staffed.ts'

it('a page whose session has ended does not use up the sign-ins of its address', async (t) => {
  const { house, ida } = await staffed({ rateLimits: defaultLimits })
  t.after(() => house.stop())
  await ida.signIn('Ida', { password })
  const old = browserAt(house)
  old.cookies = new Map(ida.cookies)
  await ida.ask('DELETE', '/api/v2/session')
  for (let times = 0; times < 20; times++) assert.equal((await old.get('/api/v2/units')).status, 401)
  assert.equal((await old.signIn('Ida', { password })).status, 201)
  const failures = '/api/v2/events?filter[type]=system.authentication-failed'
  assert.deepEqual((await old.get(failures)).body.data, [])
  const stranger = browserAt(house)
  const statuses = []
  for (let times = 0; times < 10; times++)
    statuses.push((await stranger.signIn(`Guest ${times}`, { password })).status)
  assert.ok(statuses.includes(429))
})

it('each session has its own quota of requests', async (t) => {
  const { house, ida } = await staffed({ rateLimits: { ...defaultLimits, read: { quota: 5, seconds: 60 } } })
  t.after(() => house.stop())
  const another = browserAt(house)
  await another.signIn('Ida', { password })
  for (let times = 0; times < 5; times++) assert.equal((await ida.get('/api/v2/units')).status, 200)
  assert.equal((await ida.get('/api/v2/units')).status, 429)
  assert.equal((await another.get('/api/v2/units')).status, 200)
})

it('a kiosk does not get a new quota with a new session', async (t) => {
  const staff = await staffed({ rateLimits: { ...defaultLimits, search: { quota: 3, seconds: 60 } } })
  t.after(() => staff.house.stop())
  const lobby = await staff.station('Lobby', 'kiosk')
  const search = () => lobby.get('/api/v2/reservations?filter[reservationIds.value]=NP-1001')
  const statuses: number[] = []
  for (let times = 0; times < 4; times++) {
    assert.equal((await lobby.act('start-kiosk')).status, 201)
    statuses.push((await search()).status)
  }
  assert.equal(statuses[3], 429, String(statuses))
  assert.notEqual(statuses[0], 429)
  await staff.ida.signIn('Ida', { password })
  const id = (await lobby.session()).id
  assert.equal((await staff.ida.ask('DELETE', `/api/config/v1/sessions/${id}`)).status, 204)
  assert.equal((await search()).status, 401)
})
