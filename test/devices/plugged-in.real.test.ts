import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Duplex, duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import crt571 from '../../drivers/crt571/driver.ts'
import { machine, simulateCrt571 } from '../../drivers/crt571/simulator/simulator.ts'
import k720 from '../../drivers/k720/driver.ts'
import { machine as k720Machine } from '../../drivers/k720/simulator/mechanics.ts'
import { simulateK720 } from '../../drivers/k720/simulator/simulator.ts'
import twn4 from '../../drivers/twn4/driver.ts'
import { reader, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import { drivers } from '../../src/composition/drivers.ts'
import { probe } from '../../src/devices/probe.ts'
import { pluggedIn } from '../../src/devices/wires/plugged-in.ts'
import { candidatesFor } from '../../src/devices/wires/recognise.ts'
import { parseAddress } from '../../src/devices/wires/wire.ts'
import { systemClock as clock } from '../../src/host/clock.ts'
import { kernel } from './kernel.ts'

const elatec = { idVendor: '09d8', idProduct: '0420', manufacturer: 'ELATEC', product: 'TWN4/B1.0' }

describe('what is plugged in', () => {
  it('is nothing on a machine without anything', async (t) => {
    assert.deepEqual(await pluggedIn(kernel(t).roots), [])
  })

  it('is told with its stable path and what its USB says', async (t) => {
    const { roots, usb, line, link, write } = kernel(t)
    line('ttyACM0', join(usb('1-1.4', elatec), '1-1.4:1.0'))
    mkdirSync(join(roots.dev, 'serial/by-id'), { recursive: true })
    symlinkSync('../../ttyACM0', join(roots.dev, 'serial/by-id/usb-ELATEC_TWN4-if00'))
    const bridge = usb('1-1.2', { idVendor: '0403', idProduct: '6001', serial: 'A50\u0007285BI' })
    line('ttyUSB0', join(bridge, '1-1.2:1.0/ttyUSB0'))
    // A port of the board, one that it could have and has not, and a terminal.
    const board = join(roots.sys, 'devices/soc/serial0')
    line('ttyAMA0', board)
    link(join(board, 'driver'), join(roots.sys, 'bus/uart'))
    line('ttyS0', join(roots.sys, 'devices/platform/serial8250'))
    write(join(roots.sys, 'class/tty/ttyS0/type'), '0')
    mkdirSync(join(roots.sys, 'class/tty/tty1'))
    line('ttyAMA1', board)
    write(join(roots.sys, 'class/tty/console/active'), 'tty0 ttyAMA1')
    const found = await pluggedIn(roots)
    assert.deepEqual(
      found.map(({ path, usb }) => [path.slice(roots.dev.length), usb?.vendorId ?? null, usb?.port ?? null]),
      [
        ['/serial/by-id/usb-ELATEC_TWN4-if00', '09D8', '1-1.4'],
        ['/ttyAMA0', null, null],
        ['/ttyUSB0', '0403', '1-1.2'],
      ],
    )
    assert.equal(found[2]?.usb?.serialNumber, 'A50 285BI')
  })

  it('is a serial line by its port where it has a twin without a serial number: the system names one of the two', async (t) => {
    const { roots, usb, line } = kernel(t)
    const adapter = { idVendor: '1a86', idProduct: '7523', product: 'USB Serial' }
    const named = (folder: string, name: string, node: string) => {
      mkdirSync(join(roots.dev, 'serial', folder), { recursive: true })
      symlinkSync(`../../${node}`, join(roots.dev, 'serial', folder, name))
    }
    const plugIn = (node: string, port: string, says: Record<string, string>) => {
      line(node, join(usb(port, says), `${port}:1.0/${node}`))
      named('by-path', `usb-0:${port}:1.0-port0`, node)
    }
    const paths = async () => (await pluggedIn(roots)).map(({ path }) => path.slice(roots.dev.length))
    plugIn('ttyUSB0', '1-1', adapter)
    named('by-id', 'usb-1a86_USB_Serial-if00-port0', 'ttyUSB0')
    // Alone too: the next one of its make has the same name by id.
    assert.deepEqual(await paths(), ['/serial/by-path/usb-0:1-1:1.0-port0'])
    plugIn('ttyUSB1', '1-2', adapter)
    assert.deepEqual(await paths(), [
      '/serial/by-path/usb-0:1-1:1.0-port0',
      '/serial/by-path/usb-0:1-2:1.0-port0',
    ])
    plugIn('ttyUSB2', '1-3', { ...adapter, serial: 'A1' })
    named('by-id', 'usb-1a86_USB_Serial_A1-if00-port0', 'ttyUSB2')
    plugIn('ttyUSB3', '1-4', { ...adapter, serial: 'A2' })
    named('by-id', 'usb-1a86_USB_Serial_A2-if00-port0', 'ttyUSB3')
    assert.deepEqual((await paths()).slice(0, 2), [
      '/serial/by-id/usb-1a86_USB_Serial_A1-if00-port0',
      '/serial/by-id/usb-1a86_USB_Serial_A2-if00-port0',
    ])
    assert.deepEqual(
      (await pluggedIn(roots)).map(({ usb, equals }) => [usb?.port, equals]),
      [
        ['1-3', 1],
        ['1-4', 1],
        ['1-1', 2],
        ['1-2', 2],
      ],
    )
  })

  it('is a HID device by its port, unless a serial number tells it', async (t) => {
    const { roots, usb, link } = kernel(t)
    const hid = (name: string, folder: string) =>
      link(join(roots.sys, 'class/hidraw', name, 'device'), join(folder, 'hid'))
    hid('hidraw0', usb('1-1', { idVendor: 'ffff', idProduct: '0035' }))
    assert.deepEqual(
      (await pluggedIn(roots)).map(({ path }) => path),
      ['hid://ffff:0035?port=1-1'],
    )
    hid('hidraw1', usb('1-2', { idVendor: 'ffff', idProduct: '0035' }))
    const both = await pluggedIn(roots)
    assert.deepEqual(
      both.map(({ path }) => path),
      ['hid://ffff:0035?port=1-1', 'hid://ffff:0035?port=1-2'],
    )
    assert.deepEqual(
      candidatesFor(both[0]!, drivers).map(({ by, capability }) => [by, capability]),
      [['descriptor', 'encoder']],
    )
  })

  it('is a HID device without a hidraw too, and each device once', async (t) => {
    const { roots, usb, link, write } = kernel(t)
    const hidInterface = (folder: string, name: string, interfaceClass = '03') => {
      write(join(folder, name, 'bInterfaceClass'), interfaceClass)
      link(join(roots.sys, 'bus/usb/devices', name), join(folder, name))
    }
    const reader = { idVendor: 'ffff', idProduct: '0035', product: 'USB Reader', busnum: '1', devnum: '12' }
    const first = usb('1-1.4', reader)
    hidInterface(first, '1-1.4:1.0')
    link(join(roots.sys, 'bus/usb/devices/1-1.4'), first)
    // A keyboard has two interfaces with a node each; a stick is no HID device.
    const keyboard = usb('1-2', { idVendor: '046d', idProduct: 'c31c', serial: 'K1' })
    for (const [index, name] of ['1-2:1.0', '1-2:1.1'].entries()) {
      hidInterface(keyboard, name)
      link(join(roots.sys, `class/hidraw/hidraw${index}/device`), join(keyboard, name, 'hid'))
    }
    hidInterface(usb('1-3', { idVendor: '0781', idProduct: '5567' }), '1-3:1.0', '08')
    const found = await pluggedIn(roots)
    assert.deepEqual(
      found.map(({ path, transport, node }) => [path, transport, node.slice(roots.dev.length)]),
      [
        ['hid://046d:c31c', 'hid', '/hidraw0'],
        ['hid://ffff:0035?port=1-1.4', 'hid', '/bus/usb/001/012'],
      ],
    )
    assert.deepEqual(found[1]?.usb, {
      vendorId: 'FFFF',
      productId: '0035',
      serialNumber: null,
      manufacturer: null,
      product: 'USB Reader',
      port: '1-1.4',
    })
    assert.deepEqual(
      candidatesFor(found[1]!, drivers).map(({ driver, by }) => [driver, by]),
      [['ifd510', 'descriptor']],
    )
    hidInterface(usb('1-1.2', { ...reader, devnum: '13' }), '1-1.2:1.0')
    for (const { path } of (await pluggedIn(roots)).filter(({ usb }) => usb?.vendorId === 'FFFF')) {
      const parsed = parseAddress(path)
      assert.ok('address' in parsed && parsed.address.transport === 'hid')
      assert.match(parsed.address.port ?? '', /^1-1\.[24]$/)
    }
  })
})

describe('a serial line', () => {
  const device = (usb: Record<string, string> | null) =>
    ({ path: 'p', transport: 'serial', node: 'n', usb: usb && { ...usb, port: '1' } }) as never

  it('is what its descriptor says', () => {
    const found = candidatesFor(device({ vendorId: '09D8', productId: '0420' }), drivers)
    assert.deepEqual(
      found.map(({ driver, by }) => [driver, by]),
      [['twn4', 'descriptor']],
    )
  })

  it('may be anything on a line that does not say', () => {
    const found = candidatesFor(device({ vendorId: '0403', productId: '6001' }), [crt571, twn4, k720])
    assert.deepEqual(
      found.map(({ driver, by, probing }) => [driver, by, probing]),
      [
        ['crt571', 'line', 'motor'],
        ['k720', 'line', 'nothing'],
      ],
    )
  })
})

describe('probing', () => {
  const at =
    (rate: number, play: (wire: Duplex) => unknown, asked: number[] = []) =>
    async (baudRate: number) => {
      asked.push(baudRate)
      const [near, far] = duplexPair()
      if (baudRate === rate) void play(far)
      return near
    }

  it('finds the rate at which a device answers, and who it is', async () => {
    const asked: number[] = []
    const desk = reader({ clock, antenna: { cards: () => [] } })
    const found = await probe(
      twn4,
      at(115_200, (wire) => simulateTwn4(wire, desk), asked),
      clock,
    )
    assert.deepEqual([found.isThere, found.baudRate, asked.at(-1)], [true, 115_200, 115_200])
    assert.match(found.identity?.firmware ?? '', /TWN4/)
  })

  it('moves nothing where nothing has to be moved', async () => {
    const box = k720Machine({ clock })
    const before = JSON.stringify({ at: box.at, onReset: box.onReset, trouble: box.trouble })
    const found = await probe(
      k720,
      at(9_600, (wire) => simulateK720(wire, box)),
      clock,
    )
    assert.deepEqual([found.isThere, found.baudRate], [true, 9_600])
    assert.equal(JSON.stringify({ at: box.at, onReset: box.onReset, trouble: box.trouble }), before)
  })

  it('knows a machine that only a start would wake', async () => {
    const box = machine({ clock })
    const found = await probe(
      crt571,
      at(9_600, (wire) => simulateCrt571(wire, box)),
      clock,
    )
    assert.equal(found.isThere, true)
    assert.ok(box.initialised, 'its driver says that a motor turns')
  })

  it('says why a line cannot be asked, and tries it once', async () => {
    let tries = 0
    const found = await probe(
      k720,
      async () => {
        tries++
        throw new Error('p is in use by another program')
      },
      clock,
    )
    assert.deepEqual([found.isThere, found.problem, tries], [false, 'p is in use by another program', 1])
  })
})
