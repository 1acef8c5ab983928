import assert from 'node:assert/strict'
import { it } from 'node:test'
import { drivers } from '../../src/composition/drivers.ts'
import { startAppliance } from '../appliance.ts'
import fc from '../seed.ts'
import { testClock } from '../test-clock.ts'

const probe = '/api/config/v1/connected-devices/actions/probe'

it('A device is asked what it is, without a motor that turns unless that is allowed', async (t) => {
  const house = await startAppliance({ sample: false, clock: testClock({ always: true }) })
  t.after(() => house.stop())
  const pairing = { body: { code: house.appliance.pairingCode }, token: null }
  const { token } = (await house.ask('POST', '/api/config/v1/pairing', pairing)).body.meta
  const asked = async (body: object) => {
    const reply = await house.ask('POST', probe, { body, token })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.meta as { asked: { driver: string; isThere: boolean }[]; left: string[] }
  }
  const encoder = await asked({ path: 'simulated:encoder' })
  const last = encoder.asked.at(-1)
  assert.partialDeepStrictEqual(last, { driver: 'twn4', isThere: true, problem: null })
  assert.deepEqual(encoder.left, [])
  assert.ok(
    encoder.asked.slice(0, -1).every(({ isThere }) => !isThere),
    'no other driver was answered',
  )

  const moving = drivers.filter(({ provenance, joins }) => provenance.probing === 'motor' && !joins)
  const still = await asked({ path: 'simulated:dispenser' })
  assert.deepEqual(
    still.left,
    moving.map(({ name }) => name),
  )
  assert.ok(still.asked.every(({ isThere }) => !isThere))
  const turned = await asked({ path: 'simulated:dispenser', mayMove: true })
  assert.partialDeepStrictEqual(turned.asked.at(-1), { driver: 'crt571', isThere: true })
  const nothing = await asked({ path: 'simulated:nothing-there', mayMove: true })
  assert.ok(nothing.asked.every(({ isThere }) => !isThere))
})

it('A configured device and a wrong address are not asked, nor by somebody without the right', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const refused = async (path: string, driver?: string) => {
    const { status, body } = await house.ask('POST', probe, { body: { path, driver } })
    return [status, body.errors[0].source.pointer, body.errors[0].detail]
  }
  for (const driver of [undefined, 'twn4', 'json-line'])
    assert.deepEqual(
      await refused('simulated:encoder', driver),
      [422, '/data/attributes/path', 'Lobby kiosk already uses simulated:encoder.'],
      driver ?? 'any',
    )
  const dispenser = 'simulated:dispenser'
  assert.match((await refused(dispenser, 'json-line'))[2], /already uses simulated:dispenser/)
  assert.equal((await refused('nowhere'))[0], 422)
  const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'Desk', role: 'frontdesk' } })
  const body = { path: 'simulated:terminal' }
  assert.equal((await house.ask('POST', probe, { body, token: made.body.meta.token })).status, 403)
})

it('A configuration is tried in the protocol of its driver, and the reason is said', async (t) => {
  const house = await startAppliance({ sample: false, clock: testClock({ always: true }) })
  t.after(() => house.stop())
  const pairing = { body: { code: house.appliance.pairingCode }, token: null }
  const { token } = (await house.ask('POST', '/api/config/v1/pairing', pairing)).body.meta
  const tried = async (driver: string, path: string, mayMove = true) => {
    const { status, body, text } = await house.ask('POST', probe, { body: { path, driver, mayMove }, token })
    assert.equal(status, 200, text)
    const { asked, left } = body.meta
    return [asked.map(({ isThere }: { isThere: boolean }) => isThere), left, asked[0]?.problem ?? null]
  }
  assert.deepEqual(await tried('twn4', 'simulated:encoder', false), [[true], [], null])
  assert.deepEqual(await tried('crt571', 'simulated:dispenser'), [[true], [], null])
  assert.deepEqual(await tried('crt571', 'simulated:dispenser', false), [[], ['crt571'], null])
  assert.deepEqual(await tried('json-line', 'simulated:terminal'), [[true], [], null])
  const [joining] = drivers.filter(({ joins }) => joins !== undefined)
  assert.deepEqual(await tried(joining!.name, 'simulated:dispenser'), [[], [], null], 'no line of its own')
  for (const [driver, path] of [
    ['json-line', 'simulated:encoder'],
    ['twn4', 'simulated:dispenser'],
    ['crt571', 'simulated:terminal'],
    ['json-line', 'simulated:nothing-there'],
  ] as const) {
    const [isThere, , problem] = await tried(driver, path)
    assert.deepEqual(isThere, [false], `${driver} at ${path}`)
    assert.match(problem, /no answer|not answer|no confirmation|no simulated/, `${driver} at ${path}`)
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('twn4', 'crt571', 'json-line'),
      // Discard and other low ports, at which no program of the machine listens.
      fc.integer({ min: 2, max: 20 }),
      async (driver, port) => {
        const [isThere, , problem] = await tried(driver, `tcp://127.0.0.1:${port}`)
        assert.deepEqual(isThere, [false])
        assert.match(problem, new RegExp(`127\\.0\\.0\\.1:${port}`))
      },
    ),
    { numRuns: 10 },
  )
  for (const [body, pointer] of [
    [{ driver: 'twn5', path: 'simulated:encoder' }, '/data/attributes/driver'],
    [{ driver: 'k720', path: 'hid://0416:1234' }, '/data/attributes/path'],
    [{ driver: 'json-line', path: 'nowhere' }, '/data/attributes/path'],
  ] as const) {
    const refused = await house.ask('POST', probe, { body, token })
    assert.equal(refused.status, 422, refused.text)
    assert.equal(refused.body.errors[0].source.pointer, pointer)
  }
})
