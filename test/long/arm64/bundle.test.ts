import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { bundle } from '../../../image/bundle.ts'
import { releasedOn } from '../../../src/built-at.ts'

/** What arm64-machine.sh has made. */
const machine = '/var/tmp/nightporter-arm64'
const emulator = '/usr/bin/qemu-aarch64-static'
const root = join(import.meta.dirname, '../../..')
const missing =
  existsSync(join(machine, 'version')) && existsSync(emulator)
    ? false
    : 'left out: no emulated arm64 processor: run test/long/arm64/arm64-machine.sh'

/** The release is the bundle with the packages of native code beside it: the same files for every processor but Node's. */
describe('the bundle on an arm64 processor', { skip: missing }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-arm64-'))
  const data = join(folder, 'data')
  const program = join(folder, 'dist/nightporter.js')
  const env = { ...process.env, QEMU_LD_PREFIX: machine, NODE_OPTIONS: '', NODE_COMPILE_CACHE: '' }
  let served: ChildProcess
  let url = ''

  const node = (...args: string[]) =>
    promisify(execFile)(emulator, [join(machine, 'node'), ...args], { env, cwd: folder })

  async function start(): Promise<void> {
    const args = [join(machine, 'node'), program, 'serve', '--data', data, '--listen', '127.0.0.1:0']
    served = spawn(emulator, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of createInterface(served.stdout!)) {
      url = /^nightporter listens on (\S+)/.exec(line)?.[1] ?? ''
      if (url) return
    }
    assert.fail('the program ended before it listened')
  }

  before(async () => {
    await bundle(join(folder, 'dist'), new Date(releasedOn))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    await start()
  })
  after(async () => {
    if (served?.exitCode === null && served.signalCode === null) {
      served.kill()
      await once(served, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  })

  it('loads each package with native code', async () => {
    const tries = `
      const sqlite = new (require('better-sqlite3'))(':memory:').prepare('SELECT 1 AS one').get()
      const devices = require('node-hid').devices()
      require('serialport').SerialPort.list().then((ports) =>
        console.log(JSON.stringify([process.arch, sqlite.one, Array.isArray(devices), Array.isArray(ports)])))`
    assert.deepEqual(JSON.parse((await node('-e', tries)).stdout), ['arm64', 1, true, true])
  })

  it('gives a guest a card that opens the room', async () => {
    const { stdout } = await node(program, 'check-in', 'NP-1001', '--url', url, '--token', 'demo')
    assert.match(stdout, /The card was taken\. Have a good stay!\n$/)
    const [, room = ''] = /^Room (\d+) is assigned\.$/m.exec(stdout) ?? []
    assert.match((await node(program, 'door', room, '--data', data)).stdout, /opens/)
  })

  it('keeps what it has answered when it is killed', async () => {
    served.kill('SIGKILL')
    await once(served, 'exit')
    await start()
    const answer = await fetch(`${url}/api/v2/reservations?filter[reservationIds.searchForm]=NP-1001`, {
      headers: { Authorization: 'Bearer demo' },
    })
    assert.match(await answer.text(), /"InHouse"/)
    assert.match((await node(program, 'door', '--data', data)).stdout, /opens/)
  })
})
