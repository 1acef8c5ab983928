import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BayEvent } from '../src/devices/bay/bay-event.ts'
import { createLog } from '../src/host/log.ts'
import { deviceLog } from '../src/logging/device-log.ts'
import { elapse, testClock } from './test-clock.ts'

/** What the log shows at its default level. */
function logging() {
  const clock = testClock({ always: false })
  const written: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void written.push(JSON.parse(line)) }
  const log = deviceLog(createLog({ level: 'warn', clock, destination }), clock)
  const happens = (what: BayEvent['what'], reason?: string, bay = 'k720') =>
    log({ bay, what, at: clock.now(), fault: reason ? new Error(reason) : null })
  const lines = () => written.splice(0).map(({ time: _, level: __, ...line }) => line)
  return { clock, happens, lines, log }
}

describe('the log of devices', () => {
  it('reports at the default level that a device was lost, why, and that it is back', () => {
    const { happens, lines } = logging()
    happens('online')
    assert.deepEqual(lines(), [], 'a start is no news')
    happens('lost', 'the line was closed')
    assert.deepEqual(lines(), [{ msg: 'device.lost', device: 'k720', reason: 'the line was closed' }])
    for (const reason of ['is not there', 'is locked', 'is not there']) happens('failed', reason)
    assert.deepEqual(lines(), [], 'it is still lost')
    happens('online')
    assert.deepEqual(lines(), [{ msg: 'device.recovered', device: 'k720' }])
  })

  it('reports that a device does not start', () => {
    const { happens, lines } = logging()
    happens('failed', 'is not there')
    happens('failed', 'is locked')
    assert.deepEqual(lines(), [{ msg: 'device.failed', device: 'k720', reason: 'is not there' }])
  })

  it('reports once that a device flaps, and once that it is steady', () => {
    const { clock, happens, lines } = logging()
    for (let second = 0; second < 1_800; second += 2) {
      happens('online')
      elapse(clock, 1_000)
      happens('lost', 'EIO')
      elapse(clock, 1_000)
    }
    const told = lines()
    assert.deepEqual(
      told.map(({ msg }) => msg),
      [
        ...['device.lost', 'device.recovered', 'device.lost', 'device.recovered'],
        ...['device.lost', 'device.recovered', 'device.flapping'],
      ],
    )
    assert.deepEqual(told.at(-1), {
      msg: 'device.flapping',
      device: 'k720',
      reason: 'EIO',
      losses: 4,
      minutes: 10,
    })
    happens('online')
    elapse(clock, 600_000)
    assert.deepEqual(lines(), [{ msg: 'device.steady', device: 'k720' }])
    happens('lost', 'EIO')
    assert.equal(lines().length, 1, 'from then on as before')
  })

  it('reports that a flapping device stays away', () => {
    const { clock, happens, lines } = logging()
    for (let time = 0; time < 5; time++) {
      happens('online')
      happens('lost', 'EIO')
    }
    lines()
    elapse(clock, 59_000)
    assert.deepEqual(lines(), [])
    elapse(clock, 1_000)
    assert.deepEqual(lines(), [{ msg: 'device.lost', device: 'k720' }])
    happens('online')
    assert.deepEqual(lines(), [{ msg: 'device.recovered', device: 'k720' }])
  })

  it('keeps devices apart, and forgets closed ones', () => {
    const { happens, lines } = logging()
    happens('online', undefined, 'desk')
    happens('lost', 'EIO', 'desk')
    happens('online', undefined, 'lobby')
    happens('closed', undefined, 'desk')
    lines()
    happens('online', undefined, 'desk')
    assert.deepEqual(lines(), [])
  })

  it('names the address that a listener refused', () => {
    const { log, lines } = logging()
    const visitor = { why: 'stranger', address: '192.0.2.7' } as const
    log({ bay: 'PMS', what: 'refused', at: 0, fault: new Error('192.0.2.7 has tried'), visitor })
    assert.deepEqual(lines(), [
      { msg: 'listener.refused', device: 'PMS', ...visitor, reason: '192.0.2.7 has tried' },
    ])
  })
})
