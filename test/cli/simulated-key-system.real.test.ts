import assert from 'node:assert/strict'
import { it } from 'node:test'
import fias from '../../drivers/fias/driver.ts'
import { openWire, parseAddress } from '../../src/devices/wires/wire.ts'
import { systemClock } from '../../src/host/clock.ts'
import { call, fault, grantFor, type LockUnderTest, setupBasics } from '../drivers/lock-system-bench.ts'
import { programMissing } from '../programs.ts'
import { started } from './command-line.ts'

const under = { locks: ['101', '102'], encoders: ['1', '2'], clock: systemClock } as unknown as LockUnderTest

for (const [model, where, skip] of [
  ['fias-key', 'tcp:0', false],
  ['fias-key-serial', 'pty', programMissing('socat')],
] as const)
  it(`a key system is played as ${model}`, { skip, timeout: 60_000 }, async (t) => {
    const args = ['simulate', model, '--on', where, '--misbehave', 'KR=refuse:BY', '--seed', 'a house']
    const running = await started(/^fias-key/, ...args)
    t.after(() => running.stop())
    const path = running.lines.find((line) => line.startsWith(model))!.slice(`${model} is at `.length)
    const system = fias.open({
      ...setupBasics,
      clock: systemClock,
      connection: { direction: 'connect', path },
      credentials: {},
      openWire(at, { baudRate, signal }) {
        const parsed = parseAddress(at)
        assert.ok('address' in parsed)
        return openWire(parsed.address, { clock: systemClock, baudRate, signal })
      },
    })
    t.after(() => system.close())
    await assert.rejects(system.create(grantFor(under), call()), fault('lock-system-busy', false))
    const { uid } = await system.create(grantFor(under), call())
    assert.match(uid ?? '', /^[0-9A-F]{8}$/)
    const skew = await system.clockSkew!(call())
    assert.ok(skew !== null)
  })
