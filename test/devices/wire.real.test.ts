import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWire, parseAddress } from '../../src/devices/wires/wire.ts'
import { systemClock as clock } from '../../src/host/clock.ts'
import { programMissing } from '../programs.ts'

describe('a device address', () => {
  const read: [text: string, address: object][] = [
    [
      '/dev/serial/by-id/usb-1a86_CRT-if00',
      { transport: 'serial', path: '/dev/serial/by-id/usb-1a86_CRT-if00' },
    ],
    ['/tmp/pty', { transport: 'serial', path: '/tmp/pty' }],
    ['tcp://192.168.1.20:4001', { transport: 'tcp', host: '192.168.1.20', port: 4001 }],
    ['tcp://encoder.lan:1', { transport: 'tcp', host: 'encoder.lan', port: 1 }],
    ['tcp://[fe80::1]:65535', { transport: 'tcp', host: 'fe80::1', port: 65535 }],
  ]
  for (const [text, address] of read)
    it(`reads ${text}`, () => assert.deepEqual(parseAddress(text), { address, warning: null }))

  for (const path of ['/dev/ttyUSB0', '/dev/ttyACM12'])
    it(`warns of ${path}`, () => {
      const parsed = parseAddress(path)
      assert.ok('address' in parsed)
      assert.match(parsed.warning ?? '', /\/dev\/serial\/by-id\//)
    })

  const refused = [
    '',
    'COM3',
    'ttyUSB0',
    '/',
    '/dev/',
    'http://x:1',
    'tcp://x',
    'tcp://x:1/path',
    'tcp://u@x:1',
  ]
  for (const text of refused)
    it(`refuses ${JSON.stringify(text)} and names what was expected`, () => {
      const parsed = parseAddress(text)
      assert.ok('problem' in parsed)
      assert.match(parsed.problem, /serial line.*tcp:\/\/host:port/)
    })

  for (const text of ['tcp://x:0', 'tcp://x:65536'])
    it(`refuses the port of ${text}`, () => {
      const parsed = parseAddress(text)
      assert.ok('problem' in parsed)
      assert.match(parsed.problem, /no port from 1 to 65535/)
    })
})

describe('a wire over TCP', () => {
  it('carries bytes both ways', async (t) => {
    const { wire, peer } = await connected(t)
    wire.write(Buffer.from([0x02, 0x00]))
    assert.deepEqual(await bytes(peer, 2), Buffer.from([0x02, 0x00]))
    peer.write(Buffer.from([0xff, 0x03]))
    assert.deepEqual(await bytes(wire, 2), Buffer.from([0xff, 0x03]))
  })

  it('closes when the peer resets the connection, and nothing else happens', async (t) => {
    const { wire, peer } = await connected(t)
    wire.resume()
    const closed = closing(wire)
    peer.resetAndDestroy()
    await closed
    assert.equal(await failureOfWrite(wire), 'ERR_STREAM_DESTROYED')
  })

  it('closes when the peer ends the connection', async (t) => {
    const { wire, peer } = await connected(t)
    wire.resume()
    const closed = closing(wire)
    peer.end()
    await closed
    assert.ok(wire.destroyed)
  })

  it('names the address that refuses', async (t) => {
    const { server, port } = await listening(t)
    await new Promise((done) => server.close(done))
    await assert.rejects(openWire({ transport: 'tcp', host: '127.0.0.1', port }, { clock }), {
      message: `tcp://127.0.0.1:${port} cannot be reached: the machine at this address accepts no connection at this port`,
    })
  })

  it('gives up a peer that does not answer', async () => {
    // Documentation addresses (RFC 5737) are routed nowhere: either silence or "unreachable".
    const unanswered = openWire(
      { transport: 'tcp', host: '192.0.2.1', port: 9 },
      { clock, connectTimeoutMs: 20 },
    )
    await assert.rejects(unanswered, /^Error: tcp:\/\/192\.0\.2\.1:9 (did not answer|cannot be reached)/)
  })

  it('opens nothing once given up', async () => {
    const reason = new Error('closing')
    const opening = openWire(
      { transport: 'tcp', host: '192.0.2.1', port: 9 },
      { clock, signal: AbortSignal.abort(reason) },
    )
    await assert.rejects(opening, reason)
  })

  it('gives up while connecting', async () => {
    const closing = new AbortController()
    const opening = openWire(
      { transport: 'tcp', host: '192.0.2.1', port: 9 },
      { clock, signal: closing.signal },
    )
    closing.abort(new Error('closing'))
    await assert.rejects(opening, { message: 'closing' })
  })
})

describe('a wire over a serial line', () => {
  const unplugged = programMissing('socat')

  it('carries bytes both ways', { skip: unplugged }, async (t) => {
    const { here, there } = await pty(t)
    const [wire, device] = [await serial(t, here), await serial(t, there)]
    wire.write(Buffer.from([0x02, 0x00, 0x11, 0x13, 0x0d, 0xff]))
    assert.deepEqual(await bytes(device, 6), Buffer.from([0x02, 0x00, 0x11, 0x13, 0x0d, 0xff]))
    device.write(Buffer.from([0x06]))
    assert.deepEqual(await bytes(wire, 1), Buffer.from([0x06]))
  })

  it('hands over an answer that comes while the process is at rest', { skip: unplugged }, async (t) => {
    const device = 'SYSTEM:head -c1 >/dev/null; sleep 0.3; printf A; cat >/dev/null'
    const { here } = await pty(t, device)
    const wire = new URL('../../src/devices/wires/wire.ts', import.meta.url).href
    const machine = new URL('../../src/host/clock.ts', import.meta.url).href
    // A process of its own with one far timer, because the timers of a test runner would hand it over in passing.
    const asks = `
      import { openWire } from ${JSON.stringify(wire)}
      import { systemClock as clock } from ${JSON.stringify(machine)}
      const wire = await openWire({ transport: 'serial', path: ${JSON.stringify(here)} }, { clock, checkMs: 2 ** 30 })
      setTimeout(() => {}, 600_000)
      wire.once('data', (answer) => process.stdout.write(answer, () => process.exit()))
      wire.write('?')
    `
    const asked = spawn(process.execPath, ['--input-type=module', '--eval', asks], { timeout: 20_000 })
    assert.equal(await text(asked.stdout), 'A')
  })

  it('is ours alone until it is closed', { skip: unplugged }, async (t) => {
    const { here } = await pty(t)
    const wire = await serial(t, here)
    // The other end of the pseudo-terminal is a program that has it open, too.
    await assert.rejects(serial(t, here), (error: Error) => {
      assert.ok(error.message.startsWith(`${here} is used by socat (process `), error.message)
      return true
    })
    const closed = closing(wire)
    wire.destroy()
    await closed
    await serial(t, here)
  })

  it('closes once its end is sent', { skip: unplugged }, async (t) => {
    const { here, there } = await pty(t)
    const [wire, device] = [await serial(t, here), await serial(t, there)]
    const closed = closing(wire)
    wire.end(Buffer.from([0x05]))
    assert.deepEqual(await bytes(device, 1), Buffer.from([0x05]))
    await closed
  })

  it('closes when the adapter is pulled, and a later write fails', { skip: unplugged }, async (t) => {
    const { here, pull } = await pty(t)
    const wire = await serial(t, here)
    wire.resume()
    const closed = closing(wire)
    pull()
    await closed
    assert.equal(await failureOfWrite(wire), 'ERR_STREAM_DESTROYED')
  })

  it('closes when the adapter was pulled between two reads', { skip: unplugged }, async (t) => {
    const { here, pull } = await pty(t)
    const wire = await serial(t, here)
    const closed = closing(wire)
    pull()
    await closed
    assert.ok(wire.destroyed)
  })

  it('says what is wrong with a path', async () => {
    const open = (path: string) => openWire({ transport: 'serial', path }, { clock })
    await assert.rejects(open('/dev/serial/by-id/none'), {
      message: '/dev/serial/by-id/none is not there: the device is unplugged or the path is wrong',
    })
    await assert.rejects(open('/etc/passwd'), { message: '/etc/passwd is not a serial line' })
    await assert.rejects(open('/dev'), { message: '/dev is not a serial line' })
  })
})

async function listening(t: TestContext): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

async function connected(t: TestContext): Promise<{ wire: Duplex; peer: Socket }> {
  const { server, port } = await listening(t)
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const wire = await openWire({ transport: 'tcp', host: '127.0.0.1', port }, { clock })
  const [peer] = await accepted
  t.after(() => {
    wire.destroy()
    peer.destroy()
  })
  return { wire, peer }
}

/** A pair of serial lines joined together, or one joined to a program, and a way to pull them out. */
async function pty(
  t: TestContext,
  program?: string,
): Promise<{ here: string; there: string; pull: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'wire-'))
  const [here, there] = [join(folder, 'here'), join(folder, program ? 'here' : 'there')]
  const line = (link: string) => `pty,raw,echo=0,link=${link}`
  const socat: ChildProcess = spawn('socat', [line(here), program ?? line(there)], { stdio: 'ignore' })
  t.after(() => {
    socat.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  while (!existsSync(here) || !existsSync(there)) {
    assert.equal(socat.exitCode, null, 'socat ended')
    await sleep(5)
  }
  return { here, there, pull: () => socat.kill('SIGKILL') }
}

async function serial(t: TestContext, path: string): Promise<Duplex> {
  const wire = await openWire({ transport: 'serial', path }, { clock, baudRate: 115_200, checkMs: 20 })
  t.after(() => wire.destroy())
  return wire
}

async function bytes(from: Duplex, count: number): Promise<Buffer> {
  let got = Buffer.alloc(0)
  while (got.length < count) {
    const chunk: Buffer | null = from.read()
    if (chunk) got = Buffer.concat([got, chunk])
    else await once(from, 'readable')
  }
  return got
}

function closing(wire: Duplex): Promise<void> {
  return new Promise((done) => wire.once('close', done))
}

function failureOfWrite(wire: Duplex): Promise<unknown> {
  return new Promise((done) =>
    wire.write('x', (error) => done(error && 'code' in error ? error.code : error)),
  )
}
