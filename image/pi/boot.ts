import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { mirror, runInTools, source } from '../places.ts'
import type { Part } from '../sbom.ts'

/** The files of a Raspberry Pi that mkosi does not install. */
export interface PiFiles {
  folder: string
  /** The release of the kernel for which the module was compiled. */
  kernel: string
  /** For the list of parts. */
  parts: Part[]
  /** The file with the licence of the firmware. */
  copyright: string
}

const slots = ['a', 'b'] as const
const sector = 512
const megabyte = 1 << 20

/**
 * Downloads device trees and firmware, compiles the module, and puts the module into the tree of the image. Throws when Debian
 * has no such packages, or when the module cannot be compiled for their kernel.
 */
export function addPiFiles(tree: string, work: string): PiFiles {
  const folder = join(work, 'pi')
  runInTools(['sh', join(source, 'image/pi/make.sh'), folder, mirror, source])
  const versions = readFileSync(join(folder, 'versions.json'), 'utf8')
  const { kernel, firmware } = JSON.parse(versions) as { kernel: string; firmware: string }
  const module = 'nightporter_tryboot.ko'
  cpSync(join(folder, 'module', module), join(tree, 'usr/lib/nightporter-box', module))
  const part = {
    from: 'deb',
    name: 'raspi-firmware',
    version: firmware,
    license: '',
    architecture: 'all',
  } as const
  return { folder, kernel, parts: [part], copyright: join(folder, 'copyright') }
}

interface Boot {
  files: PiFiles
  /** The configuration of mkosi, with the files of the first partition. */
  configuration: string
  /** The command line of mkosi. */
  line: readonly string[]
  /** Returns the path of a file of the build, by the ending of its name. */
  found(ending: string): string
  /** A folder for what is in between. */
  work: string
  epoch: number
}

/**
 * Fills the first partition and the boot partition of slot A in the image that mkosi has made, and returns the file with the boot
 * partition, for the bundle of an update.
 */
export function fillBoot({ files, configuration, line, found, work, epoch }: Boot): string {
  expectKernel(found('.manifest'), files.kernel)
  const image = found('.raw')
  const table = partitionsOf(image)
  const commandLine = commandLineOf(configuration, line)
  const hash = rootHash(table)
  const boot = join(work, 'boot')
  cpSync(join(files.folder, 'files'), boot, { recursive: true })
  cpSync(join(source, 'image/pi/config.txt'), join(boot, 'config.txt'))
  cpSync(found('.vmlinuz'), join(boot, 'vmlinuz'))
  cpSync(found('.initrd'), join(boot, 'initrd.img'))
  for (const slot of slots) {
    const label = `PARTLABEL=root-${slot}`
    const ofSlot = `roothash=${hash} systemd.verity_root_data=${label} systemd.verity_root_hash=${label}-verity rauc.slot=${slot.toUpperCase()}`
    writeFileSync(join(boot, `cmdline-${slot}.txt`), `${commandLine} ${ofSlot}\n`)
  }
  cpSync(join(boot, 'cmdline-a.txt'), join(boot, 'cmdline.txt'))

  const first = join(work, 'first')
  cpSync(join(configuration, 'mkosi.extra/efi'), first, { recursive: true })
  writeFileSync(join(first, 'autoboot.txt'), autoboot('a'))
  for (const [label, folder, name] of [
    ['esp', first, 'NIGHTPORTER'],
    ['boot-a', boot, 'BOOT'],
  ] as const) {
    const { start, size } = table.find((each) => each.name === label)!
    fat(`${folder}.vfat`, { folder, name, bytes: size * sector, epoch })
    const place = [`of=${image}`, `bs=${megabyte}`, `seek=${(start * sector) / megabyte}`]
    execFileSync('dd', [`if=${folder}.vfat`, ...place, 'conv=notrunc,sparse', 'status=none'])
  }
  return `${boot}.vfat`
}

/**
 * The file by which the firmware finds its slot: the default in each start, the other one in a start with `tryboot`. It has exactly
 * one sector, so that a box rewrites it in one piece.
 */
export function autoboot(slot: (typeof slots)[number]): string {
  const [now, next] = slot === 'a' ? [2, 3] : [3, 2]
  const text = `[all]\ntryboot_a_b=1\nboot_partition=${now}\n[tryboot]\nboot_partition=${next}\n`
  return text.padEnd(sector, '\n')
}

/** A module counts for exactly one kernel. Layers that `--incremental` has kept may have an older one. */
function expectKernel(manifest: string, kernel: string): void {
  const { packages } = JSON.parse(readFileSync(manifest, 'utf8')) as { packages: { name: string }[] }
  const found = packages.map(({ name }) => name).filter((name) => /^linux-image-\d/.test(name))
  if (found.length !== 1 || found[0] !== `linux-image-${kernel}`)
    throw new Error(
      `The module of the Raspberry Pi was compiled for the kernel ${kernel}, and the image has ${found.join(' ') || 'none'}. Remove the folder layers-pi of the cache, and build again.`,
    )
}

/** What the configuration of mkosi gives the kernel. */
function commandLineOf(configuration: string, line: readonly string[]): string {
  const said = runInTools([...line, '--json', 'summary'], { in: configuration, quiet: true })
  const { Images } = JSON.parse(said) as { Images: { Image: string; KernelCommandLine: string[] }[] }
  return Images.at(-1)!.KernelCommandLine.join(' ')
}

interface Partition {
  name: string
  uuid: string
  /** In sectors. */
  start: number
  size: number
}

/** Returns the partitions of an image in their order. */
export function partitionsOf(image: string): Partition[] {
  const said = runInTools(['sfdisk', '--json', image], { quiet: true })
  return (JSON.parse(said) as { partitiontable: { partitions: Partition[] } }).partitiontable.partitions
}

/** systemd-repart makes the identifiers of root and verity tree from the two halves of the root hash. */
function rootHash(table: readonly Partition[]): string {
  const halves = ['root-a', 'root-a-verity'].map((name) => table.find((each) => each.name === name)?.uuid)
  const hash = halves.join('').replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`The image has no root hash: ${halves.join(' ')}`)
  return hash
}

/** Makes a FAT file system with the files of a folder. The same files give the same bytes. */
function fat(
  file: string,
  { folder, name, bytes, epoch }: { folder: string; name: string; bytes: number; epoch: number },
): void {
  rmSync(file, { force: true })
  writeFileSync(file, '')
  truncateSync(file, bytes)
  const here = { in: folder, epoch, quiet: true }
  runInTools(['mkfs.vfat', '-F', '32', '--invariant', '-n', name, file], here)
  const copy =
    'for each in *; do touch -d "@$SOURCE_DATE_EPOCH" "$each"; mcopy -m -i "$0" "$each" "::$each"; done'
  runInTools(['sh', '-euc', copy, file], here)
  if (!runInTools(['mdir', '-b', '-i', file], here).includes('/'))
    throw new Error(`${basename(file)} is empty.`)
}
