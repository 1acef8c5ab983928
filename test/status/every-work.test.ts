import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { temporaryPair } from '../../src/certificate/certificates.ts'
import { lateAfterMs, type WorkName } from '../../src/host/background-work.ts'
import { messages } from '../../src/jsonapi/locales/message.ts'
import type { TestAppliance } from '../appliance.ts'
import { folderFor } from '../backup/recovery.ts'
import { machine, type SecuredHouse, securedHouse } from '../certificate/secured-house.ts'
import { receiver } from '../events/receiver.ts'
import { eventually, openLinkedHouse } from '../pms/sync/linked-house.ts'
import { stoppableClock, type TestClock } from '../test-clock.ts'

interface Shown {
  componentId: WorkName
  status: string
  observedValue: number
  messages: { code: string; text: string }[]
}

/** What the status says of all background work. */
async function shown({ ask }: TestAppliance): Promise<Shown[]> {
  return (await ask('GET', '/api/v2/status')).body.data.attributes.checks['program:work']
}

/** What it says of one work over TLS. */
async function securelyShown(house: SecuredHouse, name: WorkName): Promise<Shown[]> {
  const { body } = await house.over('GET', '/api/v2/status')
  const all: Shown[] = body.data.attributes.checks['program:work']
  return all.filter(({ componentId }) => componentId === name)
}

/** Expects a warning of each work that does not go on, exactly when its time is over. Returns the names of all. */
async function lateOneAfterTheOther(clock: TestClock, read: () => Promise<Shown[]>): Promise<Set<WorkName>> {
  const first = await read()
  for (const { componentId, status } of first) assert.equal(status, 'pass', componentId)
  const names = new Set(first.map(({ componentId }) => componentId))
  const began = clock.monotonic()
  const steps = [...new Set([...names].map((name) => lateAfterMs[name]))].sort((one, other) => one - other)
  for (const step of steps) {
    clock.advance(began + step + 60_000 - clock.monotonic())
    const late = (await read()).filter(({ status }) => status === 'warn')
    const over = [...names].filter((name) => lateAfterMs[name] <= step)
    assert.deepEqual(new Set(late.map(({ componentId }) => componentId)), new Set(over), `after ${step} ms`)
    for (const { componentId, messages: said, observedValue } of late) {
      const [sentence, remedy] = said
      assert.deepEqual([sentence?.code, remedy?.code], [`late-${componentId}`, 'late-remedy'])
      const [before = ''] = messages()[`late-${componentId}`].en.split('{time}')
      assert.ok(sentence?.text.startsWith(before) && !sentence.text.includes('{'), `${sentence?.text}`)
      assert.ok(observedValue * 1_000 >= lateAfterMs[componentId])
    }
  }
  return names
}

async function simulate(house: TestAppliance, does: 'plug' | 'unplug'): Promise<void> {
  const path = '/api/config/v1/simulated-devices/encoder/actions/act'
  assert.equal((await house.ask('POST', path, { body: { does } })).status, 200)
}

describe('everything that the box does without being asked', () => {
  const seen = new Set<WorkName>()

  it('is in the status with its sentence when it has not succeeded in its time', async (t) => {
    const run = folderFor(t)
    for (const each of ['nightporter', 'nightporter-box']) mkdirSync(join(run, each))
    process.env.RUNTIME_DIRECTORY = join(run, 'nightporter')
    t.after(() => delete process.env.RUNTIME_DIRECTORY)
    const clock = stoppableClock()
    const house = await openLinkedHouse({ clock })
    t.after(() => house.stop())
    const { unitTypeId } = await house.rooms(3)
    const hook = await receiver()
    t.after(hook.close)
    await house.make('/api/config/v1/webhooks', { url: hook.url, types: ['*'] })
    await house.during(clock.sleep(10_000))
    // The recorder has serialized it after 0.2 s, and writes after a second.
    await simulate(house, 'unplug')
    await clock.during(clock.sleep(500), 0)
    clock.stop()
    // Work that is begun by events is due from the first one.
    for (let times = 0; times < 2; times++) await house.stay({ units: [{ unitTypeId }] })
    const never = () => new Promise<never>(() => {})
    house.pms.next('push', never)
    const pushed = house.ask('POST', `${house.configuration}/actions/push`)
    await eventually('the PMS is asked', () => house.pms.mishapsLeft() === 0)
    house.pms.next('pull', never)
    house.pms.news().poke()
    for (const name of await lateOneAfterTheOther(clock, () => shown(house))) seen.add(name)
    clock.goOn()
    await pushed
    await simulate(house, 'plug')
    await house.during(clock.sleep(3_600_000))
    for (const { componentId, status } of await shown(house))
      if (componentId !== 'integrity') assert.equal(status, 'pass', `${componentId} goes on`)
  })

  it('is so for the certificate of the box itself', async (t) => {
    const clock = stoppableClock()
    const house = await securedHouse({ clock })
    t.after(() => house.stop())
    clock.stop()
    await lateOneAfterTheOther(clock, () => securelyShown(house, 'certificate'))
    seen.add('certificate')
  })

  it('is so for the files of a certificate', async (t) => {
    const clock = stoppableClock()
    const folder = folderFor(t)
    const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
    const pair = await temporaryPair(clock, () => machine)
    writeFileSync(tls.cert, pair.certificate)
    writeFileSync(tls.key, pair.key, { mode: 0o600 })
    const house = await securedHouse({ clock, tls })
    t.after(() => house.stop())
    clock.stop()
    await lateOneAfterTheOther(clock, () => securelyShown(house, 'certificate-files'))
    seen.add('certificate-files')
  })

  after(() => {
    assert.deepEqual([...seen].sort(), Object.keys(lateAfterMs).sort())
  })
})

it('is in the handbook, with the time after which it is late', () => {
  const page = readFileSync(new URL('../../src/handbook/background-work.md', import.meta.url), 'utf8')
  const units: Record<string, number> = { min: 60_000, h: 3_600_000, d: 86_400_000 }
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| (\d+) (min|h|d) \|/gm)].map(
    ([, name = '', count, unit = '']) => [name, Number(count) * units[unit]!],
  )
  assert.deepEqual(Object.fromEntries(rows), lateAfterMs)
})
