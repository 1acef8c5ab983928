import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { askAt } from '../../appliance.ts'
import { type Browser, browserAt, codeOf, sessionPath } from './browser.ts'
import { accounts, passcode, password, type Staffed, staffed } from './staffed.ts'

const minute = 60_000
const units = '/api/v2/units'
let staff: Staffed
let anaId: string
let desk: Browser
before(async () => {
  staff = await staffed()
  anaId = await staff.add('Ana', 'frontdesk')
  await staff.add('Ben', 'housekeeping')
  desk = await staff.station('Front desk')
})
after(() => staff.house.stop())

/** A new browser in which Ana is signed in with her password. */
async function ana(): Promise<Browser> {
  const browser = browserAt(staff.house)
  const signedIn = await browser.signIn('Ana', { password })
  assert.equal(signedIn.status, 201, signedIn.text)
  return browser
}

const cookieOf = ({ cookies }: Browser) => [...cookies].map((each) => each.join('=')).join('; ')

describe('The cookie of a session', () => {
  it('is strict and out of reach of scripts; on plain HTTP it has no prefix', async () => {
    const browser = await ana()
    assert.match(browser.setCookies.join(), /^np=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    await browser.ask('DELETE', sessionPath)
    assert.match(browser.setCookies.join(), /^np=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/)
  })

  it('is new at every sign-in, and the one before is worth nothing', async () => {
    const browser = await ana()
    for (const again of [
      () => browser.signIn('Ana', { password }),
      () => browser.act('reauthenticate', { password }),
      async () => {
        await browser.act('lock')
        return browser.act('unlock', { password })
      },
    ]) {
      const fixed = browserAt(staff.house)
      fixed.cookies.set('np', browser.cookies.get('np')!)
      const reply = await again()
      assert.ok(reply.status < 300, reply.text)
      assert.notEqual(browser.cookies.get('np'), fixed.cookies.get('np'))
      assert.equal((await fixed.get(units)).status, 401)
      assert.equal((await browser.get(units)).status, 200)
    }
  })

  it('that a stranger has set is not believed, nor are two of them', async () => {
    const browser = browserAt(staff.house)
    browser.cookies.set('np', 'A'.repeat(43))
    await browser.signIn('Ana', { password })
    assert.notEqual(browser.cookies.get('np'), 'A'.repeat(43))
    const twice = { Cookie: `np=${'A'.repeat(43)}; ${cookieOf(browser)}` }
    assert.equal((await browserAt(staff.house).ask('GET', units, { headers: twice })).status, 401)
  })

  it('does not count through a proxy on the box', async () => {
    const browser = await ana()
    const headers = { 'X-Forwarded-For': '203.0.113.7' }
    assert.equal((await browser.ask('GET', units, { headers })).status, 401)
  })
})

describe('A change with a cookie', () => {
  const own = () => new URL(staff.house.appliance.url)
  const cases: [what: string, headers: () => Record<string, string>, allowed: boolean][] = [
    ['same-origin', () => ({ 'Sec-Fetch-Site': 'same-origin' }), true],
    ['same-site', () => ({ 'Sec-Fetch-Site': 'same-site' }), false],
    ['cross-site', () => ({ 'Sec-Fetch-Site': 'cross-site' }), false],
    ['none', () => ({ 'Sec-Fetch-Site': 'none' }), false],
    [
      'cross-site with the own Origin',
      () => ({ 'Sec-Fetch-Site': 'cross-site', Origin: own().origin }),
      false,
    ],
    ['the own Origin', () => ({ Origin: own().origin }), true],
    ['another port', () => ({ Origin: `http://127.0.0.1:${Number(own().port) + 1}` }), false],
    [
      'the own name without TLS or with it',
      () => ({ Origin: own().origin.replace('http:', 'https:') }),
      false,
    ],
    ['another Origin', () => ({ Origin: 'https://evil.example' }), false],
    ['the Origin null', () => ({ Origin: 'null' }), false],
    ['neither', () => ({}), false],
  ]
  for (const [what, headers, allowed] of cases) {
    it(`is ${allowed ? 'accepted' : 'refused'} from ${what}`, async () => {
      const browser = await ana()
      const sent = { Cookie: cookieOf(browser), ...headers() }
      const ask = (method: string, path: string, body?: unknown) =>
        staff.house.during(
          askAt(staff.house.appliance.url, method, path, { token: null, headers: sent, body }),
        )
      const made = await ask('POST', '/api/v2/profiles', { firstName: 'A', lastName: 'B' })
      const locked = await ask('POST', `${sessionPath}/actions/lock`)
      assert.deepEqual(
        [made.status, codeOf(made), locked.status, codeOf(locked)],
        allowed ? [201, undefined, 200, undefined] : [403, 'cross-origin', 403, 'cross-origin'],
      )
    })
  }

  it('is no matter of bearer tokens, also beside a cookie', async () => {
    const browser = await ana()
    await staff.ida.act('reauthenticate', { password })
    const made = await staff.ida.post('/api/config/v1/tokens', { name: 'Desk', role: 'frontdesk' })
    const headers = { Cookie: cookieOf(browser), 'Sec-Fetch-Site': 'cross-site' }
    const body = { firstName: 'A', lastName: 'B' }
    const token = made.body.meta.token
    assert.equal((await staff.house.ask('POST', '/api/v2/profiles', { token, headers, body })).status, 201)
  })
})

describe('A session', () => {
  it('locks after the idle minutes of its station, and a passcode unlocks it', async () => {
    assert.equal((await desk.signIn('Ana', { passcode })).status, 201)
    staff.house.clock.advance(4 * minute)
    assert.equal((await desk.get(units)).status, 200)
    staff.house.clock.advance(4 * minute)
    assert.equal((await desk.ask('GET', units, { headers: { 'X-Unattended': 'true' } })).status, 200)
    staff.house.clock.advance(minute)
    assert.equal(codeOf(await desk.get(units)), 'session-locked')
    assert.equal((await desk.session()).attributes.locked, true)
    assert.equal(codeOf(await desk.act('unlock', { passcode: '111222' })), 'unauthenticated')
    assert.equal((await desk.act('unlock', { passcode })).status, 200)
    assert.equal((await desk.get(units)).status, 200)
  })

  it('is not kept from locking by a page that opens its stream again and again', async () => {
    await desk.signIn('Ana', { passcode })
    for (let times = 0; times < 4; times++) {
      staff.house.clock.advance(minute)
      const headers = { Accept: 'text/event-stream' }
      assert.equal((await desk.ask('GET', '/api/v2/events/stream', { headers })).status, 200)
    }
    staff.house.clock.advance(minute)
    assert.equal(codeOf(await desk.get(units)), 'session-locked')
  })

  it('is locked when the clock is set back, without dangerous rights, and ends when that is to before it began', async () => {
    const { ida, house } = staff
    await ida.signIn('Ida', { password })
    house.clock.advance(70 * minute)
    assert.equal((await ida.act('unlock', { password })).status, 200)
    house.clock.set(house.clock.now() - 60 * minute)
    assert.equal(codeOf(await ida.get(units)), 'session-locked')
    assert.equal((await ida.act('unlock', { passcode })).status, 200)
    assert.equal((await ida.get(units)).status, 200)
    const make = () => ida.post('/api/config/v1/tokens', { name: 'T', role: 'kiosk' })
    assert.equal(codeOf(await make()), 'reauthentication-required')
    house.clock.set(house.clock.now() - 60 * minute)
    assert.equal((await ida.get(units)).status, 401)
    house.clock.set(house.clock.now() + 120 * minute)
    assert.equal((await ida.signIn('Ida', { password })).status, 201)
  })

  it('is taken over by another person at the station', async () => {
    await desk.signIn('Ana', { passcode })
    const before = browserAt(staff.house)
    before.cookies = new Map(desk.cookies)
    const people = (await desk.get(`${sessionPath}/people`)).body.data
    assert.deepEqual(
      people.map(({ attributes }: { attributes: object }) => attributes),
      [
        { name: 'Ana', passcodeSignsIn: true },
        { name: 'Ben', passcodeSignsIn: true },
        { name: 'Ida', passcodeSignsIn: false },
      ],
    )
    await desk.act('lock')
    const ben = await desk.act('switch', { account: people[1].id, passcode })
    assert.deepEqual([ben.status, ben.body.data.attributes.role], [201, 'housekeeping'])
    assert.equal((await before.get(units)).status, 401)
  })

  it('ends twelve hours after the sign-in, however it is used', async () => {
    const browser = await ana()
    for (let passed = 0; passed < 12 * 60; passed += 14) {
      assert.equal((await browser.get(units)).status, 200, `after ${passed} minutes`)
      staff.house.clock.advance(14 * minute)
    }
    assert.equal((await browser.get(units)).status, 401)
    assert.equal((await browser.session()).attributes.role, null)
  })

  it('goes on after a restart of the appliance', async () => {
    const browser = await ana()
    await staff.house.restart()
    assert.equal((await browser.get(units)).status, 200)
    await desk.signIn('Ana', { passcode })
  })

  it('ends when its account is disabled, reset, or deleted', async () => {
    for (const change of [
      (id: string) => staff.ida.ask('PATCH', `${accounts}/${id}`, { body: { disabled: true } }),
      (id: string) => staff.ida.post(`${accounts}/${id}/actions/reset`),
      (id: string) => staff.ida.ask('DELETE', `${accounts}/${id}`),
    ]) {
      await staff.ida.signIn('Ida', { password })
      const id = await staff.add(`Rosa ${String(change).length}`, 'frontdesk')
      const rosa = browserAt(staff.house)
      await rosa.signIn(id, { password })
      assert.equal((await rosa.get(units)).status, 200)
      const reply = await change(id)
      assert.ok(reply.status < 300, reply.text)
      assert.equal((await rosa.get(units)).status, 401)
      assert.equal(codeOf(await rosa.signIn(id, { password })), 'unauthenticated')
    }
  })

  it('ends when its account gains a right, and not when it loses one', async () => {
    await staff.ida.signIn('Ida', { password })
    const id = await staff.add('Vera', 'frontdesk')
    const vera = browserAt(staff.house)
    const change = async (body: object) =>
      assert.equal((await staff.ida.ask('PATCH', `${accounts}/${id}`, { body })).status, 204)
    for (const body of [{ scopes: ['backups.read'] }, { role: 'admin', scopes: [] }]) {
      await vera.signIn(id, { password })
      assert.equal((await vera.get(units)).status, 200)
      await change(body)
      assert.equal((await vera.get(units)).status, 401)
    }
    await vera.signIn(id, { password })
    await change({ role: 'frontdesk' })
    assert.equal((await vera.get(units)).status, 200)
    await change({ language: 'de' })
    assert.equal((await vera.get(units)).status, 200)
  })

  it('are ended for a person by those who have all the rights of that person', async () => {
    await staff.add('Leo', 'frontdesk', { scopes: ['accounts.read', 'accounts.write'] })
    const leo = browserAt(staff.house)
    assert.equal((await leo.signIn('Leo', { password })).status, 201)
    const { id } = await staff.ida.session()
    const refused = await leo.ask('DELETE', `/api/config/v1/sessions/${id}`)
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'scope-required'])
    assert.equal((await staff.ida.session()).attributes.role, 'admin')
  })

  it('is listed to its own person, who ends it; an administrator ends any', async () => {
    const [one, other] = [await ana(), await ana()]
    const listed = (await one.get('/api/v2/sessions')).body.data
    assert.equal(
      listed.filter(({ attributes }: { attributes: { current: boolean } }) => attributes.current).length,
      1,
    )
    const id = (await other.session()).id
    assert.equal((await one.ask('DELETE', `/api/v2/sessions/${id}`)).status, 204)
    assert.equal((await other.get(units)).status, 401)
    await staff.ida.signIn('Ida', { password })
    const idas = (await staff.ida.session()).id
    assert.equal((await one.ask('DELETE', `/api/v2/sessions/${idas}`)).status, 404)
    assert.equal((await one.get('/api/config/v1/sessions')).status, 403)
    const anas = (await one.session()).id
    const all = await staff.ida.get(`/api/config/v1/sessions?filter[accountId]=${anaId}`)
    assert.ok(all.body.data.some((each: { id: string }) => each.id === anas))
    await staff.ida.act('reauthenticate', { password })
    assert.equal((await staff.ida.ask('DELETE', `/api/config/v1/sessions/${anas}`)).status, 204)
    assert.equal((await one.get(units)).status, 401)
  })

  it('asks again for the password before what is dangerous, five minutes after it was entered', async () => {
    const { ida } = staff
    await ida.signIn('Ida', { password })
    const make = () => ida.post('/api/config/v1/tokens', { name: 'T', role: 'kiosk' })
    assert.equal((await make()).status, 201)
    staff.house.clock.advance(5 * minute - 1_000)
    assert.equal((await ida.get('/api/config/v1/tokens')).status, 200)
    staff.house.clock.advance(1_000)
    const refused = await make()
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'reauthentication-required'])
    assert.deepEqual(refused.body.errors[0].meta, { scope: 'tokens.write', withinSeconds: 300 })
    assert.equal((await ida.get('/api/config/v1/tokens')).status, 200)
    assert.equal(codeOf(await ida.act('reauthenticate', { password: 'wrong' })), 'unauthenticated')
    assert.equal((await ida.act('reauthenticate', { password })).status, 200)
    assert.equal((await make()).status, 201)
  })

  it('has its own quotas, its own streams, and the idempotency keys of its account', async () => {
    const browser = await ana()
    const body = { firstName: 'A', lastName: 'Once' }
    const headers = { 'Idempotency-Key': 'a-reload' }
    const first = await browser.post('/api/v2/profiles', body, headers)
    await browser.signIn('Ana', { password })
    const again = await browser.post('/api/v2/profiles', body, headers)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(again.body.data.id, first.body.data.id)
    const ben = browserAt(staff.house)
    await ben.signIn('Ben', { password })
    const stream = await browser.get('/api/v2/events/stream')
    assert.match(stream.text, /^retry: /)
    const event = await browser.get(`/api/v2/events?filter[subject]=profiles/${first.body.data.id}`)
    assert.deepEqual(event.body.data[0].attributes.event.data.by, { id: anaId, name: 'Ana' })
  })
})
