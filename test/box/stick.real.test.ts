import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { BackupRefused } from '../../src/backup/backup-refused.ts'
import { expectStick, stickRequest, unusableSticks } from '../../src/backup/targets/stick.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { detailIn } from '../../src/jsonapi/locales/detail.ts'
import { monday } from '../appliance.ts'
import fc from '../seed.ts'

const programs = join(import.meta.dirname, '../../image/mkosi/mkosi.extra/usr/lib/nightporter-box')
const script = join(programs, 'stick-writable')

/** What a script mounts in a namespace of its own. */
const ownMounts = `set -eu
mount --make-rprivate /
mount -t tmpfs none /media
mkdir /media/nightporter /media/stick
mount -t tmpfs none /run`

/** The machine mounts a stick and runs the script of root; the daemon sees it from its own view of the mounts. */
const machine = `${ownMounts}
mkdir /run/nightporter
mount --make-rshared /
sh "$0" && echo "without a stick: $(ls /media/stick)"
coproc unshare --mount --propagation slave sh -c 'mount --bind /media /media; mount -o remount,bind,ro /; echo up; read -r go
  touch /media/stick/nightporter/backup && echo the target is written
  touch /media/nightporter/update 2>/dev/null || echo updates are read'
# bash forgets them when the daemon has ended.
exec 3<&"\${COPROC[0]}" 4>&"\${COPROC[1]}"
read -r up <&3
mount -t tmpfs -o ro,dirsync,nosuid,nodev,noexec none /media/nightporter
: >/run/nightporter/stick-wanted
sh "$0"
sh "$0"
ls /run/nightporter
echo go >&4
cat <&3`

/** A stick for backups is in. Another one was put in after it, and both are pulled out, each with what its unit then runs. */
const twoSticks = `${ownMounts}
mkdir /run/bin
cat >/run/bin/systemctl <<'END'
#!/bin/sh
if [ "$1" = list-units ]; then cat /run/active; else echo "$*"; fi
END
chmod +x /run/bin/systemctl
PATH=/run/bin:$PATH
out() { sed -n 's/^ExecStop=-\\?\\(.*\\)/\\1/p' "$1" | sed "s|%i|$2|; s|/usr/lib/nightporter-box|$3|" | sh; }
mounted() { findmnt -no SOURCE /media/nightporter || echo nothing; }
mount -t tmpfs /dev/sdc1 /media/nightporter
echo 'nightporter-stick@sdc1.service loaded active exited' >/run/active
out "$0" sdb1 "$1"
echo "first out: $(mounted)"
mount --bind /media/nightporter /media/stick
echo 'nightporter-stick@sdb1.service loaded active exited' >/run/active
out "$0" sdc1 "$1"
echo "second out: $(mounted)"
: >/run/active
out "$0" sdb1 "$1"
echo "none in: $(mounted)"`

const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0

describe('a target on a USB stick', () => {
  it('is writable for the daemon, while updates are read from a mount that is not', {
    skip: mayMount ? false : 'left out: unshare may not make a namespace of mounts here',
  }, () => {
    const { stdout, stderr } = spawnSync('unshare', ['--mount', 'bash', '-c', machine, script], {
      encoding: 'utf8',
    })
    assert.equal(stdout, 'without a stick: \nthe target is written\nupdates are read\n', stderr)
  })

  it('is mounted again when a stick that was put in later is pulled out', {
    skip: mayMount ? false : 'left out: unshare may not make a namespace of mounts here',
  }, () => {
    const unit = join(programs, '../systemd/system/nightporter-stick@.service')
    const { stdout, stderr } = spawnSync('unshare', ['--mount', 'bash', '-c', twoSticks, unit, programs], {
      encoding: 'utf8',
    })
    const lines = [
      'first out: /dev/sdc1',
      '--no-block restart nightporter-stick@sdb1.service',
      'second out: nothing',
      'none in: nothing',
      '',
    ]
    assert.deepEqual(stdout.split('\n'), lines, stderr)
  })

  it('requests the writable mount, and waits for it', async (t) => {
    const box = boxOf(t)
    const mounted = () => symlinkSync('/proc', box.places.writable)
    await box.expect(join(box.places.writable, 'nightporter'), (ms) => ms > 1_000 && mounted())
    assert.equal(box.requested(), true)
    assert.ok(box.waitedMs() < 2_000)
  })

  it('does not wait for a stick that root cannot mount for longer than ten seconds', async (t) => {
    const box = boxOf(t)
    await box.expect(box.places.writable)
    assert.equal(box.waitedMs(), 10_000)
  })

  it('requests nothing without a stick, and for a folder elsewhere', async (t) => {
    const box = boxOf(t)
    await box.expect('/srv/backups')
    box.places.readOnly = join(box.places.runtime, 'none')
    await box.expect(box.places.writable)
    assert.equal(box.requested(), false)
  })
})

describe('a stick that the box cannot use', () => {
  /** The file system of each partition, by the names of blkid, and what the refusal says. */
  const cases: [types: string[], says: RegExp | null][] = [
    [['ntfs'], /file system NTFS, and the box uses exFAT and FAT32 only/],
    [['ext4'], /file system ext4,/],
    [['apfs'], /file system APFS,/],
    [['hfsplus'], /file system HFS\+,/],
    [['crypto_LUKS'], /file system LUKS,/],
    [[''], /has no file system\. Format it/],
    // Windows makes an empty partition before the one with the files.
    [['', 'ntfs'], /file system NTFS,/],
    [[], null],
  ]
  for (const [types, says] of cases)
    it(`is refused with its name: ${JSON.stringify(types)}`, async (t) => {
      const box = boxOf(t)
      box.unusable(types)
      const sending = box.expect(join(box.places.writable, 'nightporter'))
      if (says) await assert.rejects(sending, { message: says })
      else await sending
      assert.equal(box.requested(), false)
      await box.expect('/srv/backups')
    })

  it('is refused with any name, and does not hide a stick that is mounted', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,15}$/), async (type) => {
        const box = boxOf(t)
        box.unusable([type])
        const folder = join(box.places.writable, 'nightporter')
        const error = await box.expect(folder).then(
          () => null,
          (refused: Error) => refused,
        )
        assert.ok(error instanceof BackupRefused)
        assert.match(
          error.message.toLowerCase(),
          new RegExp(`file system ${type.toLowerCase()},|file system hfs\\+,|file system luks,`),
        )
        assert.notEqual(detailIn('de', 'backup-refused', error.message), null)
        box.places.readOnly = '/proc'
        await box.expect(folder, () => true)
        assert.equal(box.requested(), true)
      }),
      { numRuns: 20 },
    )
  })
})

/** A box whose stick is /proc, which is another file system than any folder around it. */
function boxOf(t: TestContext) {
  const run = mkdtempSync(join(tmpdir(), 'box-'))
  t.after(() => rmSync(run, { recursive: true }))
  const runtime = join(run, 'nightporter')
  mkdirSync(join(runtime, 'media'), { recursive: true })
  const places = { runtime, readOnly: '/proc', writable: join(runtime, 'media/stick') }
  const clock = virtualClock(monday)
  const began = clock.monotonic()
  const waitedMs = () => clock.monotonic() - began
  return {
    places,
    waitedMs,
    requested: () => existsSync(join(runtime, stickRequest)),
    /** The stick is not mounted, and root has left the file system of each partition. */
    unusable(types: readonly string[]) {
      places.readOnly = join(runtime, 'none')
      const folder = join(run, unusableSticks)
      mkdirSync(folder, { recursive: true })
      for (const [index, type] of types.entries()) writeFileSync(join(folder, `sdb${index}`), `${type}\n`)
    },
    /** `meanwhile` happens at each look, until it returns true. */
    async expect(folder: string, meanwhile: (pastMs: number) => unknown = () => true) {
      let isOver = false
      const sleep = async (ms: number) => {
        clock.advance(ms)
        if (!isOver) isOver = meanwhile(waitedMs()) !== false
      }
      await expectStick(folder, places, { ...clock, sleep })
    },
  }
}
