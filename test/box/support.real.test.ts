import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { supportConsole } from '../../src/box/support/support-console.ts'
import { backgroundWork } from '../../src/host/background-work.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import type { Writer } from '../../src/resource/command.ts'
import { folderFor } from '../backup/recovery.ts'
import { programMissing } from '../programs.ts'
import { monday, passTime } from '../test-clock.ts'
import { boxOf, path } from './support-box.ts'

const tree = join(import.meta.dirname, '../../image/mkosi/mkosi.extra/usr/lib')

describe('the support console of a box', () => {
  it('is opened and closed by an administrator, with an event for each', async (t) => {
    const box = await boxOf(t)
    assert.equal(await box.endsAt(), null)
    assert.equal((await box.act('close')).status, 409)
    const opened = await box.act('open')
    assert.deepEqual([opened.status, opened.body.data.attributes.endsAt], [200, '2026-06-01T17:00:00.000Z'])
    const once = { 'Idempotency-Key': 'once' }
    assert.equal((await box.act('close', once)).status, 200)
    await box.act('open')
    const again = await box.act('close', once)
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [200, 'true'])
    assert.match((await box.act('open')).body.errors[0].detail, /is open\. Close it first/)
    assert.equal((await box.act('close')).body.data.attributes.endsAt, null)
    const [open, closed] = ['system.support-opened', 'system.support-closed']
    assert.deepEqual(await box.events(), [open, closed, open, closed])
  })

  it('that root has closed is recorded, also after a start', async (t) => {
    const box = await boxOf(t)
    await box.act('open')
    box.expires()
    box.house.clock.advance(5_000)
    await passTime(100)
    assert.deepEqual((await box.events()).slice(-1), ['system.support-closed'])
    await box.act('open')
    await box.house.restart(box.expires)
    await passTime(100)
    const [opened, closed] = ['system.support-opened', 'system.support-closed']
    assert.deepEqual(await box.events(), [opened, closed, opened, closed])
  })

  it('is refused where root does not open it, and the request is taken back', async (t) => {
    const box = await boxOf(t)
    box.dies()
    const refused = await box.act('open')
    assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'support-refused'])
    assert.match(refused.body.errors[0].detail, /did not open .* within ten seconds/)
    assert.equal(box.requested('open'), false)
    assert.deepEqual(await box.events(), [])
  })

  it('needs the scope of administrators, and a secret that was just entered', async (t) => {
    const { house } = await boxOf(t)
    const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'i', role: 'installer' } })
    const { token } = made.body.meta
    assert.equal((await house.ask('POST', `${path}/actions/open`, { token })).status, 403)
    const begun = await house.ask('POST', '/api/v2/session/actions/start-demo', {
      token: null,
      body: { account: 'Ida' },
    })
    const cookies = begun.headers.getSetCookie().map((each) => each.split(';')[0])
    const headers = { Cookie: cookies.join('; '), Origin: house.appliance.url }
    house.clock.advance(301_000)
    const late = await house.ask('POST', `${path}/actions/open`, { token: null, headers })
    assert.equal(late.body.errors[0].code, 'reauthentication-required')
  })

  it('runs in a unit that ends after an hour and sees nothing of the property', {
    skip: programMissing('systemd-analyze'),
  }, () => {
    const { stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', join(tree, 'systemd/system/nightporter-support.service')],
      { encoding: 'utf8' },
    )
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? []
    assert.ok(Number(exposure) <= 1.7, stdout + stderr)
    const text = readFileSync(join(tree, 'systemd/system/nightporter-support.service'), 'utf8')
    for (const line of [
      'User=nightporter-support',
      'RuntimeMaxSec=60min',
      'InaccessiblePaths=/var/lib/nightporter',
      'RestrictAddressFamilies=AF_UNIX AF_NETLINK',
    ])
      assert.ok(text.includes(`\n${line}\n`), line)
  })

  it('is opened by the script of root for an hour, once for each request', (t) => {
    const root = mkdtempSync(join(tmpdir(), 'box-'))
    t.after(() => rmSync(root, { recursive: true }))
    // The script has fixed paths, so the test runs it with those of another folder.
    const script = join(root, 'support')
    const source = readFileSync(join(tree, 'nightporter-box/support'), 'utf8')
    writeFileSync(script, source.replaceAll('/run/nightporter', `${root}/nightporter`))
    writeFileSync(join(root, 'systemctl'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
    const run = (action: string, input = '') => {
      const env = { ...process.env, PATH: `${root}:${process.env.PATH}` }
      const { stdout, stderr } = spawnSync('sh', [script, action], { encoding: 'utf8', env, input })
      return stdout + (action === 'console' ? '' : stderr)
    }
    for (const folder of ['nightporter', 'nightporter-box']) mkdirSync(join(root, folder))
    writeFileSync(join(root, 'nightporter/support-open'), '')
    assert.equal(run('requested'), 'start nightporter-support.service\n')
    assert.equal(run('requested'), '')
    writeFileSync(join(root, 'nightporter/support-close'), '')
    assert.equal(run('requested'), 'stop nightporter-support.service\n')
    const state = join(root, 'nightporter-box/support.json')
    assert.equal(run('opened'), '')
    const { endsAt } = JSON.parse(readFileSync(state, 'utf8')) as { endsAt: number }
    assert.ok(Math.abs(endsAt - Date.now() - 3_600_000) < 60_000, String(endsAt))
    assert.match(run('console', 'echo the console answers\n'), /ends within an hour.*\nthe console answers/s)
    run('closed')
    assert.equal(existsSync(state), false)
  })
})

it('is closed again when its opening cannot be recorded', async (t) => {
  const run = folderFor(t)
  const [runtime, state] = [join(run, 'nightporter'), join(run, 'nightporter-box/support.json')]
  for (const each of [runtime, dirname(state)]) mkdirSync(each)
  const clock = virtualClock(monday)
  /** Root's part. */
  const sleep = async (ms: number) => {
    clock.advance(ms)
    if (existsSync(join(runtime, 'support-open'))) writeFileSync(state, '{"endsAt": 1}')
    if (existsSync(join(runtime, 'support-close'))) rmSync(state)
    for (const each of ['open', 'close']) rmSync(join(runtime, `support-${each}`), { force: true })
  }
  const recorded: unknown[] = []
  const writer = {
    async execute(_command: unknown, input: unknown) {
      recorded.push(input)
      throw new Error('The disk is full.')
    },
  } as unknown as Writer
  const options = { runtime, writer, reader: { text: () => null } }
  const background = backgroundWork({ clock, failed: assert.fail })
  const support = supportConsole({ ...options, background, clock: { ...clock, sleep } })
  t.after(support.stop)
  await assert.rejects(support.open({ actor: { by: 'Ida', requestId: null } }), {
    message: 'The disk is full.',
  })
  assert.deepEqual([existsSync(state), support.read().endsAt, clock.next()], [false, null, null])
  assert.equal(recorded.length, 1)
})
