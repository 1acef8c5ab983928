import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type Clock, systemClock } from '../../src/host/clock.ts'
import { serviceManager } from '../../src/host/notify.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { elapse } from '../test-clock.ts'

describe('the service manager', () => {
  it('gets READY and STOPPING', async (t) => {
    const { manager, told, failures } = started(t, { NOTIFY_SOCKET: '/run/notify' })
    await manager.ready()
    await manager.stopping()
    assert.deepEqual(told(), ['READY=1 /run/notify', 'STOPPING=1 /run/notify'])
    assert.deepEqual(failures, [])
  })

  it('gets no message where there is none', async (t) => {
    const { manager, told } = started(t, { WATCHDOG_USEC: '1000' })
    await manager.ready()
    await manager.stopping()
    assert.deepEqual(told(), [])
  })

  it('does not stop the program when a message fails', async (t) => {
    const { manager, failures } = started(t, { NOTIFY_SOCKET: '/run/notify' }, 'exit 1')
    await manager.ready()
    await manager.stopping()
    assert.deepEqual(failures, [
      'systemd was not notified of READY=1',
      'systemd was not notified of STOPPING=1',
    ])
  })

  it('does not stop the program when its command is missing', async () => {
    const failures: string[] = []
    const manager = serviceManager({
      clock: systemClock,
      environment: { NOTIFY_SOCKET: '/run/notify' },
      failed: ({ message }) => failures.push(message),
      command: '/nowhere/systemd-notify',
    })
    await manager.ready()
    assert.deepEqual(failures, ['systemd was not notified of READY=1'])
  })

  it('gets WATCHDOG twice in the allowed time, while the program is alive and until it stops', async (t) => {
    const clock = virtualClock(0)
    const environment = { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '60000000' }
    const asked: boolean[] = []
    const { manager, told } = started(t, environment, undefined, clock, () => {
      asked.push(asked.length < 2)
      return asked.at(-1) === true
    })
    await manager.ready()
    elapse(clock, 29_999)
    assert.deepEqual(asked, [])
    elapse(clock, 90_001)
    assert.deepEqual(asked, [true, true, false, false])
    await manager.stopping()
    elapse(clock, 60_000)
    assert.equal(asked.length, 4)
    // The signs of life run beside everything else, so they are only counted on once they are there.
    while (told().length < 4) await new Promise(setImmediate)
    assert.equal(told().filter((line) => line.startsWith('WATCHDOG=1')).length, 2)
  })

  it('is asked for more time while the program starts, for an hour at most', async (t) => {
    const clock = virtualClock(0)
    const folder = mkdtempSync(join(tmpdir(), 'notify-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const socket = openSync(join(folder, 'heard'), 'a')
    t.after(() => closeSync(socket))
    const environment = { NOTIFY_SOCKET: '/run/notify' }
    const manager = serviceManager({ clock, environment, socket, failed: assert.fail })
    const heard = () => readFileSync(join(folder, 'heard'), 'utf8')
    manager.starting()
    elapse(clock, 29_999)
    assert.equal(heard(), '')
    elapse(clock, 2 * 3_600_000)
    const asked = 'EXTEND_TIMEOUT_USEC=120000000'.repeat(120)
    while (heard().length < asked.length) await new Promise(setImmediate)
    await manager.ready()
    elapse(clock, 60_000)
    await manager.stopping()
    assert.equal(heard(), `${asked}READY=1STOPPING=1`)
  })

  for (const environment of [{}, { WATCHDOG_USEC: 'soon' }, { WATCHDOG_USEC: '60000000', WATCHDOG_PID: '1' }])
    it(`gets no WATCHDOG that it did not request from this process: ${JSON.stringify(environment)}`, async (t) => {
      const clock = virtualClock(0)
      const { manager } = started(t, { NOTIFY_SOCKET: '/run/notify', ...environment }, undefined, clock, () =>
        assert.fail('asked'),
      )
      await manager.ready()
      elapse(clock, 600_000)
    })
})

/** A service manager whose program writes down what it is asked to say, and where. */
function started(
  t: TestContext,
  environment: Record<string, string>,
  then = 'exit 0',
  clock: Clock = systemClock,
  alive = () => true,
) {
  const folder = mkdtempSync(join(tmpdir(), 'notify-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [command, heard] = [join(folder, 'systemd-notify'), join(folder, 'heard')]
  writeFileSync(heard, '')
  writeFileSync(command, `#!/bin/sh\necho "$1 $NOTIFY_SOCKET" >> '${heard}'\n${then}\n`, { mode: 0o755 })
  const failures: string[] = []
  const failed = ({ message }: Error) => failures.push(message)
  const manager = serviceManager({
    clock,
    environment,
    failed,
    alive,
    command,
  })
  const told = () => readFileSync(heard, 'utf8').split('\n').filter(Boolean)
  return { manager, told, failures }
}
