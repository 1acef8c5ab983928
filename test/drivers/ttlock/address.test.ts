import assert from 'node:assert/strict'
import dns from 'node:dns'
import { describe, it, type TestContext } from 'node:test'
import driver from '../../../drivers/ttlock/driver.ts'
import { exchange } from '../../../drivers/ttlock/exchange.ts'
import { testClock } from '../../test-clock.ts'
import { call, fault, setupBasics } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'
import { pinGrant } from './house.ts'

const patient = new AbortController().signal

/** Every name leads to this address. */
function leadsTo(test: TestContext, address: string): void {
  const family = address.includes(':') ? 6 : 4
  const answer = [null, [{ address, family }]] as const
  test.mock.method(dns, 'lookup', (...asked: unknown[]) =>
    (asked.at(-1) as (...all: unknown[]) => void)(...answer),
  )
}

const ask = (url: string) => exchange({ method: 'GET', url: new URL(url), form: null }, patient)

describe('the address of a cloud', () => {
  for (const [url, address] of [
    ['https://euapi.ttlock.com', '169.254.169.254'],
    ['https://euapi.ttlock.com', '::ffff:169.254.169.254'],
    ['http://localhost:9', '203.0.113.7'],
  ] as const)
    it(`is not contacted where ${url} leads to ${address}`, async (test) => {
      leadsTo(test, address)
      const outcome = await ask(url)
      assert.ok(outcome.kind === 'none')
      assert.equal(outcome.left, false)
      assert.match(outcome.why, /is not contacted: .*(not an allowed address|must be https)/)
    })

  for (const url of ['https://169.254.169.254', 'http://203.0.113.7', 'http://cloud.example'])
    it(`is not contacted as ${url}`, async () => {
      const outcome = await ask(url)
      assert.ok(outcome.kind === 'none')
      assert.match(outcome.why, /is not contacted/)
    })

  it('is told to the desk as what is wrong with it', async (test) => {
    const clock = testClock()
    const system = driver.open({
      ...setupBasics,
      clock,
      connection: { baseUrl: 'https://169.254.169.254' },
      credentials: { clientId: 'a', clientSecret: 'b', username: 'c', password: 'd' },
      openWire: () => Promise.reject(new Error('there is no wire')),
    })
    test.after(() => system.close())
    await until(clock, () => system.state().line === 'offline')
    assert.match(system.state().fault!.message, /169\.254\.169\.254 is not an allowed address/)
    await assert.rejects(system.create(pinGrant(), call()), fault('lock-system-unreachable', false))
  })
})
