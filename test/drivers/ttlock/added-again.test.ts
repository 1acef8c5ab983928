import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { opens, type SimulatedPasscode } from '../../../drivers/ttlock/simulator/simulated-cloud.ts'
import type { HeldKey, OnlineGrant } from '../../../src/devices/lock-system.ts'
import { call, fault, held } from '../lock-system-bench.ts'
import { day, type House, type HouseOptions, house, noon, pinGrant } from './house.ts'

const neverUsed = { at: 'change', does: 'refuse', code: '-3008' } as const

/** A house with a PIN whose change has deleted it, and whose addition the lock has executed without an answer. */
interface Doubt extends House {
  grant: OnlineGrant
  key: HeldKey
  list(): SimulatedPasscode[]
  isOpen(at?: number): boolean
}

async function inDoubt(test: TestContext, options: HouseOptions = {}): Promise<Doubt> {
  const made = await house(options)
  test.after(() => made.close())
  const { system, cloud } = made
  const grant = pinGrant({ label: 'np-17' })
  const key = held(grant, await system.create(grant, call()))
  cloud.misbehaviours.push(neverUsed, { at: 'add', does: 'garble', code: 'drop' })
  const to = { ...grant, validUntil: noon + 5 * day }
  await assert.rejects(system.change!(key, to, call()), fault('lock-system-timeout', true))
  const list = () => cloud.locks[0]!.list
  const isOpen = (at = noon + day) => opens(cloud, 1001, grant.pin!, at)
  assert.ok(isOpen(noon + 4 * day))
  assert.notEqual(String(list()[0]!.keyboardPwdId), key.reference)
  return { ...made, grant, key, list, isOpen }
}

/** Takes the PIN from the lock, and lets it come back as what was on its way does: after the first look at the list. */
function onItsWay({ cloud, clock, grant, list }: Doubt): void {
  const [row] = list().splice(0)
  const memory = cloud.locks[0]!.memory
  const window = memory.get(grant.pin!)!
  memory.delete(grant.pin!)
  const arrive = () => {
    list().push(row!)
    memory.set(grant.pin!, window)
  }
  const then = () => clock.setTimeout(arrive, 50)
  cloud.misbehaviours.push({ at: 'listPasscodes', does: 'pass', then })
}

describe('a PIN that was added again under a number that nobody was told', () => {
  it('opens nothing once it is taken away, by the number that it had', async (test) => {
    const doubt = await inDoubt(test)
    for (let n = 0; n < 2; n++) {
      await doubt.system.revoke!(doubt.key, call())
      assert.ok(!doubt.isOpen())
    }
    assert.deepEqual(doubt.list(), [])
  })

  it('opens nothing when it arrives while it is taken away', async (test) => {
    const doubt = await inDoubt(test, { connection: { settleMs: 200 } })
    onItsWay(doubt)
    await doubt.system.revoke!(doubt.key, call())
    await doubt.clock.sleep(1_000)
    assert.ok(!doubt.isOpen())
    assert.deepEqual(doubt.cloud.misbehaviours, [], 'it has arrived')
  })

  it('is not said to be gone by somebody who cannot wait for it', async (test) => {
    const doubt = await inDoubt(test, { connection: { settleMs: 60_000 } })
    onItsWay(doubt)
    await assert.rejects(doubt.system.revoke!(doubt.key, call(400)), fault('lock-system-retry', false))
  })

  it('is not said to be gone while the list cannot be had', async (test) => {
    const doubt = await inDoubt(test)
    doubt.cloud.misbehaviours.push({ at: 'listPasscodes', does: 'refuse', code: '90000' })
    await assert.rejects(doubt.system.revoke!(doubt.key, call()), fault('lock-system-retry', false))
  })

  it('is taken away while a command for it is in progress, and one without its name is waited for', async (test) => {
    const doubt = await inDoubt(test)
    doubt.list()[0]!.status = 6
    const other = { ...doubt.key, grant: { ...doubt.grant, label: 'np-18' } }
    await assert.rejects(doubt.system.revoke!(other, call()), fault('lock-system-retry', false))
    await doubt.system.revoke!(doubt.key, call())
    assert.ok(!doubt.isOpen())
  })

  it('is taken away by its name when its digits are not known any more', async (test) => {
    const doubt = await inDoubt(test)
    const lost = { ...doubt.key, grant: { ...doubt.grant, pin: null } }
    for (let n = 0; n < 2; n++) await doubt.system.revoke!(lost, call())
    assert.ok(!doubt.isOpen())
  })

  it('is not taken from another who has the digits, whatever its window', async (test) => {
    const doubt = await inDoubt(test)
    const { validUntil } = doubt.grant
    Object.assign(doubt.list()[0]!, { keyboardPwdName: 'np-18', endDate: validUntil })
    await doubt.system.revoke!(doubt.key, call())
    assert.ok(doubt.isOpen())
  })

  it('is deleted by its digits where the lock has it and the list has not', async (test) => {
    const doubt = await inDoubt(test)
    doubt.list().pop()
    await doubt.system.revoke!(doubt.key, call())
    const { call: last, fields } = doubt.cloud.requests.at(-1)!
    assert.deepEqual([last, fields.keyboardPwd], ['deleteByCode', doubt.grant.pin])
  })

  it('is changed to a third window', async (test) => {
    const doubt = await inDoubt(test)
    const to = { ...doubt.grant, validUntil: noon + 8 * day }
    const { reference } = await doubt.system.change!(doubt.key, to, call())
    assert.equal(reference, String(doubt.list()[0]!.keyboardPwdId))
    assert.ok(doubt.isOpen(noon + 7 * day))
    assert.equal(doubt.writes().filter((each) => each.call === 'add').length, 2)
  })

  it('is added once more when it was never used under the second number either', async (test) => {
    const doubt = await inDoubt(test)
    const second = String(doubt.list()[0]!.keyboardPwdId)
    doubt.cloud.misbehaviours.push({ ...neverUsed, skip: 1 })
    const to = { ...doubt.grant, validUntil: noon + 8 * day }
    const { reference } = await doubt.system.change!(doubt.key, to, call())
    assert.notEqual(reference, second)
    assert.equal(doubt.list().length, 1)
    assert.ok(doubt.isOpen(noon + 7 * day))
  })

  it('is left as it is when it has the wanted window already', async (test) => {
    const doubt = await inDoubt(test)
    const to = { ...doubt.grant, validUntil: noon + 5 * day }
    const before = doubt.writes().length
    const { reference } = await doubt.system.change!(doubt.key, to, call())
    assert.equal(reference, String(doubt.list()[0]!.keyboardPwdId))
    assert.equal(doubt.writes().length, before + 1)
  })

  it('is changed when it arrives while it is added once more', async (test) => {
    const doubt = await inDoubt(test)
    const [row] = doubt.list().splice(0)
    const then = () => doubt.list().push(row!)
    doubt.cloud.misbehaviours.push({ at: 'add', does: 'refuse', code: '-3007', then })
    const to = { ...doubt.grant, validUntil: noon + 8 * day }
    const { reference } = await doubt.system.change!(doubt.key, to, call())
    assert.equal(reference, String(row!.keyboardPwdId))
    assert.ok(doubt.isOpen(noon + 7 * day))
  })

  it('stays in doubt when it cannot be looked for after its deletion', async (test) => {
    const doubt = await inDoubt(test)
    doubt.list().pop()
    doubt.cloud.misbehaviours.push(
      { at: 'add', does: 'refuse', code: '-3007' },
      { at: 'listPasscodes', skip: 1, does: 'refuse', code: '90000' },
    )
    const to = { ...doubt.grant, validUntil: noon + 8 * day }
    await assert.rejects(doubt.system.change!(doubt.key, to, call()), fault('lock-system-retry', true))
  })

  it('is not changed where another has the digits', async (test) => {
    const doubt = await inDoubt(test)
    doubt.list()[0]!.keyboardPwdName = 'np-18'
    const to = { ...doubt.grant, validUntil: noon + 8 * day }
    await assert.rejects(doubt.system.change!(doubt.key, to, call()), fault('pin-unavailable', true))
    assert.ok(!doubt.isOpen(noon + 7 * day))
  })
})
