import assert from 'node:assert/strict'
import { it } from 'node:test'
import driver from '../../../drivers/ttlock/driver.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { started } from '../../cli/command-line.ts'
import { call, fault, setupBasics } from '../lock-system-bench.ts'
import { pinGrant } from './house.ts'

it('the simulated cloud is there for whoever has no account', async (test) => {
  const misbehave = ['--misbehave', 'ttlock:add=refuse:-3007', '--pace', '0']
  const running = await started(/^ttlock is at/, 'simulate', 'ttlock', '--on', 'tcp:0', ...misbehave)
  const [address] = /\/\/.+/.exec(running.lines[0]!)!
  const system = driver.open({
    ...setupBasics,
    clock: systemClock,
    connection: { baseUrl: `http:${address}`, settleMs: 0 },
    // As the driver's README tells them.
    credentials: {
      clientId: 'nightporter-client',
      clientSecret: 'nightporter-secret',
      username: 'house@example.com',
      password: 'letmein',
    },
    openWire: () => Promise.reject(new Error('there is no wire')),
  })
  test.after(async () => {
    await system.close()
    await running.stop()
  })
  const grant = pinGrant()
  await assert.rejects(system.create(grant, call()), fault('pin-unavailable', false))
  const key = await system.create(grant, call())
  assert.deepEqual(await system.find!(grant, call()), key)
  const { body } = await system.extension!('unit-list', call())
  assert.deepEqual(
    (JSON.parse(body) as { list: { lockId: number }[] }).list.map(({ lockId }) => lockId),
    [1001, 1002, 1003],
  )
})
