import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import driver from '../../../drivers/industry-standard/driver.ts'
import type { OnlineLockSystem } from '../../../src/devices/lock-system.ts'
import { openWire, parseAddress } from '../../../src/devices/wires/wire.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { started } from '../../cli/command-line.ts'
import { call, fault, grantFor, type LockUnderTest, setupBasics } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'
import { noSocat } from './serial-line.ts'

const clock = systemClock
const under = { clock, locks: ['201', '202'], encoders: ['1', '2'] } as unknown as LockUnderTest

async function simulated(test: TestContext, on: string, ...args: string[]): Promise<OnlineLockSystem> {
  const ready = /^industry-standard is at (.*)/
  const running = await started(ready, 'simulate', 'industry-standard', '--on', on, '--pace', '0', ...args)
  test.after(() => running.stop())
  const [, path = ''] = ready.exec(running.lines.at(-1)!)!
  const parsed = parseAddress(path)
  assert.ok('address' in parsed)
  const system = driver.open({
    ...setupBasics,
    clock,
    connection: { path, patience: 10 },
    credentials: {},
    openWire: (_path, { baudRate, signal }) => openWire(parsed.address, { clock, baudRate, signal }),
  })
  test.after(() => system.close())
  await until(clock, () => system.state().line === 'online')
  return system
}

for (const on of ['tcp:0', 'pty'])
  it(`makes, reads and checks out with what the command line simulates on ${on}`, {
    skip: on === 'pty' && noSocat,
  }, async (test) => {
    const system = await simulated(test, on, '--seed', 'a house')
    const asked = grantFor(under)
    const key = await system.create(asked, call())
    assert.match(key.uid ?? '', /^04[0-9A-F]{12}$/)
    assert.deepEqual((await system.read!('1', call())).found?.locks, ['201'])
    await system.revoke!({ ...key, grant: asked }, call())
    assert.match((await system.read!('1', call())).remarks.join(), /checked out/)
  })

it('misbehaves as the command line says', async (test) => {
  const system = await simulated(test, 'tcp:0', '--misbehave', 'industry-standard:CN=refuse:OS')
  await assert.rejects(system.create(grantFor(under), call()), fault('lock-system-rejected', false))
  await system.create(grantFor(under), call())
})
