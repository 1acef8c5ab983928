import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { attemptLimit } from '../../../src/auth/secrets/attempt-limit.ts'
import { secretHash } from '../../../src/auth/secrets/secret-hash.ts'
import { type Browser, browserAt, codeOf } from '../sessions/browser.ts'
import { accounts, passcode, password, type Staffed, staffed } from '../sessions/staffed.ts'

let staff: Staffed
before(async () => {
  staff = await staffed()
  await staff.add('Ana', 'frontdesk')
})
after(() => staff.house.stop())

const wrongAt = (browser: Browser, name = 'Ana') => browser.signIn(name, { password: 'not the right words' })

describe('Five wrong secrets', () => {
  it('make the place wait, each time twice as long, up to 15 minutes', async () => {
    const browser = browserAt(staff.house)
    for (let times = 0; times < 4; times++) assert.equal(codeOf(await wrongAt(browser)), 'unauthenticated')
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      assert.equal(codeOf(await wrongAt(browser)), 'unauthenticated')
      const waiting = await browser.signIn('Ana', { password })
      assert.deepEqual([waiting.status, waiting.headers.get('retry-after')], [429, String(seconds)])
      staff.house.clock.advance(seconds * 1_000)
    }
    assert.equal((await browser.signIn('ana', { password })).status, 201)
    assert.equal(codeOf(await wrongAt(browser)), 'unauthenticated')
  })

  it('at one place do not lock the account at another', async () => {
    const desk = await staff.station('Desk')
    for (let times = 0; times < 5; times++)
      assert.equal(codeOf(await desk.signIn('Ana', { passcode: '000001' })), 'unauthenticated')
    assert.equal(codeOf(await desk.signIn('Ana', { passcode })), 'rate-limited')
    assert.equal((await browserAt(staff.house).signIn('Ana', { password })).status, 201)
    assert.equal((await desk.signIn('Ida', { password })).status, 201)
  })

  it('are counted for a stranger as for an account', async () => {
    const browser = browserAt(staff.house)
    const answers = []
    for (let times = 0; times < 6; times++) answers.push(codeOf(await wrongAt(browser, 'Nobody')))
    assert.deepEqual(answers, [...Array(5).fill('unauthenticated'), 'rate-limited'])
  })
})

describe('Attempts', () => {
  it('do not count when they were not checked', () => {
    const limit = attemptLimit(() => 0)
    for (let times = 0; times < 20; times++) limit.begin('Ana')()
    for (let times = 0; times < 5; times++) limit.begin('Ana')
    assert.throws(() => limit.begin('Ana'), /Try again in 30 s/)
  })

  it('are not forgotten for the names of strangers, however many there are', () => {
    const limit = attemptLimit(() => 0)
    for (let times = 0; times < 5; times++) limit.begin('Ana')
    for (let stranger = 0; stranger < 3_000; stranger++) limit.begin(`Guest ${stranger}`, true)
    assert.throws(() => limit.begin('Ana'), /Try again in 30 s/)
  })
})

describe('A new password', () => {
  /** Asks for it with a fresh code, and returns the reason of the refusal. */
  async function reasonFor(newPassword: string, name = 'Maria Gonzaga') {
    await staff.ida.signIn('Ida', { password })
    const made = await staff.ida.post(accounts, { name, role: 'frontdesk' })
    const { code } = made.body.meta
    const reply = await browserAt(staff.house).act('redeem-code', { account: name, code, newPassword })
    await staff.ida.ask('DELETE', `${accounts}/${made.body.data.id}`)
    return reply.status === 201 ? 'accepted' : reply.body.errors[0].meta?.reason
  }

  it('has 15 characters at least, of any kind', async () => {
    assert.equal(await reasonFor('velvet kettle1'), 'too-short')
    assert.equal(await reasonFor('velvet kettle12'), 'accepted')
    assert.equal(await reasonFor('ça va être long à dire'), 'accepted')
  })

  it('is none that is tried first', async () => {
    for (const each of [
      'passwordpassword',
      'Password12345678',
      'P4ssw0rd!P4ssw0rd!',
      'qwertyuiopasdfghjkl',
      '123456789012345678',
      'aaaaaaaaaaaaaaaaaa',
      'abcabcabcabcabcabc',
      'welcome to the hotel 2026',
      'mariagonzaga12345',
    ])
      assert.equal(await reasonFor(each), 'common', each)
  })

  it('is set with the one-time code, which counts once and for three days', async () => {
    await staff.ida.signIn('Ida', { password })
    const made = await staff.ida.post(accounts, { name: 'Rui', role: 'frontdesk' })
    const { code } = made.body.meta
    const rui = browserAt(staff.house)
    const redeem = (given: string) =>
      rui.act('redeem-code', { account: 'Rui', code: given, newPassword: password })
    assert.equal(
      codeOf(await rui.act('redeem-code', { account: 'Rui', code, newPasscode: passcode })),
      'validation-failed',
    )
    assert.equal((await redeem(code.toLowerCase().replace('-', ' '))).status, 201)
    assert.equal(codeOf(await redeem(code)), 'unauthenticated')
    const reset = await staff.ida.post(`${accounts}/${made.body.data.id}/actions/reset`)
    assert.equal((await rui.get('/api/v2/units')).status, 401)
    assert.equal(codeOf(await rui.signIn('Rui', { password })), 'unauthenticated')
    staff.house.clock.advance(3 * 86_400_000)
    assert.equal(codeOf(await redeem(reset.body.meta.code)), 'unauthenticated')
  })

  it('ends the other sessions of the account, and needs the old one', async () => {
    const [one, other] = [browserAt(staff.house), browserAt(staff.house)]
    for (const each of [one, other]) await each.signIn('Ana', { password })
    const change = (current: string, newPassword: string) =>
      one.act('change-secrets', { password: current, newPassword, newPasscode: '739164' })
    assert.equal(codeOf(await change('not the right words', 'seven sober otters wait')), 'unauthenticated')
    assert.equal((await change(password, 'seven sober otters wait')).status, 200)
    assert.equal((await one.get('/api/v2/units')).status, 200)
    assert.equal((await other.get('/api/v2/units')).status, 401)
    assert.equal((await other.signIn('Ana', { password: 'seven sober otters wait' })).status, 201)
  })
})

describe('A new passcode', () => {
  it('is none that many people choose', async () => {
    const ida = staff.ida
    await ida.signIn('Ida', { password })
    for (const newPasscode of [
      '000000',
      '123456',
      '987654',
      '121212',
      '123123',
      '112233',
      '159753',
      '246802',
    ]) {
      const refused = await ida.act('change-secrets', { password, newPasscode })
      assert.deepEqual(
        [refused.status, refused.body.errors?.[0].meta],
        [422, { reason: 'common' }],
        newPasscode,
      )
    }
  })
})

describe('Who may handle an account', () => {
  it('has all its rights, so nobody makes an administrator of himself', async () => {
    const helper = await staff.add('Helper', 'frontdesk', { scopes: ['accounts.write'] })
    const browser = browserAt(staff.house)
    await browser.signIn('Helper', { password })
    const make = (role: string) => browser.post(accounts, { name: `New ${role}`, role })
    assert.equal((await make('frontdesk')).status, 201)
    assert.equal(codeOf(await make('admin')), 'scope-required')
    const { id } = (await staff.ida.session()).attributes.account
    assert.equal(codeOf(await browser.post(`${accounts}/${id}/actions/reset`)), 'scope-required')
    const raised = await browser.ask('PATCH', `${accounts}/${helper}`, { body: { role: 'admin' } })
    assert.equal(codeOf(raised), 'scope-required')
  })

  it('does not see the secrets', async () => {
    const { text } = await staff.ida.get(accounts)
    assert.doesNotMatch(text, /argon2|nameKey|"password"|"code"/)
    const audit = await staff.ida.get('/api/config/v1/audit-entries?filter[type]=account.*&page[size]=200')
    assert.doesNotMatch(audit.text, /argon2/)
  })
})

describe('The store', () => {
  it('has slow hashes that are worth nothing without the key of the appliance', async () => {
    const db = new Database(join(staff.house.data, 'nightporter.db'), { readonly: true })
    const stored = db.prepare("SELECT password FROM account WHERE name = 'Ida'").pluck().get() as string
    db.close()
    assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(await secretHash(Buffer.alloc(32)).matches(stored, password), false)
  })
})
