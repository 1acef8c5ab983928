import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import driver from '../../../drivers/ifd510/driver.ts'
import { bay } from '../../../src/devices/bay/bay.ts'
import type { CardEncoder } from '../../../src/devices/capability.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'
import { openHid } from '../../../src/devices/hid/hid-device.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { firstSuccess } from '../../eventually.ts'
import { childrenOf, isRunning, processes } from '../../processes.ts'

const program = new URL('../hid-played.ts', import.meta.url)
const daemon = fileURLToPath(new URL('../hid-daemon.ts', import.meta.url))
const key = new Uint8Array(6).fill(0xff)
const block = new Uint8Array(16).fill(0xa5)

const wireTo = (serialNumber: string, signal?: AbortSignal) =>
  openHid(
    { transport: 'hid', vendorId: 0xffff, productId: 0x35, serialNumber },
    { clock: systemClock, checkMs: 50, signal },
    program,
  )

const encoderOn = (wire: Duplex) =>
  driver.open(wire, { model: 'ifd510', patience: 1, options: {}, clock: systemClock })

/** A device, its process, and what its wire says when it closes. */
async function opened(t: TestContext, does: string) {
  const wire = await wireTo(does)
  const [pid = 0, ...others] = childrenOf(process.pid)
  assert.deepEqual(others, [], 'one process for one device')
  const closed = new Promise<Error | null>((resolve) => {
    let why: Error | null = null
    wire.once('error', (error) => {
      why = error
    })
    wire.once('close', () => resolve(why))
  })
  t.after(async () => {
    wire.destroy()
    await closed
    await firstSuccess(() => assert.deepEqual(childrenOf(process.pid), [], 'not even a zombie'))
  })
  return { wire, pid, closed, encoder: encoderOn(wire) }
}

async function written(encoder: CardEncoder): Promise<void> {
  await encoder.find()
  assert.equal(await encoder.authenticate(1, 'A', key), true)
  await encoder.writeBlock(4, block)
}

function isInDoubt(error: unknown): true {
  assert.ok(error instanceof DeviceFault, String(error))
  assert.deepEqual([error.code, error.outcomeUnknown], ['encoder-timeout-writing', true], error.message)
  return true
}

describe('a HID device in a process of its own', () => {
  it('reads and writes, and leaves nothing behind when it is closed', async (t) => {
    const { wire, encoder, pid, closed } = await opened(t, 'works')
    await written(encoder)
    assert.deepEqual(await encoder.readBlock(4), block)
    wire.destroy()
    assert.equal(await closed, null)
    assert.equal(existsSync(`/proc/${pid}`), false)
  })

  for (const [does, why] of [
    ['crashes', /hid:\/\/ffff:0035\?serial=crashes: its process has ended by itself \(SIGSEGV\)/],
    ['ends', /its process has ended by itself \(exit code 3\)/],
    ['hangs', /its process did not answer within 5000 ms and was ended/],
  ] as const)
    it(`that ${does} in a write closes its wire, and leaves the write in doubt`, async (t) => {
      const { encoder, closed } = await opened(t, does)
      await assert.rejects(written(encoder), isInDoubt)
      assert.match((await closed)?.message ?? '', why)
      await assert.rejects(encoder.find(), { code: 'encoder-offline' })
    })

  for (const signal of ['SIGKILL', 'SIGSEGV'] as const)
    it(`whose process gets a ${signal} in a write closes its wire, and is opened again`, async (t) => {
      const said: string[] = []
      let turn = 0
      const desk = bay<CardEncoder>({
        name: 'desk',
        async open(signal) {
          const wire = await wireTo(turn++ === 0 ? 'waits' : 'works', signal)
          return { wire, device: encoderOn(wire) }
        },
        started: async (encoder) => void (await encoder.identify()),
        clock: systemClock,
        log: ({ what, fault }) => said.push(`${what} ${fault?.message ?? ''}`.trim()),
        backoff: { firstMs: 10, maxMs: 50 },
        offlineCode: 'encoder-offline',
      })
      t.after(() => desk.close())
      await desk.ready(20_000)
      const writing = assert.rejects(desk.use(written), isInDoubt)
      const [pid = 0] = childrenOf(process.pid)
      await pause(500)
      process.kill(pid, signal)
      await writing
      await firstSuccess(() => assert.equal(desk.state(), 'online'))
      await desk.use(written)
      assert.deepEqual(said, [
        'online',
        `lost hid://ffff:0035?serial=waits: its process has ended by itself (${signal})`,
        'online',
      ])
      assert.equal(existsSync(`/proc/${pid}`), false)
    })

  it('closes its wire when its process ends at rest', async (t) => {
    const { pid, closed, encoder } = await opened(t, 'works')
    process.kill(pid, 'SIGSEGV')
    assert.match((await closed)?.message ?? '', /has ended by itself \(SIGSEGV\)/)
    await assert.rejects(encoder.find(), { code: 'encoder-offline' })
  })

  it('is not opened, in words, where it fails at that', async () => {
    await assert.rejects(wireTo('missing'), /^Error: it is not there$/)
    await assert.rejects(wireTo('crashes-at-opening'), /hid:.*: its process has ended by itself \(SIGSEGV\)/)
    await assert.rejects(wireTo('works', AbortSignal.abort(new Error('not any more'))), /not any more/)
    const late = new AbortController()
    const opening = assert.rejects(wireTo('works', late.signal), /no time/)
    late.abort(new Error('no time'))
    await opening
    await firstSuccess(() => assert.deepEqual(childrenOf(process.pid), []))
  })

  it('has a process of eight at most', async (t) => {
    const wires = await Promise.all(Array.from({ length: 8 }, () => wireTo('works')))
    t.after(async () => {
      for (const wire of wires) wire.destroy()
      await firstSuccess(() => assert.deepEqual(childrenOf(process.pid), []))
    })
    await assert.rejects(wireTo('works'), /hid:.* cannot be opened: 8 devices are open/)
    wires[0]!.destroy()
    await once(wires[0]!, 'close')
    wires[0] = await wireTo('works')
  })

  it('that does not let go is ended', async (t) => {
    const { wire, pid, closed } = await opened(t, 'hangs-at-closing')
    wire.destroy()
    await closed
    assert.equal(existsSync(`/proc/${pid}`), false)
  })

  it('is given no variables, no folder and no open file of ours', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'nightporter-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const database = new Database(join(folder, 'data.db'))
    t.after(() => database.close())
    const { pid } = await opened(t, 'works')
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
    assert.deepEqual(
      names.filter((each) => !each.startsWith('NODE_CHANNEL_')),
      [],
    )
    assert.equal(readlinkSync(`/proc/${pid}/cwd`), '/')
    const files = readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`)
      } catch {
        return ''
      }
    })
    assert.ok(files.length > 0)
    assert.deepEqual(
      files.filter((path) => path.startsWith(folder)),
      [],
    )
  })
})

describe('the process of a HID device', () => {
  /** A daemon, and the process of its device. */
  async function started(t: TestContext, does: 'stays' | 'ends', serialNumber = 'works') {
    const child = spawn(process.execPath, [daemon, does, serialNumber], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    const pid = Number(said.toString())
    assert.ok(pid > 0, said.toString())
    return { child, ended, pid }
  }

  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    it(`ends when the daemon gets a ${signal}`, async (t) => {
      const { child, ended, pid } = await started(t, 'stays')
      assert.ok(isRunning(pid))
      child.kill(signal)
      await ended
      await firstSuccess(() => assert.equal(isRunning(pid), false))
    })

  it('does not keep the daemon from ending, and ends with it whatever it does', async (t) => {
    for (const does of ['works', 'hangs-at-closing']) {
      const { ended, pid } = await started(t, 'ends', does)
      assert.deepEqual(await ended, [0, null])
      await firstSuccess(() => assert.equal(isRunning(pid), false))
    }
  })

  it('is not in the group that a Ctrl-C goes to', async (t) => {
    const { child, pid } = await started(t, 'stays')
    const group = (of: number) => readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]
    assert.notEqual(group(pid), group(child.pid!))
    assert.ok(processes().some((each) => each.pid === pid && each.parent === child.pid))
  })
})
