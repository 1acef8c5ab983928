import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { rauc } from '../../../src/update/rauc.ts'
import { UpdateRefused } from '../../../src/update/update-refused.ts'
import { programMissing } from '../../programs.ts'

const missing = programMissing('rauc', 'dbus-daemon', 'mksquashfs', 'openssl')

/** The real RAUC with its service, on two files for slots and a boot loader that is a script. */
describe('RAUC', { skip: missing }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-rauc-'))
  const at = (name: string) => join(folder, name)
  const bus = `unix:path=${at('bus')}`
  const environment = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: bus, DBUS_STARTER_BUS_TYPE: 'system' }
  const children: ReturnType<typeof spawn>[] = []
  const start = (program: string, ...args: string[]) => {
    const child = spawn(program, args, { cwd: folder, env: environment, stdio: 'ignore' })
    children.push(child)
  }
  const own = rauc(at('rauc'), at('system.conf'))

  function certificate(name: string): void {
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '10', '-subj', `/CN=${name}`]
    execFileSync('openssl', [...args, '-keyout', at(`${name}.key`), '-out', at(`${name}.pem`)], {
      stdio: 'pipe',
    })
  }

  function bundle(name: string, { key = 'release', compatible = 'nightporter-amd64' } = {}) {
    rmSync(at('content'), { recursive: true, force: true })
    mkdirSync(at('content'))
    writeFileSync(at('content/root.img'), Buffer.alloc(100_000, name))
    writeFileSync(
      at('content/manifest.raucm'),
      `[update]\ncompatible=${compatible}\nversion=0.7.0\n[bundle]\nformat=plain\n[image.rootfs]\nfilename=root.img\n`,
    )
    const keys = [`--cert=${at(`${key}.pem`)}`, `--key=${at(`${key}.key`)}`]
    execFileSync('rauc', [...keys, 'bundle', at('content'), at(name)], { stdio: 'pipe' })
    return at(name)
  }

  before(async () => {
    for (const slot of ['a', 'b']) {
      writeFileSync(at(slot), '')
      truncateSync(at(slot), 1_048_576)
    }
    mkdirSync(at('data'))
    for (const name of ['release', 'other']) certificate(name)
    writeFileSync(
      at('system.conf'),
      `[system]
compatible=nightporter-amd64
bootloader=custom
data-directory=${at('data')}
[handlers]
bootloader-custom-backend=${at('boot')}
[keyring]
path=${at('release.pem')}
[slot.rootfs.0]
device=${at('a')}
type=raw
bootname=A
[slot.rootfs.1]
device=${at('b')}
type=raw
bootname=B
`,
    )
    writeFileSync(
      at('boot'),
      `#!/bin/sh
cd ${folder}
case $1 in
  get-current) echo A ;;
  get-primary) cat primary 2>/dev/null || echo A ;;
  set-primary) echo "$2" >primary ;;
  get-state) echo good ;;
  set-state) echo "$2 $3" >>states ;;
esac
`,
    )
    writeFileSync(
      at('rauc'),
      `#!/bin/sh\nDBUS_SYSTEM_BUS_ADDRESS=${bus} exec rauc --conf=${at('system.conf')} "$@"\n`,
    )
    for (const name of ['boot', 'rauc']) chmodSync(at(name), 0o755)
    start('dbus-daemon', '--session', `--address=${bus}`, '--nofork')
    for (let waits = 0; waits < 100 && !existsSync(at('bus')); waits++) await pause(50)
    start('rauc', `--conf=${at('system.conf')}`, '--override-boot-slot=A', 'service')
    // The client starts no service by itself here, so it is asked until the service is there.
    for (let waits = 0; waits < 100; waits++) {
      const found = await own.slots().catch(() => null)
      if (found) return
      await pause(100)
    }
  })
  after(() => {
    for (const child of children.reverse()) child.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  const how = (progress: (percent: number) => void = () => {}) => ({
    signal: new AbortController().signal,
    progress,
  })

  it('tells its slots and installs a bundle, with progress', async () => {
    assert.deepEqual(await own.slots(), { booted: 'A', primary: 'A', architecture: 'amd64' })
    const seen: number[] = []
    assert.equal(
      await own.install(
        bundle('good.raucb'),
        how((percent) => seen.push(percent)),
      ),
      true,
    )
    assert.deepEqual([seen[0], seen.at(-1)], [0, 100])
    assert.deepEqual(
      seen,
      seen.toSorted((one, other) => one - other),
    )
    assert.deepEqual(await own.slots(), { booted: 'A', primary: 'B', architecture: 'amd64' })
    assert.match(readFileSync(at('b'), 'latin1'), /^good\.raucbgood/)
  })

  it('marks the running slot', async () => {
    await own.markGood()
    await own.markBad()
    assert.deepEqual(readFileSync(at('states'), 'utf8').trim().split('\n').slice(-2), ['A good', 'A bad'])
  })

  const refused: [name: string, code: string, make: () => string][] = [
    ['a bundle of another key', 'update-bad-bundle', () => bundle('foreign.raucb', { key: 'other' })],
    [
      'one for other hardware',
      'update-wrong-architecture',
      () => bundle('pi.raucb', { compatible: 'nightporter-pi' }),
    ],
    [
      'one that is cut',
      'update-bad-bundle',
      () => {
        const path = bundle('cut.raucb')
        truncateSync(path, 3_000)
        return path
      },
    ],
  ]
  for (const [name, code, make] of refused)
    it(`refuses ${name}`, async () => {
      await assert.rejects(own.install(make(), how()), (error) => {
        assert.ok(error instanceof UpdateRefused)
        assert.equal(error.said.code, code, error.message)
        return true
      })
    })
})
