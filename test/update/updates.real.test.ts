import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { backgroundWork } from '../../src/host/background-work.ts'
import { createLog } from '../../src/host/log.ts'
import type { Message } from '../../src/jsonapi/locales/message.ts'
import { noteFailedStart } from '../../src/update/failed-start.ts'
import { bootId } from '../../src/update/open-updates.ts'
import { isOnUsb } from '../../src/update/trial.ts'
import type { UpdateOptions } from '../../src/update/update-box.ts'
import { defaultUpdateSettings, type UpdateSettings } from '../../src/update/update-settings.ts'
import { type KnownDevice, updateFiles } from '../../src/update/update-state.ts'
import { Updates } from '../../src/update/updates.ts'
import { startAppliance } from '../appliance.ts'
import { monday, testClock } from '../test-clock.ts'
import { publisher, restartAsked, simulatedGround } from './box.ts'

const encoder: KnownDevice = { id: 'e', name: 'Encoder', usb: '1A86:7523' }

/** The updates of a box without the rest of the program: one device, no guests. */
async function parts(t: TestContext, settings: Partial<UpdateSettings> = {}) {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-updates-'))
  const ground = simulatedGround(join(data, 'slots'))
  const source = await publisher(monday)
  const clock = testClock({ always: false })
  writeFileSync(join(source.folder, 'readyz'), '{}')
  source.publish('0.7.0')
  const noted: object[] = []
  const failures: unknown[] = []
  const world = { isOnline: true, isPluggedIn: true, cards: 0, freeBytes: 1e12, hasKey: true }
  const options: UpdateOptions = {
    ...ground.ground,
    files: updateFiles(join(data, 'update')),
    settings: { ...defaultUpdateSettings, ...source.settings(settings) },
    version: '0.6.0',
    clock,
    zone: () => 'Europe/Lisbon',
    boxId: () => 'box',
    backups: {
      isUnderWay: () => false,
      make: async (reason) => {
        if (!world.hasKey) throw new Error('There is no recovery key.')
        return { id: reason, name: reason, reason, takenAt: 0, bytes: 0 }
      },
    },
    freeBytes: async () => world.freeBytes,
    bustle: { cards: () => world.cards, kioskAt: () => null },
    devices: async () => [encoder],
    trial: {
      clock,
      address: () => source.url,
      isOnline: () => world.isOnline,
      isPluggedIn: () => world.isPluggedIn,
    },
    writer: {
      async execute(_command, input) {
        noted.push(input as object)
        return null as never
      },
    },
    log: createLog({ level: 'silent', clock }),
    background: backgroundWork({ clock, failed: (error) => failures.push(error) }),
    failed: (error) => failures.push(error),
  }
  let running = new Updates(options)
  const wait = (ms: number) => clock.during(clock.sleep(ms))
  clock.standsWhile(() => running.isUnderWay())
  await clock.during(running.begin())
  t.after(async () => {
    await running.close()
    clock.retire()
    await source.close()
    rmSync(data, { recursive: true })
    assert.deepEqual(failures, [])
  })
  return {
    data,
    ground,
    source,
    noted,
    failures,
    world,
    view: () => running.view(),
    install: (more = {}) =>
      clock.during(running.install({ by: 'Ida', inWindow: false, withoutBackup: false, ...more })),
    wait,
    async until(step: string) {
      for (let look = 0; look < 100; look++) {
        const { job, last } = running.view()
        if (!running.isUnderWay() && (job?.step ?? last?.result) === step) return running.view()
        await wait(5_000)
      }
      assert.fail(`never ${step}: ${JSON.stringify(running.view())}`)
    },
    /** The program starts again, and is ended while RAUC has not answered. */
    async endAtStart() {
      await clock.during(running.close())
      running = new Updates(options)
      const begun = running.begin()
      await running.close()
      await begun
    },
    /** The program starts again, and the machine with it unless said otherwise. */
    async startAgain({ machine = true } = {}) {
      await clock.during(running.close())
      if (machine) ground.startMachine()
      running = new Updates(options)
      await clock.during(running.begin())
    },
  }
}

describe('an update', () => {
  it('waits for the card on its way, is tried in the other slot, and kept with one event', async (t) => {
    const box = await parts(t)
    box.world.cards = 1
    await box.install()
    const { waits } = await box.until('installed')
    assert.equal(waits?.code, 'update-waits-card')
    assert.equal(restartAsked(box.data), null)
    box.world.cards = 0
    await box.until('restarting')
    assert.equal(restartAsked(box.data), 'boot-1')
    assert.deepEqual(box.ground.slots().content, { A: '0.6.0', B: '0.7.0' })
    await box.startAgain()
    const { last, slot } = await box.until('confirmed')
    assert.deepEqual([last?.slot, slot, box.ground.slots().default], ['B', 'B', 'B'])
    await box.startAgain()
    await box.wait(60_000)
    const told = { result: 'confirmed', version: '0.7.0', from: '0.6.0', slot: 'B', reason: null }
    assert.equal(box.noted.length, 1)
    assert.partialDeepStrictEqual(box.noted[0], told)
  })

  it('is taken back with the device that is missing, but not for a cable that is out', async (t) => {
    const box = await parts(t)
    await box.install()
    await box.until('restarting')
    box.world.isOnline = false
    await box.startAgain()
    const { job } = await box.until('trial')
    assert.deepEqual(
      job?.missing.map(({ code }) => code),
      ['update-trial-device'],
    )
    // A start of the program alone changes nothing.
    await box.startAgain({ machine: false })
    await box.until('trial')
    box.ground.setUptime(601_000)
    await box.wait(30_000)
    assert.deepEqual([box.ground.slots().bad, restartAsked(box.data)], [['B'], 'boot-2'])
    await box.startAgain()
    const { last } = await box.until('rolled-back')
    assert.deepEqual(
      last?.reason.map(({ text }) => text),
      ['Encoder was online before the update and is not now, although it is not unplugged.'],
    )
    assert.equal(box.ground.slots().default, 'A')

    box.world.isOnline = true
    await box.install()
    await box.until('restarting')
    Object.assign(box.world, { isOnline: false, isPluggedIn: false })
    await box.startAgain()
    await box.until('confirmed')
  })

  it('is tried and kept although RAUC does not answer when the new version starts', async (t) => {
    const box = await parts(t)
    await box.install()
    await box.until('restarting')
    box.ground.misbehave('silent')
    await box.startAgain()
    await box.wait(120_000)
    assert.equal(box.view().last, null)
    await assert.rejects(box.install(), { message: /Could not connect to the service/ })
    assert.equal(box.failures.splice(0).length, 1)
    box.ground.misbehave('')
    const { last, slot } = await box.until('confirmed')
    assert.deepEqual([last?.version, slot, box.ground.slots().default], ['0.7.0', 'B', 'B'])
  })

  it('says that the new version did not start, or what the system wrote', async (t) => {
    const box = await parts(t)
    const reasons: (string | undefined)[] = []
    for (const written of [null, 'The unit failed: exit status 1.\n']) {
      await box.install()
      await box.until('restarting')
      box.ground.startMachine()
      if (written) writeFileSync(join(box.data, 'update/trial-failed'), written)
      await box.startAgain()
      reasons.push((await box.until('rolled-back')).last?.reason.map(({ text }) => text).join())
    }
    assert.match(reasons[0]!, /did not start, or the box lost its power/)
    assert.equal(reasons[1], 'The system ended the trial: The unit failed: exit status 1.')
    assert.deepEqual(
      box.noted.map((each) => (each as { result: string }).result),
      ['rolled-back', 'rolled-back'],
    )
  })

  it('says why the new version could not use its data', async (t) => {
    const box = await parts(t)
    await box.install()
    noteFailedStart(box.data, 'not yet')
    await box.until('restarting')
    box.ground.startMachine()
    noteFailedStart(box.data, 'The database is damaged.')
    await box.startAgain()
    const { last } = await box.until('rolled-back')
    assert.deepEqual(
      last?.reason.map(({ text }) => text),
      ['The new version could not use the data: The database is damaged.'],
    )
  })

  it('ends with the reason before anything runs that was not there', async (t) => {
    const box = await parts(t)
    const cases: [bundle: object, misbehave: string, code: Message['code']][] = [
      [{ isSigned: false }, '', 'update-bad-bundle'],
      [{ compatible: 'nightporter-pi' }, '', 'update-wrong-architecture'],
      [{}, 'full', 'update-rauc-failed'],
      [{}, 'unarmed', 'update-not-armed'],
    ]
    for (const [at, [bundle, misbehave, code]] of cases.entries()) {
      box.source.publish(`0.7.${at + 1}`, {}, bundle)
      box.ground.misbehave(misbehave)
      await box.install()
      assert.equal((await box.until('failed')).last?.reason[0]?.code, code)
    }
    box.ground.misbehave('')
    box.world.freeBytes = 199_000_000
    await box.install()
    const [reason] = (await box.until('failed')).last?.reason ?? []
    assert.deepEqual([reason?.code, reason?.values], ['update-disk-full', { needed: 201, free: 199 }])
    const { slots } = box.ground
    assert.deepEqual([slots().booted, slots().default, slots().oneShot], ['A', 'A', null])
    assert.equal(restartAsked(box.data), null)
  })

  it('loads a bundle once, although no backup can be made the first time', async (t) => {
    const box = await parts(t)
    box.world.hasKey = false
    await box.install()
    assert.equal((await box.until('failed')).last?.reason[0]?.code, 'update-backup')
    box.world.hasKey = true
    await box.install()
    await box.until('restarting')
    assert.equal(box.source.asked.filter((each) => each.includes('.raucb')).length, 1)
  })

  it('does not hold up the end of the program while RAUC does not answer', async (t) => {
    const box = await parts(t)
    await box.install()
    await box.until('restarting')
    box.ground.misbehave('hang')
    await box.endAtStart()
    // An end in time reports no fault of RAUC.
    assert.deepEqual(box.failures, [])
    assert.equal(box.view().job?.step, 'restarting')
    box.ground.misbehave('')
    await box.startAgain()
    await box.until('confirmed')
  })

  it('that has failed begins by itself six hours later, also after a start of the program', async (t) => {
    const box = await parts(t, { automatic: 'all', window: '00:00-23:59' })
    const files = updateFiles(join(box.data, 'update'))
    const how = {
      id: 'third',
      version: '0.7.0',
      from: '0.6.0',
      by: null,
      inWindow: true,
      withoutBackup: false,
    }
    const at = { step: 'downloading', startedAt: monday, bootId: box.ground.bootId(), starts: 3 } as const
    const rest = { source: box.source.url, bundle: null, slot: null, devices: [], missing: [] }
    files.write({ ...files.read(), job: { ...how, ...at, ...rest } })
    await box.startAgain({ machine: false })
    await box.until('failed')
    await box.wait(5 * 3_600_000)
    const { job, last } = box.view()
    assert.deepEqual([job, last?.id, last?.reason[0]?.code], [null, 'third', 'update-interrupted'])
    await box.wait(3_600_000)
    await box.until('restarting')
  })

  it('is armed again where the power failed before its restart, and given up when it fails then', async (t) => {
    const box = await parts(t)
    for (const result of ['rolled-back', 'confirmed']) {
      box.world.cards = 1
      await box.install()
      await box.until('installed')
      for (let cuts = 0; cuts < 2; cuts++) {
        // A Raspberry Pi keeps in memory that a trial is due.
        box.ground.keep({ oneShot: null })
        await box.startAgain()
        assert.equal(
          (await box.until('installed')).last?.version,
          result === 'confirmed' ? '0.7.0' : undefined,
        )
        assert.equal(box.ground.slots().oneShot, 'B')
      }
      box.world.cards = 0
      await box.until('restarting')
      // The new version panics.
      if (result === 'rolled-back') box.ground.keep({ oneShot: null })
      await box.startAgain()
      assert.equal((await box.until(result)).last?.result, result)
    }
  })

  it('is refused where the machine may not go back from it, and begins once it may', async (t) => {
    const box = await parts(t, { automatic: 'all', window: '00:00-23:59' })
    const refusal = { code: 'update-old-bootloader', values: { date: '2021-04-29' } } as const
    box.ground.refuse(refusal)
    await assert.rejects(box.install(), /bootloader in the EEPROM .* 2021-04-29/)
    await box.wait(7 * 3_600_000)
    const { job, last, problems } = box.view()
    assert.deepEqual([job, last, problems], [null, null, [refusal]])
    box.ground.refuse(null)
    await box.until('restarting')
  })

  it('goes on where a bundle was cut off', async (t) => {
    const box = await parts(t)
    box.source.cut(20_000)
    await box.install()
    assert.equal((await box.until('failed')).last?.reason[0]?.code, 'update-source-cut')
    box.source.cut(null)
    await box.install()
    await box.until('restarting')
    assert.ok(box.source.asked.some((each) => each.endsWith('.raucb bytes=20000-')))
  })
})

it('reads no more of a stick than a channel file may have', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-stick-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'channels'))
  const file = join(folder, 'channels/stable.json')
  writeFileSync(file, '')
  truncateSync(file, 1_000_000_000)
  const house = await startAppliance({ update: { folder, keys: ['of nobody'] } })
  t.after(() => house.stop())
  const { body } = await house.ask('POST', '/api/config/v1/update/actions/check')
  assert.match(body.data.attributes.problems[0], /more than 262144 bytes/)
})

it('knows the start of the machine by its unit, and without one by the kernel', () => {
  const unit = readFileSync(join(import.meta.dirname, '../../systemd/nightporter.service'), 'utf8')
  assert.match(unit, /^Environment=NIGHTPORTER_BOOT_ID=%b$/m)
  const environment = { NIGHTPORTER_BOOT_ID: 'eaca09d3dfe34b4da384abafd1bba555' }
  assert.equal(bootId(environment), 'eaca09d3-dfe3-4b4d-a384-abafd1bba555')
  assert.match(bootId({}), /^\w{8}-\w{4}-\w{4}-\w{4}-\w{12}$/)
})

it('knows a USB device without a driver, and one that is unplugged', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'nightporter-usb-'))
  t.after(() => rmSync(root, { recursive: true }))
  assert.equal(isOnUsb('1A86:7523', join(root, 'missing')), true)
  assert.equal(isOnUsb('1A86:7523', root), false)
})
