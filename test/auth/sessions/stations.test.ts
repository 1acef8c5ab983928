import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Reply } from '../../appliance.ts'
import fc from '../../seed.ts'
import { type Browser, browserAt, codeOf, sessionPath } from './browser.ts'
import { accounts, passcode, password, type Staffed, staffed, stations } from './staffed.ts'

const minute = 60_000
let staff: Staffed
before(async () => {
  staff = await staffed()
  await staff.add('Ana', 'frontdesk')
  await staff.add('Tom', 'installer')
})
after(() => staff.house.stop())

const kioskAt = async (browser: Browser) => {
  const begun = await browser.act('start-kiosk')
  assert.equal(begun.status, 201, begun.text)
}

describe('The page of a kiosk', () => {
  const asKiosk = { headers: { 'X-Kiosk': 'true' } }
  const roleAt = async (browser: Browser, options = {}) =>
    (await browser.ask('GET', sessionPath, options)).body.data.attributes.role

  const startKiosk = (browser: Browser) => browser.ask('POST', `${sessionPath}/actions/start-kiosk`, asKiosk)

  it('takes no session of a person', async () => {
    const browser = await staff.station('Lobby 9', 'kiosk')
    assert.equal((await browser.signIn('Ana', { password })).status, 201)
    assert.equal(await roleAt(browser, asKiosk), null, 'a person is no kiosk')
    const body = { account: 'Ana', password }
    const signedIn = await browser.ask('POST', sessionPath, { body, ...asKiosk })
    assert.equal(codeOf(signedIn), 'station-required')
    // As the cookie of a program that has been updated since may be.
    browser.cookies.set('np-kiosk', browser.cookies.get('np')!)
    assert.equal(await roleAt(browser, asKiosk), null)
    assert.equal((await browser.ask('GET', '/api/v2/units', asKiosk)).status, 401)
  })

  it('ends the sessions of people in its browser, and leaves a technician who comes later a session', async () => {
    const browser = await staff.station('Lobby 10', 'kiosk')
    assert.equal((await browser.signIn('Ana', { password })).status, 201)
    assert.equal((await startKiosk(browser)).status, 201)
    assert.deepEqual([await roleAt(browser), await roleAt(browser, asKiosk)], [null, 'kiosk'])
    assert.equal((await browser.signIn('Tom', { password })).status, 201)
    assert.deepEqual([await roleAt(browser), await roleAt(browser, asKiosk)], ['installer', 'kiosk'])
    const refused = await browser.ask('GET', accounts, asKiosk)
    assert.equal(codeOf(refused), 'scope-required')
    await browser.ask('DELETE', sessionPath)
    assert.deepEqual([await roleAt(browser), await roleAt(browser, asKiosk)], [null, 'kiosk'])
  })
})

describe('A kiosk whose page asks for nothing', () => {
  it('is an alarm at the desk until the page asks again, or its session has ended', async () => {
    const lobby = await staff.station('Lobby 8', 'kiosk')
    await kioskAt(lobby)
    const alarm = async () => {
      await staff.ida.signIn('Ida', { password })
      const { checks } = (await staff.ida.get('/api/v2/status')).body.data.attributes
      return checks['kiosk:page']?.[0].messages.map(({ values }: { values: object }) => values)
    }
    await lobby.get('/api/v2/status')
    assert.doesNotMatch(JSON.stringify((await alarm()) ?? []), /Lobby 8/)
    staff.house.clock.advance(3 * minute)
    assert.match(JSON.stringify(await alarm()), /Lobby 8/)
    await lobby.get('/api/v2/status')
    assert.doesNotMatch(JSON.stringify((await alarm()) ?? []), /Lobby 8/)
  })
})

describe('A passcode', () => {
  it('counts at a station only', async () => {
    const elsewhere = browserAt(staff.house)
    const refused = await elsewhere.signIn('Ana', { passcode })
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'station-required'])
    assert.equal(codeOf(await elsewhere.get(`${sessionPath}/people`)), 'station-required')
    const desk = await staff.station('Desk 1')
    assert.equal((await desk.signIn('Ana', { passcode })).status, 201)
  })

  it('does not count at a kiosk, which shows nobody', async () => {
    const lobby = await staff.station('Lobby 1', 'kiosk')
    assert.equal(codeOf(await lobby.signIn('Ana', { passcode })), 'station-required')
    assert.equal(codeOf(await lobby.get(`${sessionPath}/people`)), 'station-required')
  })

  it('of an administrator or an installer only unlocks what the password began', async () => {
    const desk = await staff.station('Desk 2')
    for (const name of ['Ida', 'Tom']) {
      const refused = await desk.signIn(name, { passcode })
      assert.equal(refused.status, 401)
      assert.deepEqual(refused.body.errors[0].meta, { reason: 'password-required' })
      assert.equal((await desk.signIn(name, { password })).status, 201)
      await desk.act('lock')
      assert.equal((await desk.act('unlock', { passcode })).status, 200)
      assert.equal((await desk.act('reauthenticate', { passcode })).status, 401)
    }
  })

  it('is asked for only where it is enough', async () => {
    const desk = await staff.station('Desk 9')
    const signsIn = async () =>
      Object.fromEntries(
        (await desk.get(`${sessionPath}/people`)).body.data.map(
          ({ attributes: { name, passcodeSignsIn } }: { attributes: Record<string, unknown> }) => [
            name,
            passcodeSignsIn,
          ],
        ),
      )
    await staff.add('Ola', 'frontdesk')
    await staff.ida.signIn('Ida', { password })
    const made = await staff.ida.post(accounts, { name: 'Pia', role: 'frontdesk' })
    const own = browserAt(staff.house)
    const { code } = made.body.meta
    const set = await own.act('redeem-code', { account: 'Pia', code, newPassword: password })
    assert.equal(set.status, 201, set.text)
    assert.partialDeepStrictEqual(await signsIn(), {
      Ana: true,
      Ola: true,
      Pia: false,
      Ida: false,
      Tom: false,
    })
    const enough = async (name: string, browser: Browser) => {
      await browser.signIn(name, { password })
      return (await browser.get(sessionPath)).body.data.attributes.passcodeFor
    }
    assert.deepEqual(await enough('Ana', desk), ['unlock', 'reauthenticate'])
    assert.deepEqual(await enough('Ida', desk), ['unlock'])
    assert.deepEqual(await enough('Pia', desk), [])
    assert.deepEqual(await enough('Ana', browserAt(staff.house)), [], 'only at a station')
    assert.deepEqual((await browserAt(staff.house).get(sessionPath)).body.data.attributes.passcodeFor, [])

    // What is listed is taken, and what is not listed is refused.
    const names = fc.constantFrom('Ana', 'Ola', 'Pia', 'Ida', 'Tom')
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom('unlock', 'reauthenticate'), async (name, action) => {
        const listed = await enough(name, desk)
        if (action === 'unlock') await desk.act('lock')
        const { status } = await desk.act(action, { passcode })
        assert.equal(status === 200, listed.includes(action), `${name} ${action}`)
        const listedToSignIn = (await signsIn())[name]
        const begun = (await desk.signIn(name, { passcode })).status === 201
        assert.equal(begun, listedToSignIn, name)
        staff.house.clock.advance(60 * minute)
      }),
      { numRuns: 12 },
    )
  })

  it('that unlocks the session of an administrator does not count for what is dangerous', async () => {
    const desk = await staff.station('Desk 5')
    await desk.signIn('Ida', { password })
    staff.house.clock.advance(5 * minute)
    assert.equal((await desk.act('unlock', { passcode })).status, 200)
    const make = () => desk.post('/api/config/v1/tokens', { name: 'T', role: 'kiosk' })
    assert.equal(codeOf(await make()), 'reauthentication-required')
    assert.equal((await desk.act('unlock', { password })).status, 200)
    assert.equal((await make()).status, 201)
    await desk.signIn('Ana', { passcode })
    staff.house.clock.advance(5 * minute)
    await desk.act('unlock', { passcode })
    const voided = await desk.ask('DELETE', '/api/v2/payments/0197c0de-0000-7000-8000-000000000001')
    assert.equal(voided.status, 404)
  })
})

describe('A browser', () => {
  it('becomes a station with a code, once and within 15 minutes', async () => {
    await staff.ida.signIn('Ida', { password })
    const { body } = await staff.ida.post(stations, { name: 'Desk 3' })
    const again = await staff.ida.post(`${stations}/${body.data.id}/actions/enrolment-code`)
    const stranger = browserAt(staff.house)
    assert.equal(codeOf(await stranger.act('enrol-station', { code: body.meta.code })), 'unauthenticated')
    const { code } = again.body.meta
    assert.equal(
      (await stranger.act('enrol-station', { code: `${code.slice(0, 4)} ${code.slice(4)}` })).status,
      200,
    )
    assert.match(
      stranger.setCookies.join(),
      /^np-station=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000$/,
    )
    assert.equal(codeOf(await browserAt(staff.house).act('enrol-station', { code })), 'unauthenticated')
    const late = await staff.ida.post(`${stations}/${body.data.id}/actions/enrolment-code`)
    staff.house.clock.advance(15 * minute)
    const { code: ended } = late.body.meta
    assert.equal(
      codeOf(await browserAt(staff.house).act('enrol-station', { code: ended })),
      'unauthenticated',
    )
  })

  it('becomes one without a code only for somebody who may set up', async () => {
    const tom = browserAt(staff.house)
    await tom.signIn('Tom', { password })
    const enrolled = await tom.act('enrol-station', { name: 'Workshop', idleMinutes: 1 })
    assert.equal(enrolled.body.data.attributes.station.name, 'Workshop')
    await tom.signIn('Tom', { password })
    staff.house.clock.advance(minute)
    assert.equal((await tom.session()).attributes.locked, true)
    const ana = browserAt(staff.house)
    assert.equal(codeOf(await ana.act('enrol-station', { name: 'Mine' })), 'unauthenticated')
    await ana.signIn('Ana', { password })
    assert.equal(codeOf(await ana.act('enrol-station', { name: 'Mine' })), 'scope-required')
  })

  it('is made a kiosk only by somebody who has the rights of a kiosk', async () => {
    const tom = browserAt(staff.house)
    await tom.signIn('Tom', { password })
    const made = await tom.post(stations, { name: 'Lobby 20', kind: 'kiosk' })
    assert.equal(codeOf(made), 'scope-required', made.text)
    assert.match(made.body.errors[0].detail, /^A kiosk can only be set up by somebody who has all its scopes/)
    assert.equal(
      codeOf(await tom.act('enrol-station', { name: 'Lobby 20', kind: 'kiosk' })),
      'scope-required',
    )
    const desk = await tom.post(stations, { name: 'Desk 20' })
    assert.equal(desk.status, 201, desk.text)
    const path = `${stations}/${desk.body.data.id}`
    assert.equal(codeOf(await tom.ask('PATCH', path, { body: { kind: 'kiosk' } })), 'scope-required')
    assert.equal((await tom.ask('PATCH', path, { body: { idleMinutes: 3 } })).status, 204)
    await staff.ida.signIn('Ida', { password })
    const kiosk = await staff.ida.post(stations, { name: 'Lobby 20', kind: 'kiosk' })
    const code = `${stations}/${kiosk.body.data.id}/actions/enrolment-code`
    assert.equal(codeOf(await tom.post(code)), 'scope-required')
    assert.equal((await staff.ida.post(code)).status, 200)
  })

  it('ends the sessions of people in it when it becomes a station', async () => {
    const page = { headers: { 'X-Kiosk': 'true' } }
    await staff.ida.signIn('Ida', { password })
    const { body } = await staff.ida.post(stations, { name: 'Lobby 11', kind: 'kiosk' })
    const ways: [name: string, enrol: (browser: Browser) => Promise<Reply>][] = [
      ['by the name', (browser) => browser.act('enrol-station', { name: 'Lobby 12', kind: 'kiosk' })],
      [
        'by a code on the page of the kiosk',
        (browser) =>
          browser.ask('POST', `${sessionPath}/actions/enrol-station`, {
            body: { code: body.meta.code },
            ...page,
          }),
      ],
    ]
    for (const [name, enrol] of ways) {
      const browser = browserAt(staff.house)
      await browser.signIn('Ida', { password })
      assert.equal((await browser.get('/api/config/v1/tokens')).status, 200, name)
      const enrolled = await enrol(browser)
      assert.equal(enrolled.status, 200, enrolled.text)
      assert.equal(enrolled.body.data.attributes.role, null, name)
      assert.equal((await browser.get('/api/config/v1/tokens')).status, 401, name)
      assert.equal((await browser.ask('POST', `${sessionPath}/actions/start-kiosk`, page)).status, 201, name)
      assert.equal((await browser.get('/api/config/v1/tokens')).status, 401, name)
    }
  })

  it('gets the cookie of its station anew at every sign-in, before a browser forgets it', async () => {
    const desk = await staff.station('Desk 6')
    const kept = desk.cookies.get('np-station')
    await desk.signIn('Ana', { passcode })
    assert.ok(desk.setCookies.some((each) => each.startsWith(`np-station=${kept};`)))
    const lobby = await staff.station('Lobby 6', 'kiosk')
    await kioskAt(lobby)
    assert.ok(lobby.setCookies.some((each) => /^np-station=.*Max-Age=34560000$/.test(each)))
  })

  it('is no station any more when it is revoked', async () => {
    const desk = await staff.station('Desk 4')
    await desk.signIn('Ana', { passcode })
    assert.equal((await staff.ida.ask('DELETE', `${stations}/${desk.stationId}`)).status, 204)
    assert.equal((await desk.get('/api/v2/units')).status, 401)
    assert.equal(codeOf(await desk.signIn('Ana', { passcode })), 'station-required')
  })
})

describe('A kiosk', () => {
  it('has a session of its role that is not locked and does not end', async () => {
    const lobby = await staff.station('Lobby 2', 'kiosk')
    await kioskAt(lobby)
    for (let days = 0; days < 3; days++) {
      staff.house.clock.advance(1_440 * minute)
      const { attributes } = await lobby.session()
      assert.deepEqual([attributes.role, attributes.locked, attributes.endsAt], ['kiosk', false, null])
    }
    assert.equal((await lobby.get('/api/v2/units')).status, 200)
    assert.equal((await lobby.get('/api/config/v1/tokens')).status, 403)
    assert.equal((await lobby.act('lock')).body.data.attributes.locked, false)
  })

  it('ends when its session or its station is revoked, or is no kiosk any more', async () => {
    const lobby = await staff.station('Lobby 3', 'kiosk')
    const at = `${stations}/${lobby.stationId}`
    await staff.ida.signIn('Ida', { password })
    const revoked = async (revoke: () => Promise<{ status: number }>) => {
      await kioskAt(lobby)
      assert.equal((await lobby.get('/api/v2/units')).status, 200)
      assert.equal((await revoke()).status, 204)
      assert.equal((await lobby.get('/api/v2/units')).status, 401)
    }
    await revoked(async () =>
      staff.ida.ask('DELETE', `/api/config/v1/sessions/${(await lobby.session()).id}`),
    )
    await revoked(() => staff.ida.ask('DELETE', at))
    assert.equal(codeOf(await lobby.act('start-kiosk')), 'station-required')
    const other = await staff.station('Lobby 4', 'kiosk')
    await kioskAt(other)
    const body = { kind: 'desk' }
    await staff.ida.ask('PATCH', `${stations}/${other.stationId}`, { body })
    assert.equal((await other.get('/api/v2/units')).status, 401)
    assert.equal(codeOf(await other.act('start-kiosk')), 'station-required')
  })

  it('is named in the audit, also after it is gone', async () => {
    const lobby = await staff.station('Lobby 5', 'kiosk')
    await kioskAt(lobby)
    await staff.ida.ask('DELETE', `${stations}/${lobby.stationId}`)
    const entries = await staff.ida.get(`/api/config/v1/audit-entries?filter[by]=${lobby.stationId}`)
    assert.deepEqual(entries.body.data[0].attributes.by, { id: lobby.stationId, name: 'Lobby 5' })
  })
})
