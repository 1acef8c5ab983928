import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { UpdateSettings } from '../../../src/update/update-settings.ts'
import { steps, type UpdateState } from '../../../src/update/update-state.ts'
import { type Publisher, publisher, type SimulatedGround, simulatedGround } from '../../update/box.ts'

const runner = join(import.meta.dirname, 'box-process.ts')

/** A box whose program is a process of its own, so that it can be killed. */
class Box {
  data: string
  ground: SimulatedGround
  source: Publisher
  child: ChildProcess | null = null
  url = ''

  constructor(data: string, ground: SimulatedGround, source: Publisher) {
    this.data = data
    this.ground = ground
    this.source = source
  }

  settings(more: Partial<UpdateSettings>): void {
    const update = this.source.settings(more)
    writeFileSync(join(this.data, 'nightporter.json'), JSON.stringify({ update }))
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [runner, this.data, join(this.data, '../slots')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.child = child
    this.url = await new Promise((resolve, reject) => {
      let text = ''
      child.stdout!.on('data', (part) => {
        text += part
        const [, url] = /listens on (\S+)\n/.exec(text) ?? []
        if (url) resolve(url)
      })
      child.once('exit', (code) => reject(new Error(`ended with ${code}`)))
    })
  }

  /** Ends the program at once, as a power cut does. */
  async kill(): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  async ask(method: string, path: string, body?: object) {
    const response = await fetch(this.url + path, {
      method,
      headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/vnd.api+json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return ((await response.json()) as { data: object[] }).data
  }

  state(): UpdateState | null {
    try {
      return JSON.parse(readFileSync(join(this.data, 'update/state.json'), 'utf8'))
    } catch {
      return null
    }
  }

  /** Waits until the stored state is so. */
  async until(what: string, isSo: (state: UpdateState) => boolean): Promise<void> {
    for (const begun = Date.now(); Date.now() - begun < 60_000; await pause(3)) {
      const state = this.state()
      if (state && isSo(state)) return
    }
    assert.fail(`never ${what}: ${JSON.stringify(this.state())}`)
  }
}

async function box(t: TestContext): Promise<Box> {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-kills-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const source = await publisher(Date.now())
  source.publish('0.7.0')
  const own = new Box(data, simulatedGround(join(folder, 'slots')), source)
  own.settings({ window: '00:00-00:00' })
  await own.start()
  t.after(async () => {
    await own.kill()
    await source.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return own
}

describe('a program that is killed', () => {
  for (const step of steps)
    it(`at ${step} goes on after its start, and the update ends once`, async (t) => {
      const own = await box(t)
      // The installation is long enough to be hit in the middle of it.
      own.ground.misbehave('slow')
      const withoutBackup = step !== 'backing-up'
      // It stays installed until the quiet hours, which the settings name after the start.
      const when = step === 'installed' ? 'window' : 'now'
      await own.ask('POST', '/api/config/v1/update/actions/install', { withoutBackup, when })
      if (step === 'trial') {
        await own.until('restarting', ({ job }) => job?.step === 'restarting')
        await own.kill()
        own.ground.misbehave('mark')
        own.ground.startMachine()
        await own.start()
      }
      await own.until(step, ({ job }) => job?.step === step)
      await own.kill()
      own.ground.misbehave('')
      own.settings({ window: '00:00-23:59' })
      // The machine goes on, the program starts again.
      await own.start()
      if (step === 'backing-up') {
        // The box has no recovery key, so that its update fails, once.
        await own.until('failed', ({ last }) => last?.isNoted === true)
        assert.equal(own.state()?.last?.result, 'failed')
      } else {
        await own.until('at its restart', ({ job, last }) => job?.step === 'restarting' || last !== null)
        if (own.state()?.job) {
          await own.kill()
          own.ground.startMachine()
          await own.start()
        }
        await own.until('confirmed', ({ last }) => last?.isNoted === true)
        assert.equal(own.state()?.last?.result, 'confirmed')
        assert.deepEqual([own.ground.slots().booted, own.ground.slots().default], ['B', 'B'])
      }
      await own.kill()
      await own.start()
      const types = 'filter[type]=system.update-finished'
      assert.equal((await own.ask('GET', `/api/config/v1/audit-entries?${types}`)).length, 1)
    })

  it('again and again in the middle of an installation ends it, and the old version goes on', async (t) => {
    const own = await box(t)
    own.ground.misbehave('hang-install')
    await own.ask('POST', '/api/config/v1/update/actions/install', { withoutBackup: true })
    for (let kills = 0; kills <= 3; kills++) {
      await own.until('installing', ({ job }) => job?.step === 'installing' && job.starts === kills)
      await own.kill()
      await own.start()
    }
    await own.until('failed', ({ last }) => last?.isNoted === true)
    assert.equal(own.state()?.last?.reason[0]?.code, 'update-interrupted')
    assert.equal(own.ground.slots().booted, 'A')
  })
})
