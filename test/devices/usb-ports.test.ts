import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { portsInFile } from '../../src/access/controllers/connected/ports-in-file.ts'
import { LineTrouble } from '../../src/devices/wires/line-trouble.ts'
import { type PluggedIn, pluggedIn, type UsbIdentity } from '../../src/devices/wires/plugged-in.ts'
import { deviceAt, type RememberedPort, settledAddress } from '../../src/devices/wires/usb-ports.ts'
import { openWire } from '../../src/devices/wires/wire.ts'
import fc from '../seed.ts'
import { testClock } from '../test-clock.ts'
import { kernel } from './kernel.ts'

const adapter = {
  vendorId: '1A86',
  productId: '7523',
  serialNumber: null,
  manufacturer: null,
  product: 'Serial',
}

/** A machine with USB serial adapters that can be plugged in, and a memory that survives its restarts. */
function machine(t: TestContext, identity: Omit<UsbIdentity, 'port'> = adapter) {
  const { roots } = kernel(t)
  mkdirSync(roots.dev)
  const file = join(roots.dev, 'usb-ports.json')
  const byId = join(roots.dev, 'serial/by-id/usb-1a86_Serial-if00-port0')
  const plugged = new Map<string, PluggedIn>()
  const byPath = (port: string) => join(roots.dev, `serial/by-path/usb-0:${port}:1.0-port0`)
  let number = 0
  function link(path: string, node: string): void {
    mkdirSync(dirname(path), { recursive: true })
    rmSync(path, { force: true })
    symlinkSync(node, path)
  }
  const list = async () => [...plugged.values()].map((each) => ({ ...each, equals: plugged.size }))
  return {
    byId,
    byPath,
    file,
    list,
    /** Plugs an adapter in. The name by id means the last one, as udev may choose. */
    plug(port: string, own: Partial<UsbIdentity> = {}): string {
      const node = join(roots.dev, `ttyUSB${number++}`)
      writeFileSync(node, '')
      const place = byPath(port)
      link(place, node)
      link(byId, node)
      plugged.set(port, {
        path: place,
        transport: 'serial',
        node,
        usb: { ...identity, port, ...own },
        place,
        equals: 1,
      })
      return node
    },
    unplug(port: string): void {
      plugged.delete(port)
      rmSync(byPath(port), { force: true })
      const [left] = plugged.values()
      if (left) link(byId, left.node)
      else rmSync(byId, { force: true })
    },
    /** The path that an opening after a restart of the program would open. */
    async opened(path = byId): Promise<string> {
      const found = await settledAddress({ transport: 'serial', path }, portsInFile(file), list)
      return found.transport === 'serial' ? found.path : ''
    },
  }
}

const isEqual = { code: 'equal-devices' }
const hasMoved = { code: 'device-moved' }

describe('The name by id of an adapter without a serial number', () => {
  it('means the port at which the adapter was opened first, whatever is plugged in later', async (t) => {
    const box = machine(t)
    box.plug('1-1')
    assert.equal(await box.opened(), box.byPath('1-1'))
    box.plug('1-2')
    assert.equal(await box.opened(), box.byPath('1-1'))
    box.plug('1-3')
    assert.equal(await box.opened(), box.byPath('1-1'))
    box.unplug('1-1')
    await assert.rejects(box.opened(), hasMoved)
    box.unplug('1-2')
    await assert.rejects(box.opened(), hasMoved)
    box.plug('1-1')
    assert.equal(await box.opened(), box.byPath('1-1'))
  })

  it('is not opened while nothing says which of several is meant, and the error names their ports', async (t) => {
    const box = machine(t)
    box.plug('1-1.1')
    box.plug('1-1.2')
    await assert.rejects(box.opened(), (error: Error) => {
      assert.ok(error instanceof LineTrouble)
      assert.deepEqual([error.code, error.values.count], ['equal-devices', 2])
      assert.match(error.message, /any of 2 equal devices.*by-path\/usb-0:1-1\.1.*by-path\/usb-0:1-1\.2/)
      return true
    })
    const options = { clock: testClock(), pluggedIn: box.list }
    await assert.rejects(openWire({ transport: 'serial', path: box.byId }, options), isEqual)
    for (const port of ['1-1.1', '1-1.2']) assert.equal(await box.opened(box.byPath(port)), box.byPath(port))
  })

  it('is followed to another port and back while no equal adapter was ever there', async (t) => {
    const box = machine(t)
    const ports = ['1-1', '1-2', '1-1.4.2', '1-1', '3-2'] as const
    for (const port of ports) {
      box.plug(port)
      assert.equal(await box.opened(), box.byPath(port))
      box.unplug(port)
    }
  })

  it('is not followed to another port after an equal adapter was seen, and the error names the ports', async (t) => {
    const box = machine(t)
    box.plug('1-1')
    await box.opened()
    box.plug('1-2')
    await box.opened()
    box.unplug('1-1')
    box.unplug('1-2')
    box.plug('1-3')
    await assert.rejects(box.opened(), (error: Error) => {
      assert.ok(error instanceof LineTrouble && error.code === 'device-moved')
      assert.match(error.message, /was at the port \S+1-1:1\.0-port0.*its new port \(\S+1-3:1\.0-port0\)/)
      return true
    })
  })

  it('is not followed to the port of another configured adapter that was never there at the same time', async (t) => {
    const box = machine(t)
    box.plug('1-1')
    await box.opened()
    box.unplug('1-1')
    box.plug('1-2')
    assert.equal(await box.opened(box.byPath('1-2')), box.byPath('1-2'))
    await assert.rejects(box.opened(), hasMoved)
  })

  it('is the adapter that is left where the other one is configured by its port, as before an update', async (t) => {
    const box = machine(t)
    box.plug('1-1')
    box.plug('1-2')
    await assert.rejects(box.opened(), isEqual)
    await box.opened(box.byPath('1-2'))
    assert.equal(await box.opened(), box.byPath('1-1'))
    box.unplug('1-1')
    await assert.rejects(box.opened(), hasMoved)
  })

  it('is opened nowhere else after an unreadable memory, which is as good as none', async (t) => {
    const box = machine(t)
    box.plug('1-1')
    await box.opened()
    for (const text of ['{"', '[]', 'null', '{"x":1}']) {
      writeFileSync(box.file, text)
      assert.equal(await box.opened(), box.byPath('1-1'))
      assert.equal(JSON.parse(readFileSync(box.file, 'utf8'))[box.byId].place, box.byPath('1-1'))
    }
  })
})

describe('Adapters', () => {
  it('with a serial number of their own may move, and those of one number may not', async (t) => {
    const own = machine(t, { ...adapter, serialNumber: 'A1' })
    own.plug('1-1')
    await own.opened()
    own.unplug('1-1')
    own.plug('1-2')
    assert.equal(await own.opened(), own.byPath('1-2'))
    own.plug('1-3', { serialNumber: 'A2' })
    own.unplug('1-3')
    assert.equal(await own.opened(), own.byPath('1-2'))
    const cloned = machine(t, { ...adapter, serialNumber: '0001' })
    cloned.plug('1-1')
    await cloned.opened()
    cloned.plug('1-2')
    assert.equal(await cloned.opened(), cloned.byPath('1-1'))
  })

  it('by number are checked likewise, and own links of udev and lines of the board are not', async (t) => {
    const box = machine(t)
    const first = box.plug('1-1')
    box.plug('1-2')
    assert.equal(await box.opened(first), box.byPath('1-1'))
    // The next restart numbers them the other way round.
    box.unplug('1-1')
    box.unplug('1-2')
    const second = box.plug('1-2')
    rmSync(first, { force: true })
    symlinkSync(second, first)
    await assert.rejects(box.opened(first), hasMoved)
    box.plug('1-1')
    assert.equal(await box.opened(first), box.byPath('1-1'))
    const link = join(dirname(box.file), 'kiosk')
    symlinkSync(second, link)
    assert.equal(await box.opened(link), link)
    assert.equal(await box.opened('/nowhere/ttyAMA0'), '/nowhere/ttyAMA0')
    assert.equal(await box.opened('/nowhere/ttyUSB7'), '/nowhere/ttyUSB7')
  })

  it('in any order of plugging and restarts: no opening reaches another port once two were there', async (t) => {
    const ports = ['1-1', '1-2', '1-3'] as const
    const step = fc.record({
      port: fc.constantFrom(...ports),
      does: fc.constantFrom('plug', 'unplug', 'open'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const box = machine(t)
        const there = new Set<string>()
        let first: string | null = null
        let hasSeenEqual = false
        for (const { port, does } of steps) {
          if (does === 'plug' && !there.has(port)) box.plug(port)
          if (does === 'plug') there.add(port)
          if (does === 'unplug' && there.delete(port)) box.unplug(port)
          if (does !== 'open' || there.size === 0) continue
          if (first === null && there.size === 1) [first = null] = there
          if (there.size > 1) hasSeenEqual = true
          else if (!hasSeenEqual) [first = null] = there
          const expected: string | null = first !== null && there.has(first) ? box.byPath(first) : null
          const opened = await box.opened().catch(() => null)
          assert.equal(opened, expected)
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('A HID device without a serial number', () => {
  const hid = (port: string): PluggedIn => ({
    path: `hid://ffff:0035?port=${port}`,
    transport: 'hid',
    node: `/dev/${port}`,
    usb: { ...adapter, vendorId: 'FFFF', productId: '0035', port },
    place: port,
    equals: 1,
  })
  const any = { transport: 'hid', vendorId: 0xffff, productId: 0x35 } as const

  it('is the one at the port of the first opening', async () => {
    const memory = new Map<string, RememberedPort>()
    const opened = (...ports: string[]) => settledAddress(any, memory, async () => ports.map(hid))
    assert.deepEqual(await opened(), any)
    await assert.rejects(opened('1-1', '1-2'), isEqual)
    assert.deepEqual(await opened('1-2'), { ...any, port: '1-2' })
    assert.deepEqual(await opened('1-1', '1-2', '1-4.1'), { ...any, port: '1-2' })
    await assert.rejects(opened('1-1'), hasMoved)
    await assert.rejects(opened('1-3'), hasMoved)
    const chosen = { ...any, port: '1-1' }
    assert.deepEqual(await settledAddress(chosen, memory, async () => ['1-1', '1-2'].map(hid)), chosen)
  })

  it('may be replaced by a spare at another port, whatever its serial number', async () => {
    const memory = new Map<string, RememberedPort>()
    const opened = (port: string, serialNumber: string | null) =>
      settledAddress(any, memory, async () => [
        { ...hid(port), usb: { ...adapter, vendorId: 'FFFF', productId: '0035', port, serialNumber } },
      ])
    const steps = [
      ['1-1', null],
      ['1-2', 'S2'],
      ['1-3', 'S3'],
      ['1-1', null],
    ] as const
    for (const [port, serial] of steps) assert.deepEqual(await opened(port, serial), { ...any, port })
  })

  it('is listed at the device that is open, not at its twin', async () => {
    const there = ['1-1', '1-2'].map(hid)
    const memory = new Map<string, RememberedPort>()
    const opened = (all: PluggedIn[]) => settledAddress(any, memory, async () => all)
    await opened(there.slice(1))
    assert.equal((await deviceAt('hid://ffff:0035', there.slice(0, 1), memory))?.place, '1-1')
    await opened(there)
    assert.equal((await deviceAt('hid://ffff:0035', there, memory))?.place, '1-2')
    assert.equal((await deviceAt('hid://ffff:0035?port=1-1', there, memory))?.place, '1-1')
    assert.equal(await deviceAt('hid://ffff:0035', there.slice(0, 1), memory), null)
    assert.equal(await deviceAt('hid://ffff:0036', there, memory), null)
  })
})

it('A board with two lines that is moved keeps both lines, in any order', async (t) => {
  const { roots, write } = kernel(t)
  const lineAt = (port: string, half: number): PluggedIn => {
    const node = join(roots.dev, `ttyUSB${half}`)
    return {
      path: node,
      transport: 'serial',
      node,
      usb: { ...adapter, port },
      place: `${port}:1.${half}`,
      equals: 1,
    }
  }
  for (const half of [0, 1]) write(lineAt('1-1', half).node, '')
  const memory = new Map<string, RememberedPort>()
  const moves = [
    ['1-1', [0, 1]],
    ['1-2', [0, 1]],
    ['1-3', [1, 0]],
    ['1-1', [1, 0]],
  ] as const
  for (const [port, halves] of moves)
    for (const half of halves) {
      const list = async () => [0, 1].map((each) => lineAt(port, each))
      const path = lineAt(port, half).node
      await settledAddress({ transport: 'serial', path }, memory, list)
      assert.equal(memory.get(path)?.place, `${port}:1.${half}`)
    }
})

it('Two boards with two lines each are two equal devices, and each line keeps its own port', async (t) => {
  const { roots, usb, line } = kernel(t)
  const says = { idVendor: '0403', idProduct: '6010', product: 'Dual' }
  for (const [index, port] of ['1-1', '1-2'].entries()) {
    const folder = usb(port, says)
    for (const half of [0, 1]) {
      const name = `ttyUSB${index * 2 + half}`
      line(name, join(folder, `${port}:1.${half}`, name))
    }
  }
  const found = await pluggedIn(roots)
  assert.deepEqual(
    found.map(({ equals, place }) => [equals, place]),
    [
      [2, '1-1:1.0'],
      [2, '1-1:1.1'],
      [2, '1-2:1.0'],
      [2, '1-2:1.1'],
    ],
  )
})
