import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { withKey } from '../../backup/recovery.ts'
import { passTime } from '../../test-clock.ts'
import { restartAsked } from '../../update/box.ts'
import { box, toRestart } from '../../update/updating.ts'

describe('a trial', () => {
  it('says what the system wrote about the end of a trial', async (t) => {
    const own = await box(t)
    await toRestart(own)
    own.ground.startMachine()
    await own.house.restart(() => {
      own.ground.startMachine()
      writeFileSync(join(own.house.data, 'update/trial-failed'), 'The unit failed: exit status 1.\n')
    })
    const { last } = await own.until('rolled-back')
    assert.equal(last.reason, 'The system ended the trial: The unit failed: exit status 1.')
  })

  it('gives a trial up after ten minutes, with what was missing', async (t) => {
    const own = await box(t)
    await toRestart(own)
    own.ground.misbehave('mark')
    await own.startAgain()
    const { progress } = await own.until('trial')
    await passTime(30_000)
    assert.equal(progress.version, '0.7.0')
    assert.match((await own.read()).progress.missing[0], /bootctl does not answer/)
    own.ground.misbehave('')
    own.ground.setUptime(601_000)
    await passTime(30_000)
    assert.deepEqual(own.ground.slots().bad, ['B'])
    assert.equal(restartAsked(own.house.data), own.ground.bootId())
    await own.startAgain()
    assert.match((await own.until('rolled-back')).last.reason, /bootctl does not answer/)
  })

  it('is given up a little later where a guest is at a kiosk', async (t) => {
    const own = await box(t)
    const kiosk = { body: { name: 'Lobby', role: 'kiosk' } }
    const { token } = (await own.house.ask('POST', '/api/config/v1/tokens', kiosk)).body.meta
    await toRestart(own)
    own.ground.misbehave('mark')
    await own.startAgain()
    await own.until('trial')
    await own.house.ask('GET', '/api/v2/reservations?filter[confirmationNumber]=NP-1001', { token })
    own.ground.setUptime(601_000)
    await passTime(30_000)
    assert.match((await own.read()).progress.waitsFor, /a guest is at the kiosk/)
    assert.deepEqual(
      [own.ground.slots().bad, restartAsked(own.house.data) === own.ground.bootId()],
      [[], false],
    )
    own.ground.setUptime(631_000)
    await passTime(30_000)
    assert.equal(restartAsked(own.house.data), own.ground.bootId())
  })

  it('is confirmed by a person who knows better', async (t) => {
    const own = await box(t)
    assert.equal((await own.act('confirm')).body.errors[0].code, 'update-refused')
    await toRestart(own)
    own.ground.misbehave('mark')
    await own.startAgain()
    await own.until('trial')
    own.ground.misbehave('')
    assert.equal((await own.act('confirm')).status, 200)
    assert.equal((await own.read()).last.result, 'confirmed')
    assert.equal(own.ground.slots().default, 'B')
  })
})

describe('what a box does by itself', () => {
  /** 03:00 in Lisbon. */
  const night = Date.UTC(2026, 5, 2, 2)
  const security = { security: true }

  it('installs a security update at night, and no other', async (t) => {
    const own = await box(t, { now: night })
    withKey(own.house.data)
    await passTime(20 * 60_000)
    const { available, progress } = await own.read()
    assert.deepEqual([available.version, progress], ['0.7.0', null])
    own.source.publish('0.7.1', security)
    await own.act('check')
    await own.until('restarting')
  })

  it('waits for the quiet hours', async (t) => {
    const own = await box(t, {}, security)
    withKey(own.house.data)
    await own.act('check')
    await passTime(60_000)
    assert.equal((await own.read()).progress, null)
    await own.act('install', { when: 'window' })
    await own.until('installed')
    await passTime(30_000)
    assert.match((await own.read()).progress.waitsFor, /quiet hours, 02:00 to 05:00/)
    assert.equal(restartAsked(own.house.data), null)
    own.house.clock.set(night)
    await own.until('restarting')
  })

  it('waits while it is put off, and for its turn in the roll-out', async (t) => {
    const own = await box(t, { now: night }, security)
    withKey(own.house.data)
    assert.notEqual((await own.act('hold', { days: 1 })).body.data.attributes.heldUntil, null)
    await own.act('check')
    await passTime(60_000)
    assert.equal((await own.read()).progress, null)
    own.source.publish('0.7.1', { ...security, rollout: [{ percent: 0, from: '2026-01-01T00:00:00Z' }] })
    const { available } = (await own.act('check')).body.data.attributes
    await own.act('hold', { days: 0 })
    assert.deepEqual([available.percentOfBoxes, available.isOurTurn], [0, false])
    await passTime(60_000)
    assert.equal((await own.read()).progress, null)
  })

  it('does not try a version again that was taken back', async (t) => {
    const own = await box(t, { now: night }, security)
    await toRestart(own)
    own.ground.startMachine()
    await own.startAgain()
    await own.until('rolled-back')
    await own.act('check')
    await passTime(60_000)
    assert.equal((await own.read()).progress, null)
  })

  it('confirms a version that was installed without it', async (t) => {
    const own = await box(t)
    own.ground.keep({ oneShot: 'B' })
    own.ground.misbehave('slow')
    await own.startAgain()
    await passTime(30_000)
    assert.equal(own.ground.slots().default, 'B')
    assert.equal((await own.read()).last, null)
  })

  it('restarts only when no guest is at a kiosk', async (t) => {
    const own = await box(t)
    const made = await own.house.ask('POST', '/api/config/v1/tokens', {
      body: { name: 'Lobby', role: 'kiosk' },
    })
    const token = made.body.meta.token
    await own.house.ask('GET', '/api/v2/reservations?filter[confirmationNumber]=NP-1001', { token })
    await own.act('install', { withoutBackup: true })
    await own.until('installed')
    assert.match((await own.read()).progress.waitsFor, /a guest is at the kiosk/)
    own.house.clock.advance(181_000)
    await own.until('restarting')
  })
})
