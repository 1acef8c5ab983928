import assert from 'node:assert/strict'
import { it } from 'node:test'
import { drivers } from '../../src/composition/drivers.ts'
import { startAppliance } from '../appliance.ts'
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
  const refused = async (path: string) => {
    const { status, body } = await house.ask('POST', probe, { body: { path } })
    return [status, body.errors[0].source.pointer, body.errors[0].detail]
  }
  assert.deepEqual(await refused('simulated:encoder'), [
    422,
    '/data/attributes/path',
    'Lobby kiosk already uses simulated:encoder.',
  ])
  assert.equal((await refused('nowhere'))[0], 422)
  const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'Desk', role: 'frontdesk' } })
  const body = { path: 'simulated:terminal' }
  assert.equal((await house.ask('POST', probe, { body, token: made.body.meta.token })).status, 403)
})
