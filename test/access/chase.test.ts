import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import ttlock from '../../drivers/ttlock/driver.ts'
import { lockDrivers } from '../../src/composition/drivers.ts'
import type { OnlineLockDriver } from '../../src/devices/driver.ts'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'
import { type PinLocks, pinLocks } from './pin-locks.ts'

/** A lock system that makes PINs, and cannot be asked which it has. */
const unasked: OnlineLockDriver = {
  ...ttlock,
  name: 'unasked',
  open(setup) {
    const system = ttlock.open(setup)
    delete system.find
    return system
  },
}

/** A lock system that answers no revocation until the test lets it. */
const answers = Promise.withResolvers<void>()
let waiting = 0
const silent: OnlineLockDriver = {
  ...ttlock,
  name: 'silent',
  open(setup) {
    const system = ttlock.open(setup)
    const { revoke } = system
    system.revoke = async (held, call) => {
      waiting++
      await answers.promise
      return revoke?.(held, call)
    }
    return system
  },
}

let house: HouseWithPins
const others: Record<string, PinLocks> = {}

before(async () => {
  house = await houseWithPins({ lockDrivers: [...lockDrivers, unasked, silent] })
  others.unasked = await pinLocks(house, ['303'], 'unasked')
  others.silent = await pinLocks(house, ['304'], 'silent')
})
after(async () => {
  answers.resolve()
  await house.stop()
  for (const { unplug } of Object.values(others)) unplug()
})

describe('a PIN in doubt', () => {
  it('stays so where the lock system cannot be asked for it', async () => {
    const { cloud } = others.unasked!
    cloud.misbehaviours.push({ at: 'add', does: 'late' })
    const lost = await makeAt('unasked', '303')
    assert.deepEqual([lost.status, lost.body.meta.outcomeUnknown], [502, true])
    house.clock.advance(40_000)
    await turnOf('unasked', '303')
    const { keyId } = lost.body.errors[0].meta
    const { status, mayOpen } = await house.key(keyId)
    assert.deepEqual([status, mayOpen], ['unknown', true])
  })
})

describe('a lock system that answers nothing', () => {
  it('holds up the keys of no other one', async () => {
    const revoked = await revokedAt('silent', '304')
    await until(
      'the silence',
      () => waiting,
      (now) => now > 0,
    )
    const other = await house.make()
    await house.ask('DELETE', `/api/v2/access/keys/${other.body.data.id}`)
    await proven(other.body.data.id)
    assert.deepEqual([waiting, (await house.key(revoked)).mayOpen], [1, true])
    answers.resolve()
    await proven(revoked)
  })
})

function makeAt(name: string, unitName: string) {
  const body = {
    type: 'pinCode',
    unitName,
    original: true,
    startDate: '2026-06-01',
    endDate: '2026-06-03',
  }
  return house.ask('POST', `/api/v2/access/controllers/${others[name]?.controllerId}/key`, { body })
}

async function revokedAt(name: string, unitName: string): Promise<string> {
  const { body } = await makeAt(name, unitName)
  await house.ask('DELETE', `/api/v2/access/keys/${body.data.id}`)
  return body.data.id
}

/** A whole turn at the lock system: what was revoked there is proven last. */
async function turnOf(name: string, unitName: string): Promise<void> {
  await proven(await revokedAt(name, unitName))
}

const proven = (id: string) =>
  until(
    'the proof',
    () => house.key(id),
    ({ proof }) => proof === 'lock-acknowledged',
  )
