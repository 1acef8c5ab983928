import assert from 'node:assert/strict'
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Duplex, duplexPair } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { reader, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import type { Machines } from '../../src/access/access.ts'
import { encoderJudgement } from '../../src/access/controllers/device-health.ts'
import type { AccessController } from '../../src/access/resources/access-controller.ts'
import type { Client } from '../../src/cli/client.ts'
import { listDevices } from '../../src/cli/devices/devices.ts'
import { LineTrouble } from '../../src/devices/wires/line-trouble.ts'
import { lineUsers } from '../../src/devices/wires/line-users.ts'
import { isModemCommand } from '../../src/devices/wires/modem-command.ts'
import { sharedLine } from '../../src/devices/wires/serial-wire.ts'
import { languages } from '../../src/jsonapi/locales/language.ts'
import { shownMessage } from '../../src/jsonapi/locales/message.ts'
import { testHandles } from '../access/test-handles.ts'
import fc from '../seed.ts'
import { testClock } from '../test-clock.ts'
import { kernel } from './kernel.ts'

/** The folders of a machine with a serial line, and what runs on it. */
function machine(t: TestContext) {
  const { roots } = kernel(t)
  const root = dirname(roots.dev)
  const [proc, run] = [join(root, 'proc'), join(root, 'run')]
  for (const folder of [roots.dev, proc, run]) mkdirSync(folder)
  const line = join(roots.dev, 'ttyUSB0')
  const other = join(roots.dev, 'ttyUSB1')
  for (const node of [line, other]) writeFileSync(node, '')
  const byId = join(roots.dev, 'by-id')
  symlinkSync(line, byId)
  return {
    line,
    byId,
    users: (path = byId) => lineUsers(path, { proc, run }),
    process(id: number, name: string, ...open: string[]): void {
      const folder = join(proc, String(id), 'fd')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(proc, String(id), 'comm'), `${name}\n`)
      for (const [index, path] of open.entries()) symlinkSync(path, join(folder, String(index + 3)))
    },
    service(unit: string): void {
      mkdirSync(join(run, 'systemd/units'), { recursive: true })
      symlinkSync('0123', join(run, 'systemd/units', `invocation:${unit}`))
    },
    udev(text: string): void {
      mkdirSync(join(run, 'udev/data'), { recursive: true })
      const { rdev } = statSync(line)
      writeFileSync(join(run, 'udev/data', `c${(rdev >> 8) & 0xfff}:${rdev & 0xff}`), text)
    },
  }
}

describe('The other programs at a line', () => {
  it('are those that have it open, by name and process', async (t) => {
    const box = machine(t)
    box.process(411, 'bash', '/dev/null')
    box.process(512, 'ModemManager', '/dev/null', box.line)
    box.process(600, 'gpsd', join(dirname(box.line), 'ttyUSB1'))
    box.process(process.pid, 'node', box.line)
    mkdirSync(join(dirname(dirname(box.line)), 'proc/713'))
    assert.deepEqual(await box.users(), ['ModemManager (process 512)'])
    box.process(900, 'minicom', box.line)
    assert.deepEqual(await box.users(box.line), ['ModemManager (process 512)', 'minicom (process 900)'])
  })

  it('are none at an address without a line, and on a machine that shows nothing', async (t) => {
    const box = machine(t)
    for (const path of ['tcp://127.0.0.1:1', 'simulated:encoder', '/dev/none', box.byId])
      assert.deepEqual(await box.users(path), [])
  })

  const known: [unit: string, name: string][] = [
    ['ModemManager.service', 'ModemManager'],
    ['brltty.service', 'brltty'],
    ['brltty-udev.service', 'brltty'],
    ['gpsd.service', 'gpsd'],
    ['serial-getty@ttyUSB0.service', 'serial-getty@ttyUSB0.service'],
  ]
  for (const [unit, name] of known)
    it(`may be ${unit}, where processes are hidden`, async (t) => {
      const box = machine(t)
      box.service('ssh.service')
      box.service('serial-getty@ttyUSB1.service')
      assert.deepEqual(await box.users(), [])
      box.service(unit)
      assert.deepEqual(await box.users(), [name])
    })

  it('are not ModemManager where the udev rules keep it away', async (t) => {
    const box = machine(t)
    box.service('ModemManager.service')
    box.udev('E:ID_MM_CANDIDATE=1\n')
    assert.deepEqual(await box.users(), ['ModemManager'])
    box.udev('E:ID_MM_CANDIDATE=1\nE:ID_MM_PORT_IGNORE=1\n')
    assert.deepEqual(await box.users(), [])
  })
})

describe('A modem command', () => {
  for (const text of [
    'AT\r',
    'AT+CGMI\r\n',
    '\u0002AT\r',
    '\r\nATE0\r',
    'ATI\r',
    'ATZ\r',
    'AT+CPIN?\r',
    'AT&F\r',
  ])
    it(`is ${JSON.stringify(text)}`, () => assert.ok(isModemCommand(text)))
  for (const text of ['', 'AT', 'STAT\r', 'DATA 1\r', 'at\r', 'AT12\r', 'A T\r'])
    it(`is not ${JSON.stringify(text)}`, () => assert.ok(!isModemCommand(text)))
  it('is seen at the end of any answer before it', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom('AT\r', 'AT+GCAP\r', 'ATE1\r'),
        (bytes, command) => {
          assert.ok(isModemCommand(`${Buffer.from(bytes).toString('latin1')}\n${command}`))
        },
      ),
    )
  })
})

it('An encoder that does not answer names the program at its line until that program ends', async () => {
  const clock = testClock({ always: true })
  let users = ['ModemManager (process 512)']
  const open = testHandles({
    clock,
    lineUsers: async () => users,
    async openWire() {
      if (users.length > 0) return silent()
      const [near, far] = duplexPair()
      void simulateTwn4(far, reader({ clock, antenna: { cards: () => [] } }))
      return near
    },
  })
  const device = { driver: 'twn4', path: '/dev/serial/by-id/desk', patience: 0.1 }
  const { bay } = open.encoder({ id: 'c1', name: 'Desk', device } as AccessController)
  await assert.rejects(bay.ready(30_000), /is used by ModemManager \(process 512\) as well/)
  assert.ok(bay.lastFault instanceof LineTrouble && bay.lastFault.code === 'line-shared')
  users = []
  bay.reset()
  await bay.ready(30_000)
  await open.close()
})

function silent(): Duplex {
  return new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
}

describe('The health of a device says why its line stays closed:', () => {
  const paths = '/dev/serial/by-path/a, /dev/serial/by-path/b'
  const troubles = [
    new LineTrouble('equal-devices', 'x', { count: 2, paths }),
    new LineTrouble('device-moved', 'x', { place: '1-1', paths }),
    sharedLine('/dev/ttyUSB0', ['brltty'], null),
    sharedLine('/dev/ttyUSB0', [], null),
  ]
  for (const [index, lastFault] of troubles.entries())
    it(`${lastFault.code}, ${index + 1}`, () => {
      const bay = { state: () => 'offline', lastFault }
      const machines = { devices: { encoderAt: () => ({ bay }) } } as unknown as Machines
      const { status, messages } = encoderJudgement(machines, { id: 'c1' } as AccessController)
      assert.deepEqual(messages, [{ code: lastFault.code, values: lastFault.values }])
      assert.equal(status, 'fail')
      for (const language of languages) {
        const { text } = shownMessage(language, messages[0]!)
        assert.doesNotMatch(text, /[{}]/)
        for (const value of Object.values(lastFault.values)) assert.ok(text.includes(String(value)), text)
      }
    })
})

it('nightporter devices says how many equal adapters there are, and offers their ports', async (t) => {
  const lines: string[] = []
  t.mock.method(console, 'log', (line: string) => lines.push(line))
  const attributes = {
    transport: 'serial',
    isPresent: true,
    node: '/dev/ttyUSB0',
    usb: null,
    candidates: [],
    configured: [],
  }
  const data = [
    { id: '/dev/serial/by-path/a', attributes: { ...attributes, equals: 2 } },
    { id: '/dev/serial/by-id/b', attributes: { ...attributes, equals: 1 } },
  ]
  await listDevices((async () => ({ body: { data } })) as unknown as Client, { url: 'http://127.0.0.1:1' })
  const [both = '', alone = ''] = lines
  assert.match(
    both,
    /^\/dev\/serial\/by-path\/a .*\n {4}2 equal adapters: choose by the port they are plugged into\n/,
  )
  assert.doesNotMatch(alone, /equal/)
})
