import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Duplex, duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { backgroundWork } from '../../src/host/background-work.ts'
import { systemClock } from '../../src/host/clock.ts'
import { readEntries } from '../../src/recorder/entry.ts'
import { flightRecorder } from '../../src/recorder/recorder.ts'
import { Ring } from '../../src/recorder/ring.ts'
import { segmentPath } from '../../src/recorder/segments.ts'
import { run } from '../cli/command-line.ts'
import { testClock } from '../test-clock.ts'
import { recordedLobby } from './recorded-lobby.ts'

const about = { bay: 'Desk', capability: 'encoder', driver: 'd', model: 'd', path: 'p' } as const

async function house(t: { after(done: () => unknown): void }, options = {}) {
  const made = await recordedLobby(options)
  t.after(async () => {
    await made.recorder.close()
    made.remove()
  })
  return made
}

describe('the recorder', () => {
  it('records only sizes for a driver without a mask', async (t) => {
    const { recorder, text } = await house(t)
    const [near, far] = duplexPair()
    const { wire } = recorder.line(about, undefined, near)
    wire.write('secret')
    far.write('answer!')
    await new Promise((resolve) => wire.once('data', resolve))
    const recorded = await text()
    const [opened, out, heard] = readEntries(recorded)
    assert.ok(opened?.kind === 'open' && !opened.isMasked)
    assert.deepEqual([out?.kind, heard?.kind], ['out', 'in'])
    assert.ok(out && heard && 'size' in out && 'size' in heard)
    assert.deepEqual([out.size, heard.size], [6, 7])
    assert.ok(!recorded.includes(Buffer.from('secret').toString('hex')))
  })

  it('masks a frame that came in chunks as one, and divides it as before', async (t) => {
    const { recorder, text } = await house(t)
    const [near, far] = duplexPair()
    const mask = () => (_direction: string, bytes: Uint8Array) =>
      Buffer.from(Buffer.from(bytes).toString('latin1').replace('secret', '******'), 'latin1')
    const { wire } = recorder.line(about, mask, near)
    wire.on('data', () => {})
    for (const part of ['a sec', 'ret', ' b']) {
      far.write(part)
      await turn()
    }
    const parts = readEntries(await text()).flatMap((each) =>
      'hex' in each ? Buffer.from(each.hex, 'hex') : [],
    )
    assert.deepEqual(parts.map(String), ['a ***', '***', ' b'])
  })

  it('leaves out status calls that equal the previous one, and counts them', async (t) => {
    const { dispenser, lobby, text, recorder, data } = await house(t)
    const device = dispenser()
    await device.initialise('leave')
    for (let look = 0; look < 20; look++) await device.status()
    lobby.stack.length = 0
    await device.status()
    await device.status()
    await device.entry(true)
    const recorded = await text()
    const calls = readEntries(recorded).filter(({ kind }) => kind === 'call')
    assert.deepEqual(
      calls.map((each) => each.kind === 'call' && each.method),
      ['initialise', 'status', 'status', 'entry'],
    )
    assert.deepEqual(
      calls.map(({ omitted = 0 }) => omitted),
      [0, 0, 19, 1],
    )
    await recorder.close()
    const { code, stdout } = await run('replay', join(data, 'flight'))
    assert.equal(code, 0, stdout)
    assert.match(stdout, /^4 calls replayed, all with the recorded outcome\.$/m)
  })

  it('does not change the wire: chunks, backpressure, and its end', async (t) => {
    const { recorder, text } = await house(t)
    let take: () => void = () => {}
    const inner = new Duplex({
      read() {},
      write(_chunk, _encoding, done) {
        take = done
      },
    })
    const { wire } = recorder.line(about, undefined, inner)
    wire.write('stuck')
    await turn()
    assert.equal(wire.writableLength, 5)
    take()
    await turn()
    assert.equal(wire.writableLength, 0)
    const ended = new Promise((resolve) => wire.once('end', resolve))
    wire.resume()
    inner.push(null)
    await ended
    inner.destroy(new Error('pulled'))
    await new Promise((resolve) => (wire.closed ? resolve(null) : wire.once('close', resolve)))
    assert.equal(readEntries(await text()).filter(({ kind }) => kind === 'close').length, 1)
  })

  it('continues the numbers of earlier runs, and truncates an incomplete line', async (t) => {
    const first = await house(t)
    await first.encoder().identify()
    await first.recorder.close()
    const folder = join(first.data, 'flight')
    const [segment = ''] = readdirSync(folder)
    const last = readEntries(readFileSync(join(folder, segment), 'utf8')).at(-1)!
    appendFileSync(join(folder, segment), '{"n":99,"li')
    const recorder = await flightRecorder({
      data: first.data,
      bytes: 1 << 20,
      clock: systemClock,
      background: backgroundWork({ clock: systemClock, failed: assert.fail }),
      stopped: assert.fail,
      resumed: () => {},
    })
    recorder.happened({ bay: 'Desk', what: 'online', at: 0, fault: null })
    await recorder.close()
    const all = readdirSync(folder)
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
    assert.equal(all.length, 2)
    const entries = readEntries(all.join(''))
    assert.equal(entries.at(-1)?.kind, 'bay')
    assert.ok(entries.at(-1)!.n > last.n)
  })

  it('stays within its size, and each segment is readable alone', async (t) => {
    const bytes = 64 * 1_024
    const { encoder, recorder, data } = await house(t, { bytes })
    const device = encoder()
    await device.identify()
    for (let round = 0; round < 300; round++) {
      await device.signal('ready')
      if (round % 10 === 0) await recorder.read().next()
    }
    await recorder.close()
    const folder = join(data, 'flight')
    const files = readdirSync(folder).sort()
    const total = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    assert.ok(total <= bytes * 1.5, `${total}`)
    assert.ok(files.length > 2)
    const [first] = readEntries(readFileSync(join(folder, files.at(-1)!), 'utf8'))
    assert.equal(first?.kind, 'open')
    const { code, stdout } = await run('replay', join(folder, files.at(-1)!))
    assert.equal(code, 0, stdout)
    assert.match(stdout, /signal\("ready"\)/)
  })
})

describe('the ring', () => {
  it('opens no file for lines after it was closed', async (t) => {
    const { data } = await house(t)
    const clock = testClock()
    const folder = join(data, 'late')
    const disk = new Ring({
      clock,
      background: backgroundWork({ clock, failed: assert.fail }),
      folder,
      bytes: 1_600,
      heads: () => [],
      next: () => 1,
      stopped() {},
      resumed() {},
    })
    disk.append('one\n')
    await disk.close()
    const before = readdirSync(folder)
    disk.append('late\n')
    await clock.sleep(5_000)
    await disk.flush()
    const kept = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    assert.deepEqual([readdirSync(folder), kept], [before, ['one\n']])
  })

  it('leaves no empty files on a full disk', async (t) => {
    const { data } = await house(t)
    const folder = join(data, 'full')
    mkdirSync(folder)
    let number = 0
    const next = () => ++number
    const said: unknown[] = []
    const disk = new Ring({
      clock: systemClock,
      background: backgroundWork({ clock: systemClock, failed: assert.fail }),
      folder,
      bytes: 65_536,
      heads: () => [],
      next,
      stopped: (error) => said.push((error as NodeJS.ErrnoException).code),
      resumed: (lost) => said.push(lost),
    })
    for (const at of [1, 2, 3]) symlinkSync('/dev/full', segmentPath(folder, at))
    for (const line of ['one\n', 'two\n', 'three\n']) {
      disk.append(line)
      await disk.flush()
    }
    assert.deepEqual([number, said, readdirSync(folder)], [3, ['ENOSPC'], []])
    disk.append('four\n')
    await disk.close()
    assert.deepEqual([said.at(-1), readdirSync(folder).length], [3, 1])
  })

  it('reports once that the disk fails, and continues by itself', async (t) => {
    const { data } = await house(t)
    const folder = join(data, 'ring')
    writeFileSync(folder, 'in the way')
    const said: unknown[] = []
    const disk = new Ring({
      clock: systemClock,
      background: backgroundWork({ clock: systemClock, failed: assert.fail }),
      folder,
      bytes: 65_536,
      heads: () => [],
      next: () => 1,
      stopped: ({ code }: NodeJS.ErrnoException) => said.push(code),
      resumed: (lost) => said.push(lost),
    } as ConstructorParameters<typeof Ring>[0])
    disk.append('one\n')
    await disk.flush()
    disk.append('two\n')
    await disk.flush()
    assert.deepEqual(said, ['EEXIST'])
    rmSync(folder)
    disk.append('three\n')
    await disk.close()
    assert.deepEqual(said, ['EEXIST', 2])
    assert.equal(readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8'), 'three\n')
  })
})
