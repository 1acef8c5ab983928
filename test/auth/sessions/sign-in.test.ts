import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserAt, codeOf, sessionPath } from './browser.ts'

const password = 'velvet kettle anthem orbit'

/** Claims a new appliance as Ida, and returns her browser. */
async function claimed(house: TestAppliance) {
  const ida = browserAt(house)
  const code = house.appliance.pairingCode
  const reply = await ida.act('claim', { code, name: 'Ida', password, passcode: '628394' })
  assert.equal(reply.status, 201, reply.text)
  return ida
}

describe('A new appliance', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance({ sample: false, timeZone: 'Europe/Lisbon', country: 'PT' })
  })
  after(() => house.stop())

  it('belongs to nobody', async () => {
    const { attributes } = await browserAt(house).session()
    assert.deepEqual(
      [attributes.claimed, attributes.claimable, attributes.account, attributes.demo],
      [false, true, null, false],
    )
  })

  it('is claimed with its pairing code, once', async () => {
    const stranger = browserAt(house)
    const wrong = await stranger.act('claim', { code: '00000000', name: 'Eve', password })
    assert.equal(codeOf(wrong), 'unauthenticated')
    const ida = await claimed(house)
    const { attributes } = await ida.session()
    assert.deepEqual(
      [attributes.account.name, attributes.role, attributes.claimed, attributes.station.name],
      ['Ida', 'admin', true, 'Station 1'],
    )
    const again = await stranger.act('claim', { code: '00000000', name: 'Eve', password })
    assert.equal(codeOf(again), 'already-claimed')
  })

  it('accepts the cookie of a session for every operation that its account may do', async () => {
    const ida = browserAt(house)
    assert.equal((await ida.signIn('ida', { password })).status, 201)
    assert.equal((await ida.get('/api/v2/units')).status, 200)
    assert.equal((await ida.ask('DELETE', sessionPath)).status, 204)
    assert.equal((await ida.get('/api/v2/units')).status, 401)
  })
})

describe('The sample property', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  it('signs in its demo staff on its own machine', async () => {
    const ana = browserAt(house)
    assert.equal((await ana.act('start-demo')).status, 201)
    assert.equal((await ana.get('/api/v2/reservations')).status, 200)
    assert.equal((await ana.get('/api/config/v1/tokens')).status, 403)
    assert.equal((await ana.act('lock')).status, 200)
    assert.equal(codeOf(await ana.get('/api/v2/reservations')), 'session-locked')
    const switched = await ana.act('switch', { account: 'Ida', passcode: '482615' })
    assert.equal(switched.status, 201, switched.text)
    assert.equal((await ana.get('/api/config/v1/tokens')).status, 200)
  })

  it('says which event is the newest, so that a page follows those after it', async () => {
    const ana = browserAt(house)
    assert.equal((await ana.session()).attributes.sequence, null)
    await ana.act('start-demo')
    const { sequence } = (await ana.session()).attributes
    const { body } = await ana.get(`/api/v2/events?filter[sequence][gt]=${sequence}`)
    assert.deepEqual([body.data, body.meta.sequence], [[], sequence])
  })

  it('asks again for the secret before an override, and before a payment is voided', async () => {
    const ida = browserAt(house)
    await ida.act('start-demo', { account: 'Ida' })
    const controllers = await ida.get('/api/v2/access/controllers')
    const path = `/api/v2/access/controllers/${controllers.body.data[0].id}/key`
    const attributes = {
      type: 'keyCard',
      original: true,
      unitName: '101',
      startDate: '2026-06-01',
      endDate: '2026-06-02',
    }
    const override = () => ida.post(path, { data: { type: 'key', attributes }, meta: { confirm: true } })
    const nobody = '0197c0de-0000-7000-8000-000000000001'
    const voiding = () => ida.ask('DELETE', `/api/v2/payments/${nobody}`)
    house.clock.advance(300_000)
    for (const reply of [await override(), await voiding()])
      assert.equal(codeOf(reply), 'reauthentication-required', reply.text)
    assert.equal((await ida.act('reauthenticate', { passcode: '482615' })).status, 200)
    for (const reply of [await override(), await voiding()])
      assert.notEqual(codeOf(reply), 'reauthentication-required', reply.text)
  })

  it('refuses that from elsewhere', async () => {
    const through = await browserAt(house).post(`${sessionPath}/actions/start-demo`, undefined, {
      'X-Forwarded-For': '203.0.113.7',
    })
    assert.equal(through.status, 403)
  })
})
