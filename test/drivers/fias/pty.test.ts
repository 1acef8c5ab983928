import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keySystem } from '../../../drivers/fias/key-system-simulator.ts'
import { pms } from '../../../drivers/fias/pms-simulator.ts'
import { fiasService } from '../../../drivers/fias/service.ts'
import type { ServiceAnswer } from '../../../src/devices/key-service.ts'
import { openSerial } from '../../../src/devices/serial-wire.ts'
import { call, fault, grantFor, held, type LockUnderTest, setupBasics } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'
import { fiasDriver } from './house.ts'
import { noSocat, pty } from './pty.ts'

const under = { locks: ['101', '102'], encoders: ['1', '2'] } as unknown as LockUnderTest
const openWire = (path: string, { baudRate }: { baudRate: number }) =>
  openSerial(path, { baudRate, checkMs: 50 })
const title = (text: string) => (noSocat ? `left out: ${text}` : text)
const options = { skip: noSocat, timeout: 60_000 }
/** Signs are awaited as long as on a real line: other tests are under way on this machine. */
const patience = 1

describe('FIAS on a serial line of the system', () => {
  it(title('makes and takes keys, and is used again once it is plugged in again'), options, async (test) => {
    const kss = keySystem({ framing: 'serial-lrc' })
    const line = await pty(test, kss.play)
    await line.plug()
    const system = fiasDriver({ direction: 'connect', path: line.path, patience }, openWire)
    test.after(() => system.close())
    const asked = grantFor(under)
    const key = await system.create(asked, call())
    assert.deepEqual(
      kss.book.opens('101').map(({ uid }) => uid),
      [key.uid],
    )
    line.unplug()
    await until(() => system.state().line === 'offline')
    await assert.rejects(system.revoke!(held(asked, key), call()), fault('lock-system-unreachable', false))
    await line.plug()
    await until(() => system.state().line === 'online')
    await system.revoke!(held(asked, key), call())
    assert.deepEqual(kss.book.opens('101'), [])
  })

  it(title('gives a foreign PMS its keys, and is found again after it was gone'), options, async (test) => {
    const foreign = pms({ framing: 'serial-lrc' })
    const line = await pty(test, foreign.play)
    await line.plug()
    const made: ServiceAnswer = { outcome: 'done', text: null, uid: '04A1B2C3', found: null }
    const link = fiasService.open({
      name: 'PMS',
      connection: { direction: 'connect', path: line.path, patience },
      openWire,
      wallTime: () => setupBasics.wallTime(Date.now()),
      now: Date.now,
      log: () => {},
      handle: async () => made,
    })
    test.after(() => link.close())
    const order = { KC: '1', WS: 'A', KT: 'N', RN: '101', 'G#': '5', GD: '260804' }
    await until(() => foreign.links === 1)
    for (const naks of [0, 1]) {
      foreign.manners.naks = naks
      const answer = await foreign.ask('KR', order, 20_000)
      assert.ok(typeof answer === 'object')
      assert.deepEqual([answer.fields.AS, answer.fields.$2], ['OK', '04A1B2C3'])
    }
    line.unplug()
    await until(() => link.state().line === 'offline')
    await line.plug()
    await until(() => foreign.links === 2)
  })
})
