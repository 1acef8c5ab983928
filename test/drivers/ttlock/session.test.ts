import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { DeviceFault } from '../../../src/devices/fault.ts'
import { testClock } from '../../test-clock.ts'
import { call, fault, held } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'
import { type House, type HouseOptions, house, pinGrant } from './house.ts'

async function at(test: TestContext, options: HouseOptions = {}): Promise<House> {
  const made = await house(options)
  test.after(() => made.close())
  return made
}

/** The calls that reached the cloud; a token is told with how it was asked for. */
function asked({ cloud }: House): string[] {
  return cloud.requests.map(({ call, fields }) =>
    call === 'token' ? `token by ${fields.grant_type ?? 'password'}` : call,
  )
}

describe('the account', () => {
  it('is logged in to when somebody asks, once, with the digest of its password', async (test) => {
    const made = await at(test)
    assert.deepEqual(asked(made), [])
    await made.system.create(pinGrant(), call())
    await made.system.create(pinGrant(), call())
    assert.deepEqual(asked(made), ['token by password', 'add', 'add'])
    // The MD5 of `letmein`.
    assert.equal(made.cloud.requests[0]!.fields.password, '0d107d09f5bbe40cade3de5c71e9e9b7')
  })

  it('is not logged in to for somebody who has left', async (test) => {
    const made = await at(test)
    const asking = made.system.create(pinGrant(), call(20_000, AbortSignal.abort()))
    await assert.rejects(asking, fault('lock-system-busy', false))
    await made.system.close()
    assert.deepEqual(asked(made), [])
  })

  it('is logged in to once by many', async (test) => {
    const made = await at(test)
    const grants = Array.from({ length: 5 }, () => pinGrant())
    await Promise.all(grants.map((grant) => made.system.find!(grant, call())))
    assert.equal(asked(made).filter((each) => each === 'token by password').length, 1)
  })

  it('gets a new token when the old one is over, and asks again what was not done', async (test) => {
    const made = await at(test)
    await made.system.create(pinGrant(), call())
    made.cloud.tokens.clear()
    const grant = pinGrant()
    const key = await made.system.create(grant, call())
    await made.system.revoke!(held(grant, key), call())
    const more = ['add', 'token by refresh_token', 'add', 'delete']
    assert.deepEqual(asked(made), ['token by password', 'add', ...more])
  })

  it('shares one new token among all who meet the end of the old one', async (test) => {
    const made = await at(test)
    await made.system.create(pinGrant(), call())
    made.cloud.tokens.clear()
    const grants = Array.from({ length: 4 }, () => pinGrant())
    await Promise.all(grants.map((grant) => made.system.find!(grant, call())))
    assert.equal(asked(made).filter((each) => each.startsWith('token')).length, 2)
  })

  it('does not renew what was renewed while a refusal was on its way', async (test) => {
    const made = await at(test)
    await made.system.create(pinGrant(), call())
    made.cloud.tokens.clear()
    made.cloud.misbehaviours.push({ at: 'listPasscodes', does: 'pass', code: 'held' })
    const slow = made.system.find!(pinGrant(), call())
    await until(made.clock, () => made.cloud.held.length === 1)
    await made.system.find!(pinGrant(), call())
    made.cloud.held[0]!()
    await slow
    assert.equal(asked(made).filter((each) => each.startsWith('token')).length, 2)
  })

  it('logs in anew when the refresh token is no good either', async (test) => {
    const made = await at(test)
    await made.system.create(pinGrant(), call())
    made.cloud.tokens.clear()
    made.cloud.refreshTokens.clear()
    await made.system.create(pinGrant(), call())
    const more = ['add', 'token by refresh_token', 'token by password', 'add']
    assert.deepEqual(asked(made), ['token by password', 'add', ...more])
  })

  it('asks a second time and no third', async (test) => {
    const made = await at(test)
    for (let n = 0; n < 3; n++) made.cloud.misbehaviours.push({ at: 'add', does: 'refuse', code: '10003' })
    await assert.rejects(made.system.create(pinGrant(), call()), fault('lock-system-auth-failed', false))
    assert.equal(made.writes().length, 2)
  })

  it('does not ask again what may have been done', async (test) => {
    const made = await at(test)
    await made.system.create(pinGrant(), call())
    made.cloud.tokens.clear()
    made.cloud.misbehaviours.push({ at: 'add', skip: 1, does: 'garble', code: 'drop' })
    await assert.rejects(made.system.create(pinGrant(), call()), fault('lock-system-timeout', true))
    assert.equal(made.writes().length, 3, 'one before, one for the token, one that was lost')
  })

  it('replaces a token whose time is up before it is refused', async (test) => {
    const clock = testClock()
    const made = await at(test, { setup: { clock } })
    await made.system.create(pinGrant(), call())
    clock.set(clock.now() + 90 * 86_400_000)
    await made.system.create(pinGrant(), call())
    assert.deepEqual(asked(made), ['token by password', 'add', 'token by refresh_token', 'add'])
  })

  it('does not try a refused password over and over, and says so while the line stands', async (test) => {
    const clock = testClock()
    const made = await at(test, { password: 'wrong', setup: { clock } })
    for (let n = 0; n < 5; n++)
      await assert.rejects(made.system.create(pinGrant(), call()), fault('lock-system-auth-failed', false))
    assert.deepEqual(asked(made), ['token by password'])
    const { line, fault: why } = made.system.state()
    assert.equal(line, 'online')
    assert.ok(why instanceof DeviceFault && why.code === 'lock-system-auth-failed')
    made.cloud.password = 'wrong'
    clock.set(clock.now() + 11_000)
    await made.system.create(pinGrant(), call())
    assert.equal(made.system.state().fault, null)
  })

  it('asks the cloud no more often than it may', async (test) => {
    const clock = testClock()
    const made = await at(test, { connection: { callsPerMinute: 3 }, setup: { clock } })
    await made.system.create(pinGrant(), call())
    await made.system.create(pinGrant(), call())
    await assert.rejects(made.system.create(pinGrant(), call()), fault('lock-system-busy', false))
    assert.equal(made.cloud.requests.length, 3)
    clock.set(clock.now() + 60_000)
    await made.system.create(pinGrant(), call())
  })
})
