import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startAppliance } from '../../appliance.ts'
import { withKey } from '../../backup/recovery.ts'
import { monday } from '../../test-clock.ts'
import { publisher, restartAsked } from '../../update/box.ts'
import { box, path, toRestart } from '../../update/updating.ts'

describe('an update', () => {
  it('goes into the other slot after a backup, is tried, and is kept', async (t) => {
    const own = await box(t)
    withKey(own.house.data)
    const checked = await own.act('check')
    assert.deepEqual(checked.body.data.attributes.available, {
      version: '0.7.0',
      published: new Date(monday).toISOString(),
      security: false,
      notes: 'What is new in 0.7.0.',
      bytes: own.source.asked.length && checked.body.data.attributes.available.bytes,
      percentOfBoxes: 100,
      isOurTurn: true,
    })
    assert.equal((await own.act('install')).status, 200)
    await own.until('restarting')
    const [backup] = readdirSync(join(own.house.data, 'backups'))
    assert.match(backup!, /-update\.tar\.gz\.age$/)
    assert.deepEqual(own.ground.slots().content, { A: '0.6.0', B: '0.7.0' })
    assert.equal(own.ground.slots().default, 'A')
    await own.startAgain()
    const { last, slot, progress } = await own.until('confirmed')
    assert.deepEqual([last.version, last.from, last.slot, last.reason], ['0.7.0', '0.6.0', 'B', null])
    assert.deepEqual([slot, progress, own.ground.slots().default], ['B', null, 'B'])
    const [event, ...more] = await own.events()
    assert.equal(more.length, 0)
    assert.equal(event.attributes.type, 'system.update-finished')
    // A confirmed version stays when the power fails.
    await own.startAgain()
    assert.equal((await own.read()).slot, 'B')
  })

  it('is taken back when the new version never confirms, and says why', async (t) => {
    const own = await box(t)
    await toRestart(own)
    own.ground.startMachine()
    // The new version does not even start: the machine is reset, and the old one runs again.
    await own.startAgain()
    const { last, slot } = await own.until('rolled-back')
    assert.deepEqual([slot, last.version, last.from], ['A', '0.7.0', '0.6.0'])
    assert.match(last.reason, /did not start, or the box lost its power/)
    assert.equal((await own.events()).length, 1)
    const status = await own.house.ask('GET', '/api/v2/status')
    const [check] = status.body.data.attributes.checks['update:result']
    assert.deepEqual([check.status, check.observedValue], ['warn', 'rolled-back'])
    assert.match(
      check.output,
      /^The update to version 0\.7\.0 was taken back, and 0\.6\.0 runs again with all data/,
    )
  })
})

describe('an update that is not possible', () => {
  const failing: [name: string, bundle: object, misbehave: string, says: RegExp][] = [
    ['a wrong signature', { isSigned: false }, '', /not signed for this box/],
    ['a bundle for other hardware', { compatible: 'nightporter-pi' }, '', /made for other hardware/],
    ['a full slot', {}, 'full', /No space left on device/],
    ['a boot loader that does not change over', {}, 'unarmed', /boot loader did not take the new slot/],
  ]
  it('ends with the reason, and changes nothing', async (t) => {
    const own = await box(t)
    for (const [at, [name, bundle, misbehave, says]] of failing.entries()) {
      own.source.publish(`0.7.${at + 1}`, {}, bundle)
      own.ground.misbehave(misbehave)
      await own.act('install', { withoutBackup: true })
      const { last, slot } = await own.until('failed')
      assert.match(last.reason, says, name)
      assert.deepEqual([slot, own.ground.slots().default, own.ground.slots().oneShot], ['A', 'A', null], name)
      assert.equal(restartAsked(own.house.data), null)
    }
    assert.equal((await own.events()).length, failing.length)
  })

  it('ends when no backup can be made, unless the person goes without', async (t) => {
    const own = await box(t)
    await own.act('install')
    const { last } = await own.until('failed')
    assert.match(last.reason, /^No backup could be made before the update/)
  })

  it('goes on with a bundle that was cut off on the way', async (t) => {
    const own = await box(t)
    own.source.cut(20_000)
    await own.act('install', { withoutBackup: true })
    assert.match((await own.until('failed')).last.reason, /was cut/)
    own.source.cut(null)
    await own.act('install', { withoutBackup: true })
    await own.until('restarting')
    assert.ok(own.source.asked.some((each) => /\.raucb bytes=\d{4,}-$/.test(each)))
  })

  it('says what to do where no image runs', async (t) => {
    const source = await publisher(monday)
    source.publish('0.7.0')
    const house = await startAppliance({ update: source.settings() })
    t.after(async () => {
      await house.stop()
      await source.close()
    })
    const refused = await house.ask('POST', `${path}/actions/install`)
    assert.equal(refused.status, 409)
    assert.match(refused.body.errors[0].detail, /replace the folder of the program/)
    const { isImage, available } = (await house.ask('GET', path)).body.data.attributes
    assert.deepEqual([isImage, available], [false, null])
  })
})
