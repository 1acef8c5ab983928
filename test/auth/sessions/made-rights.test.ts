import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Reply } from '../../appliance.ts'
import { type Browser, browserAt, codeOf } from './browser.ts'
import { accounts, password, type Staffed, staffed, stations } from './staffed.ts'

const tokens = '/api/config/v1/tokens'
const toConfirm = '/api/config/v1/rights-to-confirm'

/** A house with a second administrator, Eva, who has made a token and a kiosk; Ida is signed in. */
async function madeByEva(t: TestContext) {
  const staff = await staffed()
  t.after(() => staff.house.stop())
  const { house, ida } = staff
  const evaId = await staff.add('Eva', 'admin')
  const eva = browserAt(house)
  await eva.signIn('Eva', { password })
  const token = await make(eva, { name: 'PMS', role: 'integrator' })
  const watch = await make(eva, { name: 'Watch', role: 'monitor' })
  const made = await eva.post(stations, { name: 'Lobby', kind: 'kiosk' })
  const kiosk = browserAt(house)
  assert.equal((await kiosk.act('enrol-station', { code: made.body.meta.code })).status, 200)
  assert.equal((await kiosk.act('start-kiosk')).status, 201)
  await ida.signIn('Ida', { password })
  return { staff, house, ida, eva, evaId, token, watch, kiosk, kioskId: String(made.body.data.id) }
}

async function make(browser: Browser, body: object) {
  const made = await browser.post(tokens, body)
  assert.equal(made.status, 201, made.text)
  return { id: String(made.body.data.id), text: String(made.body.meta.token) }
}

const asked = ({ house }: Pick<Staffed, 'house'>, { text }: { text: string }): Promise<Reply> =>
  house.ask('GET', '/api/v2/status', { token: text })
const change = (ida: Browser, id: string, body: object) => ida.ask('PATCH', `${accounts}/${id}`, { body })

/** The rights to confirm, as kind, name and reason. */
async function listed(ida: Browser): Promise<string[]> {
  const { data } = (await ida.get(`${toConfirm}?sort=name`)).body
  return data.map(({ attributes: { kind, name, reason } }: { attributes: Record<string, string> }) =>
    [kind, name, reason].join(' '),
  )
}

async function confirm(by: Browser, ida: Browser, name: string): Promise<Reply> {
  const { data } = (await ida.get(`${toConfirm}?filter[name]=${name}`)).body
  return by.ask('DELETE', `${toConfirm}/${data[0].id}`)
}

describe('What a person has made', () => {
  it('is refused once the person is disabled, and valid again when an administrator confirms it', async (t) => {
    const { staff, house, ida, evaId, token, kiosk, kioskId } = await madeByEva(t)
    assert.equal((await asked(staff, token)).status, 200)
    assert.ok((await change(ida, evaId, { disabled: true })).status < 300)

    const refused = await asked(staff, token)
    assert.equal(refused.status, 401)
    assert.match(refused.body.errors[0].detail, /^Whoever made this token has lost the rights/)
    assert.equal((await kiosk.get('/api/v2/units')).status, 401)
    assert.equal((await kiosk.session()).attributes.station, null)
    assert.equal(codeOf(await kiosk.act('start-kiosk')), 'station-required')
    assert.deepEqual(await listed(ida), ['station Lobby maker', 'token PMS maker', 'token Watch maker'])
    const { checks } = (await ida.get('/api/v2/status')).body.data.attributes
    assert.partialDeepStrictEqual(checks['rights:to-confirm'][0], { status: 'warn', observedValue: 3 })

    for (const name of ['Lobby', 'PMS']) assert.equal((await confirm(ida, ida, name)).status, 204)
    assert.equal((await asked(staff, token)).status, 200)
    assert.equal((await kiosk.act('start-kiosk')).status, 201)
    assert.deepEqual(await listed(ida), ['token Watch maker'])
    const idaId = (await ida.session()).attributes.account.id
    for (const path of [`${tokens}/${token.id}`, `${stations}/${kioskId}`])
      assert.equal((await ida.get(path)).body.data.attributes.makerId, idaId)
    // Ida answers for both now.
    assert.ok((await change(ida, evaId, { disabled: false })).status < 300)
    assert.ok((await ida.ask('DELETE', `${accounts}/${evaId}`)).status < 300)
    assert.equal((await asked(staff, token)).status, 200)
    assert.equal(house.appliance.pairingCode, null)
  })

  it('is valid again when the person is', async (t) => {
    const { staff, ida, evaId, token, kiosk } = await madeByEva(t)
    await change(ida, evaId, { disabled: true })
    await change(ida, evaId, { disabled: false })
    assert.deepEqual(await listed(ida), [])
    assert.equal((await asked(staff, token)).status, 200)
    assert.equal((await kiosk.act('start-kiosk')).status, 201)
  })

  it('stays as far as the person still has its rights', async (t) => {
    const { staff, ida, evaId, token, watch } = await madeByEva(t)
    await change(ida, evaId, { role: 'installer', scopes: ['metrics.read'] })
    assert.deepEqual(await listed(ida), ['station Lobby maker', 'token PMS maker'])
    assert.deepEqual([(await asked(staff, token)).status, (await asked(staff, watch)).status], [401, 200])
  })

  it('is refused with what it has made itself, when it is deleted', async (t) => {
    const { staff, house, ida, eva, evaId } = await madeByEva(t)
    const first = await make(eva, { name: 'First', role: 'admin' })
    const body = { name: 'Second', role: 'admin' }
    const made = await house.ask('POST', tokens, { body, token: first.text })
    const second = { id: String(made.body.data.id), text: String(made.body.meta.token) }
    const third = await house.ask('POST', tokens, { body: { ...body, name: 'Third' }, token: second.text })
    assert.equal(third.status, 201)
    assert.equal((await ida.ask('DELETE', `${tokens}/${first.id}`)).status, 204)
    assert.deepEqual(await listed(ida), ['token Second maker', 'token Third maker'])
    // Rotating it says whose it is as well.
    const rotated = await ida.post(`${tokens}/${second.id}/actions/rotate`)
    assert.equal((await asked(staff, { text: rotated.body.meta.token })).status, 200)
    assert.deepEqual(await listed(ida), ['token Third maker'])
    assert.equal((await ida.ask('DELETE', `${accounts}/${evaId}`)).status, 204)
    assert.deepEqual(await listed(ida), [
      'station Lobby maker',
      'token PMS maker',
      'token Third maker',
      'token Watch maker',
    ])
  })

  it('is confirmed by nobody who has fewer rights', async (t) => {
    const { staff, house, ida, evaId } = await madeByEva(t)
    await staff.add('Sam', 'auditor', { scopes: ['accounts.manage'] })
    const sam = browserAt(house)
    await sam.signIn('Sam', { password })
    await ida.signIn('Ida', { password })
    await change(ida, evaId, { disabled: true })
    const refused = await confirm(sam, ida, 'Lobby')
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'scope-required'])
    assert.equal((await listed(ida)).length, 3)
  })

  it('of an earlier release, or of the pairing code, is bound to nobody', async (t) => {
    const { house, ida } = await madeByEva(t)
    await house.restart()
    await ida.signIn('Ida', { password })
    assert.deepEqual(await listed(ida), [])
  })
})
