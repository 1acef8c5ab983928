import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fiasService } from '../../../../drivers/fias/service.ts'
import { keySystem } from '../../../../drivers/fias/simulator/key-system-simulator.ts'
import { pms } from '../../../../drivers/fias/simulator/pms-simulator.ts'
import type { ServiceAnswer } from '../../../../src/devices/key-service.ts'
import { openSerial } from '../../../../src/devices/wires/serial-wire.ts'
import { systemClock } from '../../../../src/host/clock.ts'
import { fiasDriver } from '../../../drivers/fias/house.ts'
import { noSocat, pty } from '../../../drivers/fias/pty.ts'
import {
  call,
  fault,
  grantFor,
  held,
  type LockUnderTest,
  setupBasics,
} from '../../../drivers/lock-system-bench.ts'
import { until } from '../../../drivers/lock-system-contract.ts'

const clock = systemClock
const under = { clock, locks: ['101', '102'], encoders: ['1', '2'] } as unknown as LockUnderTest
const openWire = (path: string, { baudRate }: { baudRate: number }) =>
  openSerial(path, { clock, baudRate, checkMs: 50 })
const options = { skip: noSocat, timeout: 60_000 }
/** Signs are awaited as long as on a real line: other tests are under way on this machine. */
const patience = 1

describe('FIAS on a serial line of the system', () => {
  it('makes and takes keys, and is used again once it is plugged in again', options, async (test) => {
    const kss = keySystem({ clock, framing: 'serial-lrc' })
    const line = await pty(test, kss.play)
    await line.plug()
    const system = fiasDriver(clock, { direction: 'connect', path: line.path, patience }, openWire)
    test.after(() => system.close())
    const asked = grantFor(under)
    const key = await system.create(asked, call())
    assert.deepEqual(
      kss.book.opens('101').map(({ uid }) => uid),
      [key.uid],
    )
    line.unplug()
    await until(clock, () => system.state().line === 'offline')
    await assert.rejects(system.revoke!(held(asked, key), call()), fault('lock-system-unreachable', false))
    await line.plug()
    await until(clock, () => system.state().line === 'online')
    await system.revoke!(held(asked, key), call())
    assert.deepEqual(kss.book.opens('101'), [])
  })

  it('gives a foreign PMS its keys, and is found again after it was gone', options, async (test) => {
    const foreign = pms({ clock, framing: 'serial-lrc' })
    const line = await pty(test, foreign.play)
    await line.plug()
    const made: ServiceAnswer = { outcome: 'done', text: null, uid: '04A1B2C3', found: null }
    const link = fiasService.open({
      name: 'PMS',
      connection: { direction: 'connect', path: line.path, patience },
      openWire,
      wallTime: () => setupBasics.wallTime(clock.now()),
      clock,
      log: () => {},
      handle: async () => made,
    })
    test.after(() => link.close())
    const order = { KC: '1', WS: 'A', KT: 'N', RN: '101', 'G#': '5', GD: '260804' }
    await until(clock, () => foreign.links === 1)
    for (const naks of [0, 1]) {
      foreign.manners.naks = naks
      const answer = await foreign.ask('KR', order, 20_000)
      assert.ok(typeof answer === 'object')
      assert.deepEqual([answer.fields.AS, answer.fields.$2], ['OK', '04A1B2C3'])
    }
    line.unplug()
    await until(clock, () => link.state().line === 'offline')
    await line.plug()
    await until(clock, () => foreign.links === 2)
  })
})
