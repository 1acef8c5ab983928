import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { cardImage } from '../../../src/simulators/devices/simulated-card.ts'
import { until } from '../../access/house-with-doors.ts'
import { pinLocks } from '../../access/pin-locks.ts'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { run } from '../../cli/command-line.ts'
import { settableClock } from '../../test-clock.ts'

describe('nightporter commission', () => {
  let house: TestAppliance
  let token = ''
  const pocket = new Map<string, object>()
  before(async () => {
    house = await startAppliance({ clock: settableClock(Date.now()) })
    const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'I', role: 'installer' } })
    token = made.body.meta.token
    house.lobby.dispenser.onTaken = (card) => pocket.set(cardImage(card).uid, cardImage(card))
  })
  after(() => house.stop())

  const commission = (...args: string[]) =>
    run('commission', '--url', house.appliance.url, '--token', token, ...args)
  const statuses = async (): Promise<string[]> =>
    (await house.ask('GET', '/api/v2/access/keys?page[size]=100')).body.data.map(
      (each: { attributes: { status: string } }) => each.attributes.status,
    )
  const outcomes = (stdout: string) =>
    [...stdout.matchAll(/^(pass|fail|skip) {2}(.+?) {2,}/gm)].map(
      ([, outcome, step]) => `${step}: ${outcome}`,
    )

  const idOf = async (name: string): Promise<string> =>
    (await house.ask('GET', '/api/config/v1/access-controllers')).body.data.find(
      (each: { attributes: { name: string } }) => each.attributes.name === name,
    ).id
  const today = (days = 0) => new Date(house.clock.now() + days * 86_400_000).toISOString().slice(0, 10)

  it('tries everything, and leaves no key and no card behind', async () => {
    const file = join(house.data, 'report.json')
    const bin = house.lobby.dispenser.bin.length
    const { code, stdout, stderr } = await commission('--unit', '101', '--door-opened', 'yes', '--json', file)
    assert.equal(code, 0, stdout + stderr)
    assert.deepEqual(outcomes(stdout), [
      'appliance: pass',
      'clock: pass',
      'desk telephone: pass',
      'controller: pass',
      'units: pass',
      'encoder: pass',
      'dispenser: pass',
      'feed: pass',
      'read: pass',
      'capture: pass',
      'write, verify, erase: pass',
      'key for the door: pass',
      'gate: pass',
      'door: pass',
      'no key left: pass',
    ])
    assert.match(stdout, /^encoder.*|pass {2}encoder .*TWN4/m)
    assert.equal(house.lobby.dispenser.bin.length, bin + 2)
    assert.equal(house.lobby.dispenser.card, null)
    assert.equal(pocket.size, 1)
    assert.deepEqual(new Set(await statuses()), new Set(['failed', 'blocked']))
    const report = JSON.parse(readFileSync(file, 'utf8'))
    assert.equal(report.passed, true)
    assert.equal(report.steps.length, 15)
  })

  it('maps the units without a lock when it is told to, and lists those it cannot map', async () => {
    for (const name of ['W-951', 'Annex']) await house.ask('POST', '/api/v2/units', { body: { name } })
    const before = await commission()
    assert.match(
      before.stdout,
      /^pass {2}units .*40 of 42 units have a lock; without a lock: Annex .*, W-951 /m,
    )
    const { code, stdout } = await commission('--map-units', '{digits}')
    assert.equal(code, 0, stdout)
    assert.match(
      stdout,
      /^pass {2}units .*41 of 42 units have a lock; mapped now: W-951 as 951; without a lock: Annex \(A lock/m,
    )
  })

  it('says what it did not try', async () => {
    const { code, stdout } = await commission('--dispenser', 'Lobby dispenser')
    assert.equal(code, 0, stdout)
    assert.match(stdout, /^skip {2}write +--unit was not given$/m)
  })

  it('leaves no key behind when the door stays shut', async () => {
    const { code, stdout } = await commission('--unit', '102', '--door-opened', 'no')
    assert.equal(code, 1)
    assert.match(stdout, /^fail {2}door .*The door of 102 stays shut\.$/m)
    assert.match(stdout, /failed: door\.$/m)
    assert.ok(!(await statuses()).includes('live'))
  })

  it('ends a key also while its card is still being made', async () => {
    const path = `/api/config/v1/access-controllers/${await idOf('Lobby kiosk')}/actions/commission-step`
    const step = (body: object) => house.ask('POST', path, { token, body })
    let ending: Promise<unknown> = Promise.resolve()
    house.lobby.encoder.pace = 50
    const then = () => {
      ending = step({ step: 'end' })
    }
    house.lobby.encoder.misbehaviours.push({ at: 'writeBlock', does: 'pass', then })
    const made = await step({ step: 'door-card', unitName: '103' })
    house.lobby.encoder.pace = 0
    assert.equal(made.status, 200, made.text)
    const { keyId } = made.body.meta
    assert.partialDeepStrictEqual(await ending, {
      status: 200,
      body: { meta: { ended: [{ keyId, ending: 'blocked' }] } },
    })
    assert.ok(!(await statuses()).includes('live'))
    const [dispenser] = (await house.ask('GET', '/api/v2/access/dispensers')).body.data
    await until(
      'the end of its card',
      async () =>
        (await house.ask('GET', `/api/v2/access/dispensers/${dispenser.id}/status`)).body.data.attributes
          .state,
      (state) => state === 'active',
    )
  })

  it('fails where a device fails, and skips what needs it', async () => {
    house.lobby.encoder.misbehaviours.push({ at: 'writeBlock', does: 'silence' })
    const { code, stdout } = await commission('--unit', '103', '--door-opened', 'yes')
    assert.equal(code, 1)
    assert.match(stdout, /^fail {2}write, verify, erase .*encoder-timeout-writing: /m)
    assert.match(stdout, /^skip {2}door +no card was made$/m)
    assert.match(stdout, /^pass {2}no key left/m)
    assert.ok(!(await statuses()).includes('live'))
  })

  it('does not take a unit in which a guest is in house', async () => {
    const found = await house.ask('GET', '/api/v2/reservations?filter[reservationIds.searchForm]=NP-1001')
    const [{ id, attributes }] = found.body.data
    const stay = `/api/v2/reservations/${id}/stays/${attributes.stays[0].id}`
    const assigned = await house.ask('POST', `${stay}/unit-assignment`)
    const { unitName } = assigned.body.data.attributes.units[0]
    assert.ok((await house.ask('PATCH', stay, { body: { status: 'InHouse' } })).status < 300)
    const { code, stdout } = await commission('--unit', unitName)
    assert.equal(code, 1)
    assert.match(stdout, /^fail {2}write, verify, erase .*unit-occupied: /m)
  })

  it('lets a simulated door decide', async () => {
    mkdirSync(join(house.data, 'pocket'), { recursive: true })
    house.lobby.dispenser.onTaken = (card) => {
      const image = cardImage(card)
      writeFileSync(join(house.data, 'pocket', `${image.uid}.json`), JSON.stringify(image))
    }
    const { code, stdout, stderr } = await commission('--unit', '104', '--data', house.data)
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /^Door 104, card \w+: opens /m)
    assert.ok(!(await statuses()).includes('live'))
  })

  it('tries an encoder on a desk, and erases the card that lies there', async () => {
    const [{ id, attributes }] = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data
    const { providerId, device } = attributes
    const desk = { name: 'Desk', providerId, device, kind: 'encoder', keyType: 'keyCard' }
    const path = '/api/config/v1/access-controllers'
    const changed = await house.ask('PATCH', `${path}/${id}`, {
      body: { kind: 'encoder', dispenserId: null },
    })
    assert.ok(changed.status < 300, changed.text)
    const made = await house.ask('POST', path, { body: desk })
    assert.equal(made.status, 201, made.text)
    const { dispenser } = house.lobby
    Object.assign(dispenser, { card: dispenser.stack.shift(), at: 'encoder' })
    const { code, stdout } = await commission('--controller', 'Desk', '--unit', '105', '--door-opened', 'yes')
    assert.equal(code, 0, stdout)
    assert.deepEqual(outcomes(stdout).slice(6), [
      'dispenser: skip',
      'read: pass',
      'write, verify, erase: pass',
      'key for the door: pass',
      'door: pass',
      'no key left: pass',
    ])
    assert.match(stdout, /its key was erased$/m)
    assert.ok(!(await statuses()).includes('live'))
  })

  it('asks whether the lock system is there that has encoders of its own', async () => {
    const { unplug } = await pinLocks(house, ['301'])
    assert.equal((await house.ask('GET', '/api/v2/status')).status, 200)
    const there = await commission('--controller', 'PINs', '--unit', '301')
    assert.equal(there.code, 0, there.stdout)
    assert.match(there.stdout, /^pass {2}encoder .*its lock system controls it, and is online$/m)
    unplug()
    const made = await house.ask('POST', `/api/v2/access/controllers/${await idOf('PINs')}/key`, {
      body: { type: 'key', unitName: '301', original: true, startDate: today(), endDate: today(1) },
    })
    assert.equal(made.status, 502, made.text)
    const away = await commission('--controller', 'PINs', '--unit', '301')
    assert.equal(away.code, 1, away.stdout)
    assert.match(away.stdout, /^fail {2}encoder .* PIN locks: .*Check the lock system/m)
    assert.doesNotMatch(away.stdout, /PIN locks: PIN locks/)
  })

  it('is not for a kiosk, and needs an appliance', async () => {
    const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'K', role: 'kiosk' } })
    const kiosk = made.body.meta.token
    const { id } = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data[0]
    const path = `/api/config/v1/access-controllers/${id}/actions/commission-step`
    const refused = await house.ask('POST', path, { token: kiosk, body: { step: 'end' } })
    assert.equal(refused.status, 403)
    const away = await run('commission', '--url', 'http://127.0.0.1:1')
    assert.equal(away.code, 1)
    assert.match(away.stdout, /^fail {2}appliance .*No appliance answers/m)
  })
})
