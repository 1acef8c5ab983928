import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

const script = readFileSync(
  join(import.meta.dirname, '../../image/mkosi/mkosi.extra/usr/lib/nightporter-box/trial'),
  'utf8',
)

/** A machine in a trial of slot B: its boot loader, its service manager and its folders are files of the test. */
function machineOf(t: TestContext, { marks = 0 } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'box-'))
  t.after(() => rmSync(root, { recursive: true }))
  const [folder, calls] = [join(root, 'update'), join(root, 'calls')]
  mkdirSync(folder)
  const program = (name: string, text: string) => {
    writeFileSync(join(root, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(root, name), 0o755)
  }
  program(
    'boot',
    `echo "boot $*" >>${calls}; case $1 in get-current) echo B ;; get-default) echo A ;; set-state) exit ${marks} ;; esac`,
  )
  program('systemctl', `echo "systemctl $*" >>${calls}; [ "$1" != is-active ] || { echo failed; exit 3; }`)
  // The user of the service need not exist here.
  for (const each of ['install', 'chown']) program(each, ':')
  writeFileSync(join(root, 'uptime'), '661.00 5.00\n')
  const text = script
    .replaceAll('/usr/lib/nightporter-box/boot', join(root, 'boot'))
    .replaceAll('/var/lib/nightporter/update', folder)
    .replaceAll('/proc/uptime', join(root, 'uptime'))
  return {
    reason: join(folder, 'trial-failed'),
    run: () =>
      spawnSync('sh', ['-c', text], { encoding: 'utf8', env: { PATH: `${root}:${process.env.PATH}` } }),
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
  }
}

const ending = ['boot set-state B bad', 'systemctl --no-block reboot']

describe('the end of a trial that nobody has confirmed', () => {
  it('restarts the machine, and says why', (t) => {
    const machine = machineOf(t)
    const { status, stderr } = machine.run()
    assert.deepEqual([status, machine.calls().slice(-2)], [0, ending], stderr)
    assert.match(readFileSync(machine.reason, 'utf8'), /not confirmed within 660 s\. .* is failed\./)
  })

  it('restarts the machine although the disk is full and keeps no reason', (t) => {
    const machine = machineOf(t, { marks: 1 })
    symlinkSync('/dev/full', machine.reason)
    const { status, stderr } = machine.run()
    assert.deepEqual([status, machine.calls().slice(-2)], [0, ending], stderr)
  })
})
