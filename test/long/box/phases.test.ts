import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { statusPage } from '../../../src/box/page.ts'
import { type BoxState, readState } from '../../../src/box/state.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { migrations } from '../../../src/store/migrate.ts'
import { folderFor, identity, withKey } from '../../backup/recovery.ts'
import { entry } from '../../cli/command-line.ts'

const root = join(import.meta.dirname, '../../..')

/** The daemon as on a box, and the page of its state, which is another process. */
async function boxOf(t: TestContext, data: string, program = entry) {
  const run = folderFor(t)
  const folder = join(run, 'nightporter')
  for (const each of [folder, join(run, 'nightporter-box')]) mkdirSync(each, { recursive: true })
  const child = spawn(process.execPath, [program, 'serve', '--listen', '127.0.0.1:0', '--data', data], {
    env: { ...process.env, RUNTIME_DIRECTORY: folder },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const stop = () => {
    child.kill()
    return ended
  }
  t.after(stop)
  const server = statusPage({ clock: systemClock, folder }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const phases: string[] = []
  return {
    stop,
    /** All phases so far. */
    phases,
    page: async () => (await fetch(`http://127.0.0.1:${port}/`)).text(),
    /** Reads the state until it is as wanted. */
    async until(isWanted: (state: BoxState) => boolean): Promise<BoxState> {
      for (const end = Date.now() + 60_000; Date.now() < end; await pause(2)) {
        const state = readState(folder, Date.now())
        if (state && state.phase !== phases.at(-1)) phases.push(state.phase)
        if (state && isWanted(state)) return state
      }
      assert.fail(`the box was ${phases.join(', ')}`)
    },
  }
}

const isRunning = ({ phase }: BoxState) => phase === 'running'

it('the page of a box says how far a restore is, and when the backup takes the place of the data', async (t) => {
  const data = folderFor(t)
  withKey(data)
  const box = await boxOf(t, data)
  const { port } = await box.until(isRunning)
  const ask = async (method: string, path: string, body?: object | Uint8Array) => {
    const isFile = body instanceof Uint8Array
    const type = isFile ? 'application/octet-stream' : 'application/json'
    const response = await fetch(`http://127.0.0.1:${port}/api/config/v1${path}`, {
      method,
      headers: { Authorization: 'Bearer demo', 'Content-Type': type },
      body: isFile ? body : JSON.stringify(body),
    })
    const text = await response.text()
    assert.ok(response.ok, text)
    return JSON.parse(text).data
  }
  const { attributes } = await ask('POST', '/backups', {})
  const content = readFileSync(join(data, 'backups', attributes.name))
  const { id } = await ask('POST', '/restores', { name: 'a.tar.gz.age', bytes: content.length })
  const half = content.length >> 1
  await ask('PATCH', `/restores/${id}/content?offset=0`, content.subarray(0, half))
  const receiving = await box.until(({ restore }) => restore?.bytes === half)
  assert.equal(receiving.restore?.totalBytes, content.length)
  assert.match(await box.page(), /In service.*A backup is being uploaded: .* MB \((49|50) %\)/s)
  await ask('PATCH', `/restores/${id}/content?offset=${half}`, content.subarray(half))
  await ask('POST', `/restores/${id}/actions/open`, { recoveryKey: identity })
  while ((await ask('GET', `/restores/${id}`)).attributes.state !== 'ready') await pause(50)
  await ask('POST', `/restores/${id}/actions/apply`)
  await box.until(({ phase }) => phase === 'restoring')
  assert.match(await box.page(), /Restoring a backup|Starting|Checking/)
  await box.until(isRunning)
  assert.deepEqual(box.phases.slice(0, 3), ['starting', 'running', 'restoring'])
})

it('the page of a box says that an update changes the data', async (t) => {
  const data = folderFor(t)
  const before = await boxOf(t, data)
  await before.until(isRunning)
  await before.stop()
  const next = folderFor(t)
  for (const folder of ['src', 'drivers']) cpSync(join(root, folder), join(next, folder), { recursive: true })
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(root, name), join(next, name))
  const file = `${String(migrations().length + 1).padStart(4, '0')}-smell.sql`
  writeFileSync(join(next, 'src/store/migrations', file), 'ALTER TABLE unit ADD COLUMN smell TEXT;')
  const box = await boxOf(t, data, join(next, 'src/nightporter.js'))
  await box.until(({ phase }) => phase === 'migrating')
  assert.match(await box.page(), /Changing the data for a new version|In service/)
  await box.until(isRunning)
  assert.deepEqual(box.phases, ['starting', 'migrating', 'running'])
})

it('the page of a box says that the data are damaged, and what to do', async (t) => {
  const data = folderFor(t)
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'nightporter.db'), 'this is not a database, whatever its name says'.repeat(50))
  const box = await boxOf(t, data)
  const { message } = await box.until(({ phase }) => phase === 'out-of-order')
  // A box from an image has no command line.
  assert.match(message, /is damaged .*newest backup.* no command line: write its image/)
  assert.match(await box.page(), /Out of order.*nightporter\.db is damaged/s)
})
