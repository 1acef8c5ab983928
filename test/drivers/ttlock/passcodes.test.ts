import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import {
  opens,
  type SimulatedPasscode,
  simulatedLock,
} from '../../../drivers/ttlock/simulator/simulated-cloud.ts'
import type { OnlineGrant } from '../../../src/devices/lock-system.ts'
import { call, fault, held } from '../lock-system-bench.ts'
import { day, type House, type HouseOptions, house, nextPin, noon, pinGrant } from './house.ts'

async function at(test: TestContext, options: HouseOptions = {}): Promise<House> {
  const made = await house(options)
  test.after(() => made.close())
  return made
}

/** A row that is in the cloud's list by other means than ours. */
function row(grant: OnlineGrant, over: Partial<SimulatedPasscode> = {}): SimulatedPasscode {
  return {
    keyboardPwdId: 42,
    keyboardPwd: grant.pin!,
    keyboardPwdName: 'another',
    keyboardPwdType: 3,
    startDate: grant.validFrom,
    endDate: grant.validUntil,
    status: 1,
    ...over,
  }
}

describe('a PIN', () => {
  it('opens from its first minute to its last, at its lock alone', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant({ validFrom: noon + 1, validUntil: noon + day - 1 })
    const { reference } = await system.create(grant, call())
    assert.equal(reference, String(cloud.locks[0]!.list[0]!.keyboardPwdId))
    const moments = [noon - 1, noon, noon + day - 1, noon + day]
    assert.deepEqual(
      moments.map((moment) => opens(cloud, 1001, grant.pin!, moment)),
      [false, true, true, false],
    )
    assert.equal(opens(cloud, 1002, grant.pin!, noon + 1), false)
    assert.equal(opens(cloud, 1001, nextPin(), noon + 1), false)
  })

  it('is listed under its label, without its digits, in the length that is promised', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant({ label: `Key ${'9'.repeat(60)}` })
    await system.create(grant, call())
    await system.create(pinGrant({ pin: '68616863', label: 'PIN 68616863 of 101' }), call())
    const names = cloud.locks[0]!.list.map(({ keyboardPwdName }) => keyboardPwdName)
    assert.deepEqual(names, [grant.label.slice(0, system.traits().limits.nameLength!), 'PIN  of 101'])
  })

  const impossible: [string, Partial<OnlineGrant>][] = [
    ['a card', { keyType: 'keyCard' }],
    ['no digits', { pin: null }],
    ['three digits', { pin: '683' }],
    ['ten digits', { pin: '6862685263' }],
    ['a letter', { pin: '68a2' }],
    ['digits of another script', { pin: '٦٨٦٢' }],
    ['a zero in front', { pin: '06862' }],
    ['one digit repeated', { pin: '777777' }],
    ['digits in a row', { pin: '345678' }],
    ['digits in a row, down', { pin: '87654' }],
    ['a single use', { usage: 'OneShot' }],
    ['another lock besides', { extraLocks: ['1002'] }],
    ['a common door', { authorizations: ['Pool'] }],
    ['an encoder', { encoder: '1' }],
    ['a lock that is a name', { lock: 'Room 101' }],
    ['a lock with a zero in front', { lock: '01001' }],
    ['no time at all', { validFrom: noon, validUntil: noon }],
    ['an end before its start', { validUntil: noon - day }],
    ['no end', { validUntil: Number.POSITIVE_INFINITY }],
    ['an end that is no number', { validUntil: Number.NaN }],
  ]
  for (const [title, over] of impossible)
    it(`with ${title} is refused before anybody is asked`, async (test) => {
      const { system, cloud } = await at(test)
      assert.ok(system.grantProblem(pinGrant(over)))
      await assert.rejects(system.create(pinGrant(over), call()), fault('lock-system-rejected', false))
      assert.equal(cloud.requests.length, 0)
    })

  for (const pin of [
    '1357',
    '4826',
    '100000',
    '987123654',
    '1121',
    '1234567891'.slice(0, 9).replace('5', '0'),
  ])
    it(`${pin} is for the cloud to judge`, async (test) => {
      const { system } = await at(test)
      assert.equal(system.grantProblem(pinGrant({ pin })), null)
    })
})

describe('a PIN whose fate is not known', () => {
  it('is found when its answer was lost', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    cloud.misbehaviours.push({ at: 'add', does: 'garble', code: 'drop' })
    await assert.rejects(system.create(grant, call()), fault('lock-system-timeout', true))
    const found = await system.find!(grant, call())
    assert.deepEqual(found, { reference: String(cloud.locks[0]!.list[0]!.keyboardPwdId), uid: null })
  })

  it('is not there when its request was lost', async (test) => {
    const { system, cloud, writes } = await at(test)
    const grant = pinGrant()
    cloud.misbehaviours.push({ at: 'add', does: 'close' })
    await assert.rejects(system.create(grant, call()), fault('lock-system-timeout', true))
    assert.equal(await system.find!(grant, call()), null)
    await system.create(grant, call())
    assert.equal(writes().length, 2)
  })

  it('is looked for a second time before it is said not to be there', async (test) => {
    const { clock, system, cloud } = await at(test, { connection: { settleMs: 200 } })
    const grant = pinGrant()
    // What was on its way to the lock arrives after the first look.
    const then = () => clock.setTimeout(() => cloud.locks[0]!.list.push(row(grant)), 50)
    cloud.misbehaviours.push({ at: 'listPasscodes', does: 'pass', then })
    assert.deepEqual(await system.find!(grant, call()), { reference: '42', uid: null })
    assert.equal(cloud.requests.filter((each) => each.call === 'listPasscodes').length, 2)
  })

  it('is not said to be absent by somebody who cannot wait for it', async (test) => {
    const { system } = await at(test, { connection: { settleMs: 60_000 } })
    await assert.rejects(system.find!(pinGrant(), call(400)), fault('lock-system-retry', false))
  })

  it('stays unknown when the list cannot be had', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    cloud.misbehaviours.push({ at: 'add', does: 'garble', code: 'drop' })
    await assert.rejects(system.create(grant, call()), fault('lock-system-timeout', true))
    for (const does of ['silence', 'close'] as const) {
      cloud.misbehaviours.push({ at: 'listPasscodes', does })
      await assert.rejects(system.find!(grant, call(500)), fault('lock-system-unreachable', false))
    }
    // The second look counts as much as the first.
    cloud.locks[0]!.list = []
    cloud.misbehaviours.push({ at: 'listPasscodes', skip: 1, does: 'refuse', code: '90000' })
    await assert.rejects(system.find!(grant, call()), fault('lock-system-retry', false))
  })

  it('is not the same digits with another window, nor a name that holds them', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    cloud.locks[0]!.list.push(
      row(grant, { endDate: grant.validUntil + 60_000 }),
      row(grant, { keyboardPwd: nextPin(), keyboardPwdName: `was ${grant.pin}` }),
    )
    assert.equal(await system.find!(grant, call()), null)
    await assert.rejects(system.create(grant, call()), fault('pin-unavailable', false))
  })

  for (const [status, heard] of [
    [1, 'found'],
    [2, 'found'],
    [4, 'lock-system-retry'],
    [5, 'absent'],
    [6, 'lock-system-retry'],
    [7, 'lock-system-retry'],
    [8, 'lock-system-retry'],
    [9, 'found'],
  ] as const)
    it(`is ${heard} when the list gives it the status ${status}`, async (test) => {
      const { system, cloud } = await at(test)
      const grant = pinGrant()
      cloud.locks[0]!.list.push(row(grant, { status }))
      const asked = system.find!(grant, call())
      if (heard === 'lock-system-retry') await assert.rejects(asked, fault(heard, false))
      else assert.equal((await asked)?.reference ?? 'absent', heard === 'found' ? '42' : 'absent')
    })

  it('is found behind other pages, and not looked for behind too many', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    const others = Array.from({ length: 230 }, (_, at) =>
      row(grant, { keyboardPwdId: 1_000 + at, keyboardPwd: '9999', keyboardPwdName: `like ${grant.pin}` }),
    )
    cloud.locks[0]!.list = [...others, row(grant)]
    assert.equal((await system.find!(grant, call()))?.reference, '42')
    assert.equal(cloud.requests.filter(({ call }) => call === 'listPasscodes').length, 3)
    cloud.locks[0]!.list = Array.from({ length: 5 }, () => others).flat()
    await assert.rejects(system.find!(grant, call()), fault('lock-system-rejected', false))
  })
})

describe('a PIN that is changed', () => {
  it('opens in its new window alone', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    const key = await system.create(grant, call())
    const to = { ...grant, validFrom: noon + day, validUntil: noon + 5 * day }
    assert.deepEqual(await system.change!(held(grant, key), to, call()), key)
    assert.deepEqual(
      [noon + 1, noon + day, noon + 5 * day - 1].map((at) => opens(cloud, 1001, grant.pin!, at)),
      [false, true, true],
    )
  })

  it('is found by its window when its number is not known', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    const key = await system.create(grant, call())
    const to = { ...grant, validUntil: noon + 5 * day }
    assert.deepEqual(await system.change!({ grant, reference: null, uid: null }, to, call()), key)
    assert.equal(opens(cloud, 1001, grant.pin!, noon + 4 * day), true)
    const gone = system.change!({ grant, reference: null, uid: null }, to, call())
    await assert.rejects(gone, fault('lock-system-rejected', false))
  })

  it('is known to be changed or not after a lost answer', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    const key = await system.create(grant, call())
    const to = { ...grant, validUntil: noon + 5 * day }
    for (const [deed, isDone] of [
      [{ does: 'close' }, false],
      [{ does: 'garble', code: 'drop' }, true],
    ] as const) {
      cloud.misbehaviours.push({ at: 'change', ...deed })
      await assert.rejects(system.change!(held(grant, key), to, call()), fault('lock-system-timeout', true))
      assert.equal((await system.find!(to, call())) !== null, isDone)
    }
  })

  it('is added again with its digits when it was never used', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    const key = await system.create(grant, call())
    const to = { ...grant, validUntil: noon + 5 * day }
    cloud.misbehaviours.push({ at: 'change', does: 'refuse', code: '-3008' })
    const again = await system.change!(held(grant, key), to, call())
    assert.notEqual(again.reference, key.reference)
    assert.equal(opens(cloud, 1001, grant.pin!, noon + 4 * day), true)
    assert.equal(cloud.locks[0]!.list.length, 1)
  })

  it('that was deleted and not added is in doubt, and the repeated change adds it', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    const key = await system.create(grant, call())
    const to = { ...grant, validUntil: noon + 5 * day }
    cloud.misbehaviours.push(
      { at: 'change', does: 'refuse', code: '-3008' },
      { at: 'add', does: 'refuse', code: '-3002' },
    )
    const failed = system.change!(held(grant, key), to, call())
    await assert.rejects(failed, fault('lock-system-unreachable', true))
    assert.equal(opens(cloud, 1001, grant.pin!, noon), false)
    // The answer to the second attempt is lost after the lock has the PIN.
    cloud.misbehaviours.push({ at: 'add', does: 'garble', code: 'drop' })
    await assert.rejects(system.change!(held(grant, key), to, call()), fault('lock-system-timeout', true))
    const again = await system.change!(held(grant, key), to, call())
    assert.equal(again.reference, String(cloud.locks[0]!.list[0]!.keyboardPwdId))
    assert.equal(opens(cloud, 1001, grant.pin!, noon + 4 * day), true)
  })

  it('is left as it is where its lock cannot be reached', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    const key = await system.create(grant, call())
    cloud.misbehaviours.push(
      { at: 'change', does: 'refuse', code: '-3008' },
      { at: 'delete', does: 'refuse', code: '-3002' },
    )
    const changed = system.change!(held(grant, key), { ...grant, validUntil: noon + 5 * day }, call())
    await assert.rejects(changed, fault('lock-system-unreachable', false))
    assert.equal(opens(cloud, 1001, grant.pin!, noon), true)
  })

  it('stays at its lock and keeps its digits', async (test) => {
    const { system, cloud, writes } = await at(test)
    const grant = pinGrant()
    const key = await system.create(grant, call())
    for (const to of [
      { ...grant, lock: '1002' },
      { ...grant, pin: nextPin() },
    ])
      await assert.rejects(
        system.change!(held(grant, key), to, call()),
        fault('unsupported-operation', false),
      )
    assert.equal(system.traits().operations.move, undefined)
    assert.equal(system.traits().operations['update-unit'], undefined)
    assert.equal(writes().length, 1)
    assert.equal(cloud.locks[1]!.memory.size, 0)
  })
})

describe('a PIN that is taken away', () => {
  it('opens nothing, and may be taken away again', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    const other = pinGrant()
    const key = await system.create(grant, call())
    await system.create(other, call())
    for (let n = 0; n < 2; n++) await system.revoke!(held(grant, key), call())
    assert.deepEqual(
      [grant, other].map(({ pin }) => opens(cloud, 1001, pin!, noon + 1)),
      [false, true],
    )
    assert.equal(cloud.locks[0]!.list.length, 1)
  })

  it('is found by its digits and window when its number is not known', async (test) => {
    const { system, cloud } = await at(test)
    const grant = pinGrant()
    await system.create(grant, call())
    for (let n = 0; n < 2; n++) await system.revoke!({ grant, reference: null, uid: null }, call())
    assert.equal(cloud.locks[0]!.memory.size, 0)
    // Not in the list any more, and nobody knows what the lock still holds.
    assert.deepEqual(
      cloud.requests.flatMap(({ call, fields }) =>
        call.startsWith('delete') ? [`${call} ${fields.deleteType}`] : [],
      ),
      ['delete 2', 'deleteByCode 2'],
    )
  })

  it('is not taken from another who has the same digits', async (test) => {
    const { system, cloud, writes } = await at(test)
    const other = pinGrant()
    await system.create(other, call())
    const ours = { ...other, label: 'Key 2', validUntil: other.validUntil + day }
    await system.revoke!({ grant: ours, reference: null, uid: null }, call())
    assert.equal(opens(cloud, 1001, other.pin!, noon + 1), true)
    assert.equal(writes().length, 1)
  })

  it('is not known to be gone from a lock that the account has not any more', async (test) => {
    const { system } = await at(test)
    const at999 = { grant: pinGrant({ lock: '999' }), reference: '42', uid: null }
    await assert.rejects(system.revoke!(at999, call()), fault('unit-unknown', false))
  })

  it('still opens when the cloud alone was told: that is what type 1 is', async (test) => {
    const { cloud, system, port } = await at(test)
    const grant = pinGrant()
    await system.create(grant, call())
    const [, { fields }] = cloud.requests as [unknown, { fields: Record<string, string> }]
    const { keyboardPwdId } = cloud.locks[0]!.list[0]!
    const form = new URLSearchParams({ ...fields, keyboardPwdId: String(keyboardPwdId), deleteType: '1' })
    const answer = await fetch(`http://127.0.0.1:${port}/v3/keyboardPwd/delete`, {
      method: 'POST',
      body: form,
    })
    assert.equal(((await answer.json()) as { errcode: number }).errcode, 0)
    assert.deepEqual(cloud.locks[0]!.list, [])
    assert.equal(opens(cloud, 1001, grant.pin!, noon + 1), true)
  })
})

describe('gateways', () => {
  it('do one thing at a time, whichever locks they serve', async (test) => {
    const locks = [1, 2, 3, 4].map((lockId) => simulatedLock(lockId, lockId % 2 ? 'first' : 'second'))
    const made = await at(test, { cloud: { locks, commandMs: 20 } })
    const grants = locks.map(({ lockId }) => pinGrant({ lock: String(lockId) }))
    // The simulated gateway answers "busy" to a second command, so that nobody is refused proves the turns.
    await Promise.all(grants.map((grant) => made.system.create(grant, call())))
    assert.equal(made.writes().length, 4)
  })

  it('work beside each other when they are named', async (test) => {
    const connection = { gateways: { First: ['1001'], Second: ['1002'] } }
    const { system, cloud, writes } = await at(test, { connection })
    cloud.misbehaviours.push({ at: 'add', does: 'pass', code: 'held' })
    const stuck = system.create(pinGrant(), call())
    const behind = system.create(pinGrant(), call())
    await system.create(pinGrant({ lock: '1002' }), call())
    assert.equal(writes().length, 2, 'the one behind it waits')
    cloud.held[0]!()
    await Promise.all([stuck, behind])
  })

  it('whoever waits for one in vain has asked nothing', async (test) => {
    const { system, cloud, writes } = await at(test)
    cloud.misbehaviours.push({ at: 'add', does: 'pass', code: 'held' })
    const stuck = system.create(pinGrant(), call())
    const waiting = Array.from({ length: 10 }, () => system.create(pinGrant(), call(300)))
    const ended = await Promise.allSettled(waiting)
    for (const each of ended)
      assert.ok(each.status === 'rejected' && fault('lock-system-busy', false)(each.reason))
    cloud.held[0]!()
    await stuck
    await system.create(pinGrant(), call())
    assert.equal(writes().length, 2)
  })
})

describe('the list of locks', () => {
  it('is complete, in the cloud’s words, without what opens them', async (test) => {
    const locks = Array.from({ length: 205 }, (_, at) => simulatedLock(1_001 + at, 'first'))
    const { system, cloud } = await at(test, { cloud: { locks } })
    const { contentType, body } = await system.extension!('unit-list', call())
    const { list, total } = JSON.parse(body) as {
      list: { lockId: number; hasGateway: number }[]
      total: number
    }
    assert.equal(contentType, 'application/json')
    assert.deepEqual(
      list.map(({ lockId }) => lockId),
      locks.map(({ lockId }) => lockId),
    )
    assert.equal(total, 205)
    assert.equal(list[0]!.hasGateway, 1)
    assert.ok(!body.includes('lockData') && !body.includes('Bluetooth'))
    assert.equal(cloud.requests.filter((each) => each.call === 'listLocks').length, 3)
  })

  it('is the only extension', async (test) => {
    const { system } = await at(test)
    assert.deepEqual(
      system.traits().extensions.map(({ name }) => name),
      ['unit-list'],
    )
    await assert.rejects(system.extension!('lock-list', call()), fault('unsupported-operation', false))
  })
})
