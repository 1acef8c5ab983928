import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { autoboot } from '../../image/pi/boot.ts'
import fc from '../seed.ts'

const image = join(import.meta.dirname, '../../image/mkosi')
const programs = {
  boot: readFileSync(join(image, 'mkosi.extra/usr/lib/nightporter-box/boot'), 'utf8'),
  firmware: readFileSync(
    join(image, 'mkosi.profiles/pi/mkosi.extra/usr/lib/nightporter-box/firmware'),
    'utf8',
  ),
}
/** The fields of a FAT32 file system that say where things are, in sectors, and where autoboot.txt is. */
interface Layout {
  perCluster: number
  reserved: number
  fats: number
  fatSize: number
  rootCluster: number
  /** Of the root directory. */
  entry: number
  cluster: number
}

const usual: Layout = {
  ...{ perCluster: 1, reserved: 32, fats: 2, fatSize: 20 },
  ...{ rootCluster: 2, entry: 1, cluster: 3 },
}

const sectorOf = ({ perCluster, reserved, fats, fatSize }: Layout, cluster: number) =>
  reserved + fats * fatSize + (cluster - 2) * perCluster
const sector = sectorOf(usual, usual.cluster)

/** A FAT32 file system with nothing but autoboot.txt. */
function fat(file: string, layout: Layout): Buffer {
  const { perCluster, reserved, fats, fatSize, rootCluster, entry, cluster } = layout
  const [root, at] = [sectorOf(layout, rootCluster), sectorOf(layout, cluster)]
  const bytes = Buffer.alloc((Math.max(root, at) + perCluster + 1) * 512, 0x55)
  bytes.writeUInt8(perCluster, 13)
  bytes.writeUInt16LE(reserved, 14)
  bytes.writeUInt8(fats, 16)
  bytes.writeUInt32LE(fatSize, 36)
  bytes.writeUInt32LE(rootCluster, 44)
  bytes.fill(0, root * 512, (root + perCluster) * 512)
  const place = root * 512 + entry * 32
  bytes.write('AUTOBOOTTXT', place)
  bytes.writeUInt16LE(cluster >>> 16, place + 20)
  bytes.writeUInt16LE(cluster & 0xffff, place + 26)
  bytes.writeUInt32LE(file.length, place + 28)
  bytes.write(file, at * 512)
  return bytes
}

interface Pi {
  running?: 'A' | 'B'
  /** What the file that names the slots has. */
  file?: string
  /** What the firmware says in the device tree; null for a machine whose firmware says nothing. */
  partition?: number | null
  /** When the bootloader was built, Unix seconds; null for a firmware that does not say it. */
  builtAt?: number | null
  hasModule?: boolean
  layout?: Layout
}

const recent = Date.UTC(2025, 3, 1) / 1_000

/** A Raspberry Pi whose first partition, device tree and kernel are files of the test. */
function piOf(
  t: Pick<TestContext, 'after'> | null,
  {
    running = 'A',
    file = autoboot('a'),
    partition,
    builtAt = recent,
    hasModule = true,
    layout = usual,
  }: Pi = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'pi-'))
  const remove = () => rmSync(root, { recursive: true })
  t?.after(remove)
  const path = (name: string) => join(root, name)
  for (const folder of ['run', 'tree', 'state']) mkdirSync(path(folder))
  writeFileSync(path('first'), fat(file, layout))
  writeFileSync(path('cmdline'), `ro panic=10 roothash=00 rauc.slot=${running} console=tty0\n`)
  const integer = (name: string, value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    writeFileSync(path(`tree/${name}`), bytes)
  }
  if (partition !== null) integer('partition', partition ?? (running === 'A' ? 2 : 3))
  if (builtAt !== null) integer('build-timestamp', builtAt)
  writeFileSync(path('insmod'), `#!/bin/sh\nexit ${hasModule ? 0 : 1}\n`, { mode: 0o755 })
  const text = programs.boot
    .replace('. /usr/lib/nightporter-box/firmware', () => programs.firmware)
    .replaceAll('/dev/disk/by-partlabel/esp', path('first'))
    .replaceAll('/run/nightporter-boot', path('run'))
    .replaceAll('/sys/firmware/devicetree/base/chosen/bootloader', path('tree'))
    .replaceAll('/sys/module/', path('none/'))
    .replaceAll('insmod', path('insmod'))
    .replaceAll('/run/systemd/reboot-param', path('argument'))
    .replaceAll('/proc/cmdline', path('cmdline'))
    .replaceAll('/var/lib/nightporter-box', path('state'))
    // Not every file system of a test can be read past its cache.
    .replaceAll('iflag=direct', 'iflag=fullblock')
    .replaceAll('oflag=direct,sync', 'oflag=sync')
  return {
    root,
    remove,
    run(...args: string[]) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', text, 'boot', ...args], { encoding: 'utf8' })
      return { status, out: stdout.trim(), err: stderr.trim() }
    },
    first: () => readFileSync(path('first')),
    file: () => readFileSync(path('first')).toString('latin1', sector * 512, (sector + 1) * 512),
    argument: () => (existsSync(path('argument')) ? readFileSync(path('argument'), 'utf8') : null),
    /** The machine starts again: what is in memory is gone. */
    forget: () => rmSync(path('argument'), { force: true }),
  }
}

const said = (pi: ReturnType<typeof piOf>, ...args: string[]) => {
  const { status, out, err } = pi.run(...args)
  assert.deepEqual([status, err], [0, ''])
  return out
}

describe('the slots of a Raspberry Pi', () => {
  it('are those of the command line and of autoboot.txt', (t) => {
    const pi = piOf(t, { running: 'B' })
    assert.deepEqual(
      ['get-current', 'get-default', 'get-primary'].map((each) => said(pi, each)),
      ['B', 'A', 'A'],
    )
    const other = piOf(t, { running: 'A', file: autoboot('b') })
    assert.deepEqual(
      ['get-current', 'get-default', 'get-primary'].map((each) => said(other, each)),
      ['A', 'B', 'B'],
    )
  })

  it('are armed for one start by the argument of the restart, and disarmed', (t) => {
    const pi = piOf(t)
    said(pi, 'set-state', 'B', 'bad')
    assert.equal(said(pi, 'get-state', 'B'), 'bad')
    said(pi, 'set-primary', 'B')
    assert.deepEqual(
      [pi.argument(), said(pi, 'get-primary'), said(pi, 'get-state', 'B')],
      ['0 tryboot\n', 'B', 'good'],
    )
    said(pi, 'set-primary', 'A')
    assert.deepEqual([pi.argument(), said(pi, 'get-primary')], [null, 'A'])
    said(pi, 'set-primary', 'B')
    pi.forget()
    assert.equal(said(pi, 'get-primary'), 'A')
    assert.equal(pi.file(), autoboot('a'))
  })

  it('are confirmed by one sector, and nothing else of the partition is written', (t) => {
    const pi = piOf(t, { running: 'B' })
    const before = pi.first()
    said(pi, 'set-state', 'B', 'good')
    assert.equal(pi.file(), autoboot('b'))
    assert.equal(said(pi, 'get-default'), 'B')
    const after = pi.first()
    after.fill(0, sector * 512, (sector + 1) * 512)
    before.fill(0, sector * 512, (sector + 1) * 512)
    assert.deepEqual(after, before)
  })

  it('are not confirmed for a slot that does not run', (t) => {
    const pi = piOf(t, { running: 'B' })
    said(pi, 'set-state', 'A', 'good')
    assert.equal(pi.file(), autoboot('a'))
  })

  it('are not confirmed when the firmware started another partition, or says nothing', (t) => {
    for (const partition of [1, 2, 4, null]) {
      const pi = piOf(t, { running: 'B', partition })
      const { status, err } = pi.run('set-state', 'B', 'good')
      assert.equal(status, 1)
      assert.match(err, /The firmware started partition (1|2|4|unknown), which is not the one of slot B/)
      assert.equal(pi.file(), autoboot('a'))
    }
  })

  it('are confirmed where an old bootloader says 0 for any partition', (t) => {
    const pi = piOf(t, { running: 'B', partition: 0 })
    said(pi, 'set-state', 'B', 'good')
    assert.equal(pi.file(), autoboot('b'))
  })

  it('are not armed without the module, or with a bootloader from before 2023', (t) => {
    for (const [given, reason] of [
      [{ hasModule: false }, /module/],
      [{ builtAt: Date.UTC(2021, 6, 1) / 1_000 }, /before 2023/],
      [{ builtAt: Date.UTC(2022, 11, 31) / 1_000 }, /before 2023/],
      [{ builtAt: 0 }, /before 2023/],
    ] as const) {
      const pi = piOf(t, given)
      const { status, err } = pi.run('set-primary', 'B')
      assert.equal(status, 1)
      assert.match(err, reason)
      assert.equal(pi.argument(), null)
    }
    said(piOf(t, { builtAt: Date.UTC(2023, 0, 1) / 1_000 }), 'set-primary', 'B')
    said(piOf(t, { builtAt: null }), 'set-primary', 'B')
  })

  it('are not said, armed or taken for a trial where autoboot.txt names none', (t) => {
    for (const file of [
      '\n'.repeat(512),
      '\0'.repeat(512),
      autoboot('a').replace('=2', '=1'),
      '[tryboot]\n',
    ]) {
      const pi = piOf(t, { file })
      // The script that ends a trial compares what these say.
      for (const args of [['get-default'], ['get-primary'], ['set-primary', 'B']]) {
        const { status, out, err } = pi.run(...args)
        assert.deepEqual([status, out], [1, ''], args.join(' '))
        assert.match(err, /names no slot.*write the image to the medium again/)
      }
      assert.equal(pi.argument(), null)
    }
  })

  it('are unknown where autoboot.txt has another length, or is not where the build has put it', (t) => {
    for (const [file, reason] of [
      [`${autoboot('a')}\n`, /has 513 bytes/],
      ['[all]\nboot_partition=2\n', /has 23 bytes/],
      ['', /has 0 bytes/],
    ] as const) {
      const pi = piOf(t, { file })
      assert.match(pi.run('get-default').err, reason)
      assert.equal(pi.run('set-primary', 'B').status, 1)
    }
    const other = piOf(t, { layout: { ...usual, entry: 40 } })
    assert.match(other.run('get-default').err, /not among the first files/)
    assert.equal(other.run('set-primary', 'B').status, 1)
  })

  it('are found wherever FAT32 has the file', () => {
    const layouts = fc.record<Layout>({
      perCluster: fc.constantFrom(1, 2, 8),
      reserved: fc.integer({ min: 1, max: 64 }),
      fats: fc.integer({ min: 1, max: 2 }),
      fatSize: fc.integer({ min: 1, max: 300 }),
      rootCluster: fc.integer({ min: 2, max: 4 }),
      entry: fc.integer({ min: 0, max: 15 }),
      cluster: fc.integer({ min: 5, max: 300 }),
    })
    fc.assert(
      fc.property(layouts, (layout) => {
        const pi = piOf(null, { running: 'B', layout })
        said(pi, 'set-state', 'B', 'good')
        assert.deepEqual(pi.first(), fat(autoboot('b'), layout))
        pi.remove()
      }),
      { numRuns: 10 },
    )
  })

  it('go back after any sequence that does not confirm, and stay after one that does', () => {
    const orders = fc.array(fc.constantFrom('arm', 'disarm', 'bad', 'start', 'power', 'good'), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(orders, (all) => {
        let [running, usual, isArmed] = ['A' as 'A' | 'B', 'A' as 'A' | 'B', false]
        const otherOf = (slot: 'A' | 'B') => (slot === 'A' ? 'B' : 'A')
        let pi = piOf(null)
        const startAt = (slot: 'A' | 'B') => {
          const file = pi.file()
          pi.remove()
          running = slot
          isArmed = false
          pi = piOf(null, { running, file })
        }
        for (const each of all) {
          if (each === 'arm') {
            said(pi, 'set-primary', otherOf(usual))
            isArmed = true
          } else if (each === 'disarm') {
            said(pi, 'set-primary', usual)
            isArmed = false
          } else if (each === 'bad') said(pi, 'set-state', running, 'bad')
          else if (each === 'start') startAt(isArmed ? otherOf(usual) : usual)
          else if (each === 'power') startAt(usual)
          else if (!isArmed) {
            said(pi, 'set-state', running, 'good')
            usual = running
          }
          assert.equal(said(pi, 'get-default'), usual)
          assert.equal(said(pi, 'get-primary'), isArmed ? otherOf(usual) : usual)
        }
        pi.remove()
      }),
      { numRuns: 12 },
    )
  })
})

describe('autoboot.txt', () => {
  it('has exactly one sector', () => {
    for (const slot of ['a', 'b'] as const) assert.equal(Buffer.byteLength(autoboot(slot)), 512)
    assert.match(
      autoboot('a'),
      /^\[all\]\ntryboot_a_b=1\nboot_partition=2\n\[tryboot\]\nboot_partition=3\n+$/,
    )
    assert.match(
      autoboot('b'),
      /^\[all\]\ntryboot_a_b=1\nboot_partition=3\n\[tryboot\]\nboot_partition=2\n+$/,
    )
  })
})
