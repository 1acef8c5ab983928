import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

const image = join(import.meta.dirname, '../../image/mkosi')
const boot = readFileSync(join(image, 'mkosi.extra/usr/lib/nightporter-box/boot'), 'utf8')
const firmware = readFileSync(
  join(image, 'mkosi.profiles/uefi/mkosi.extra/usr/lib/nightporter-box/firmware'),
  'utf8',
)
const loader = '4a67b082-0a4c-41cf-b6c7-440b29bb8c4f'

/** A board whose variables of systemd-boot are files, which a program of the test sets as bootctl does. */
function boardOf(t: TestContext, variables: Partial<Record<'Selected' | 'Default' | 'OneShot', string>>) {
  const root = mkdtempSync(join(tmpdir(), 'uefi-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const folder of ['variables', 'state']) mkdirSync(join(root, folder))
  const file = (name: string) => join(root, 'variables', `LoaderEntry${name}-${loader}`)
  for (const [name, slot] of Object.entries(variables))
    writeFileSync(
      file(name),
      Buffer.concat([Buffer.alloc(4, 7), Buffer.from(`nightporter-${slot}.efi\0`, 'utf16le')]),
    )
  writeFileSync(
    join(root, 'bootctl'),
    `#!/bin/sh
case $2 in set-default) name=Default ;; set-oneshot) name=OneShot ;; esac
printf 'atr.%s' "$3" >${join(root, 'variables')}/LoaderEntry$name-${loader}
`,
  )
  chmodSync(join(root, 'bootctl'), 0o755)
  const text = boot
    .replace('. /usr/lib/nightporter-box/firmware', () => firmware)
    .replaceAll('/sys/firmware/efi/efivars', join(root, 'variables'))
    .replaceAll('/var/lib/nightporter-box', join(root, 'state'))
  return (...args: string[]) => {
    const env = { PATH: `${root}:${process.env.PATH}` }
    const { status, stdout, stderr } = spawnSync('sh', ['-c', text, 'boot', ...args], {
      encoding: 'utf8',
      env,
    })
    assert.deepEqual([status, stderr], [0, ''])
    return stdout.trim()
  }
}

const asked = (run: ReturnType<typeof boardOf>) =>
  ['get-current', 'get-default', 'get-primary'].map((each) => run(each))

describe('the slots of a board with UEFI', () => {
  it('are those of the variables', (t) => {
    assert.deepEqual(asked(boardOf(t, { Selected: 'b', Default: 'a' })), ['B', 'A', 'A'])
    assert.deepEqual(asked(boardOf(t, { Selected: 'a', Default: 'a', OneShot: 'b' })), ['A', 'A', 'B'])
    assert.deepEqual(asked(boardOf(t, { Selected: 'a' })), ['A', '', ''])
  })

  it('get a default before the first trial is armed, and keep one that is there', (t) => {
    const first = boardOf(t, { Selected: 'a' })
    first('set-primary', 'B')
    assert.deepEqual(asked(first), ['A', 'A', 'B'])
    const later = boardOf(t, { Selected: 'b', Default: 'a' })
    later('keep')
    assert.deepEqual(asked(later), ['B', 'A', 'A'])
  })

  it('are confirmed for the slot that runs, and not for the other one', (t) => {
    const run = boardOf(t, { Selected: 'b', Default: 'a' })
    run('set-state', 'A', 'good')
    assert.deepEqual(asked(run), ['B', 'A', 'A'])
    run('set-state', 'B', 'good')
    assert.deepEqual(asked(run), ['B', 'B', 'B'])
  })

  it('are bad until they are armed again', (t) => {
    const run = boardOf(t, { Selected: 'a', Default: 'a' })
    run('set-state', 'B', 'bad')
    assert.equal(run('get-state', 'B'), 'bad')
    run('set-primary', 'B')
    assert.equal(run('get-state', 'B'), 'good')
  })
})
